/* SPDX-License-Identifier: MIT */
/* Reading a simulation: its progress, its size, and a hash of its state. */
#include "simulation.h"
#include "base/hash.h"
#include "contacts.h"
#include "drive.h"
#include "grains.h"
#include "trace.h"

long dem_simulation_steps(const dem_simulation *s)
{
  return s->step;
}

double dem_simulation_time(const dem_simulation *s)
{
  return s->time;
}

bool dem_simulation_has_failed(const dem_simulation *s)
{
  return s->failed;
}

int dem_simulation_stage(const dem_simulation *s)
{
  return s->stage.number;
}

const char *dem_simulation_stage_name(const dem_simulation *s)
{
  return current_stage(s)->name;
}

size_t dem_simulation_spheres(const dem_simulation *s)
{
  return s->count;
}

size_t dem_simulation_grains(const dem_simulation *s)
{
  return s->grain_count;
}

size_t dem_simulation_contacts(const dem_simulation *s)
{
  return s->contact_count;
}

int dem_simulation_threads(const dem_simulation *s)
{
  return thread_pool_size(s->workers);
}

dem_packing_report dem_simulation_packing(const dem_simulation *s)
{
  return s->search.report;
}

double dem_packing_relative_density(const dem_packing_report *packing)
{
  bool is_known = packing->densest > 0.0 && packing->void_ratio > 0.0;
  return is_known ? (packing->loosest - packing->void_ratio) / (packing->loosest - packing->densest) : NAN;
}

double dem_simulation_void_ratio(const dem_simulation *s)
{
  return dem_quantity_value(s, DEM_VOID_RATIO);
}

const dem_case *dem_simulation_case(const dem_simulation *s)
{
  return s->run;
}

jager_law dem_simulation_law(const dem_simulation *s)
{
  return s->law;
}

bool dem_simulation_find_contact(const dem_simulation *s, uint32_t id_a, uint32_t id_b, jager_contact *view)
{
  for (contact_walk at = contact_walk_start(s); contact_walk_find(&at);) {
    uint32_t p = s->ids[at.p], q = s->ids[at.q];
    if ((p == id_a && q == id_b) || (p == id_b && q == id_a))
      return jager_pairs_view(at.contacts, at.number, view) == JAGER_OK;
  }
  return false;
}

const struct dem_trace_book *dem_simulation_traces(const dem_simulation *s)
{
  return s->traces;
}

bool dem_simulation_follow(dem_simulation *s, const dem_trace_follower *follower)
{
  if (!s->traces && !(s->traces = dem_trace_book_create(s->run)))
    return false;
  dem_trace_book_set_follower(s->traces, follower);
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);)
    if (*at.trace == 0)
      *at.trace = dem_trace_begin(s->traces, s, at.p, at.q, &at.contact);
  return !dem_trace_book_is_incomplete(s->traces);
}

size_t dem_simulation_bytes(const dem_simulation *s)
{
  size_t bytes = sizeof *s +
                 s->count * (sizeof *s->bodies + sizeof *s->motions + sizeof *s->loads + sizeof *s->travels +
                             sizeof *s->ids + sizeof *s->stiffness + sizeof *s->dashpots + sizeof *s->surroundings +
                             sizeof *s->incoming_start + sizeof *s->incoming_end) +
                 s->grain_count * (sizeof *s->contacts_of_grain + sizeof *s->last_neighbour);
  if (s->grains)
    bytes += s->grain_count * (sizeof *s->grains + sizeof *s->clump_stiffness) +
             s->count * (sizeof *s->grain_of + sizeof *s->arms);
  bytes += s->outer_wrench_room * sizeof *s->outer_wrenches + s->incoming_room * sizeof *s->incoming;
  for (size_t k = 0; k < s->block_count; k++) {
    const block *b = &s->blocks[k];
    bytes +=
        sizeof *b +
        b->candidate_room * (sizeof *b->candidates + sizeof *b->owners + sizeof *b->order + sizeof *b->wrench_number) +
        jager_pairs_bytes(b->contacts) + b->trace_room * sizeof *b->traces + b->touching_room * sizeof *b->touching;
    bytes += b->motions ? b->touching_room * sizeof *b->motions : 0;
  }
  return bytes;
}

uint64_t dem_simulation_hash(const dem_simulation *s)
{
  size_t room = 1; /* for any one of the contacts, packed */
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    size_t size = jager_contact_pack_size(&at.contact);
    room = size > room ? size : room;
  }
  void *bytes = malloc(room);
  if (!bytes)
    return 0;
  dem_clumps_find_motions(s);
  hash h = hash_start();
  hash_word(&h, (uint64_t)s->step);
  hash_add(&h, &s->cell, sizeof s->cell);
  for (size_t i = 0; i < s->count; i++) {
    hash_add(&h, s->bodies[i].x, sizeof s->bodies[i].x);
    hash_add(&h, &s->motions[i], sizeof s->motions[i]);
  }
  for (size_t i = 0; s->grains && i < s->grain_count; i++) {
    hash_add(&h, &s->grains[i].turn, sizeof s->grains[i].turn);
    hash_add(&h, &s->grains[i].momentum, sizeof s->grains[i].momentum);
  }
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    hash_add(&h, &at.frame, sizeof at.frame);
    jager_contact_pack(&at.contact, bytes, room); /* cannot fail: there is room */
    hash_add(&h, bytes, jager_contact_pack_size(&at.contact));
  }
  free(bytes);
  uint64_t value = hash_value(&h);
  return value != 0 ? value : 1; /* 0 means that there is no hash */
}
