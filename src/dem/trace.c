/* SPDX-License-Identifier: MIT */
/*
 * Traces. Threads find new contacts at the same time, so the slot of a life may differ from run to run. The results do
 * not: lives are compared by age, strain at birth and ids only.
 */
#include "trace.h"
#include "simulation_state.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

struct dem_trace_book {
  const dem_case *run;
  pthread_mutex_t mutex;
  dem_trace_life **lives; /* trace number - 1; NULL: free */
  size_t count, room;
  bool is_incomplete;
  const dem_trace_follower *follower; /* NULL: none */
};

/* The request number of a contact that only the follower wants. */
#define OF_FOLLOWER UINT32_MAX

dem_trace_book *dem_trace_book_create(const dem_case *run)
{
  dem_trace_book *book = calloc(1, sizeof *book);
  if (!book)
    return NULL;
  book->run = run;
  pthread_mutex_init(&book->mutex, NULL);
  return book;
}

void dem_trace_book_set_case(dem_trace_book *book, const dem_case *run)
{
  book->run = run;
}

static void life_free(dem_trace_life *life)
{
  if (life)
    free(life->samples);
  free(life);
}

void dem_trace_book_destroy(dem_trace_book *book)
{
  if (!book)
    return;
  for (size_t k = 0; k < book->count; k++) {
    if (book->lives[k] && book->lives[k]->followed)
      book->follower->end(book->follower->context, book->lives[k]->followed);
    life_free(book->lives[k]);
  }
  free(book->lives);
  pthread_mutex_destroy(&book->mutex);
  free(book);
}

/* The step in progress; 0 while the simulation is being created. */
static long step_of(const dem_simulation *s)
{
  return s->dt > 0.0 ? s->step + 1 : 0;
}

static double strain_in_stage(const dem_simulation *s, dem_component component)
{
  return s->strain[component] - s->stage.strain_start[component];
}

/* ---- Lives ------------------------------------------------------------------------------------------------------- */

/* Appends a free slot. */
static bool grow(dem_trace_book *book)
{
  if (book->count == book->room) {
    size_t room = 2 * book->room + 16;
    dem_trace_life **lives = realloc(book->lives, room * sizeof(dem_trace_life *));
    if (!lives)
      return false;
    book->lives = lives;
    book->room = room;
  }
  book->lives[book->count++] = NULL;
  return true;
}

static uint32_t add_life(dem_trace_book *book, const dem_trace_life *model)
{
  uint32_t number = 0;
  pthread_mutex_lock(&book->mutex);
  dem_trace_life *life = malloc(sizeof *life);
  size_t slot = 0;
  while (slot < book->count && book->lives[slot])
    slot++;
  if (life && (slot < book->count || grow(book))) {
    *life = *model;
    book->lives[slot] = life;
    number = (uint32_t)slot + 1;
  } else {
    free(life);
    book->is_incomplete = true;
  }
  pthread_mutex_unlock(&book->mutex);
  return number;
}

void dem_trace_book_set_follower(dem_trace_book *book, const dem_trace_follower *follower)
{
  book->follower = follower;
}

const dem_trace_follower *dem_trace_book_follower(const dem_trace_book *book)
{
  return book->follower;
}

uint32_t dem_trace_begin(dem_trace_book *book, const dem_simulation *s, uint32_t p, uint32_t q,
                         const jager_contact *present)
{
  uint32_t a = s->ids[p], b = s->ids[q];
  const double radii[2] = {s->bodies[p].radius, s->bodies[q].radius};
  const dem_trace_follower *follower = book->follower;
  dem_trace_life life = {
      .request = OF_FOLLOWER, .ids = {a < b ? a : b, a < b ? b : a}, .birth = step_of(s), .death = -1};
  for (int k = 0; !present && k < book->run->trace_count; k++) { /* the first request that wants the contact */
    const dem_trace *trace = &book->run->traces[k];
    const uint32_t *ids = trace->ids;
    int stage = s->stage.number; /* a request of contacts born applies to the named stage, or to the last */
    bool is_stage = trace->stage[0] == '\0' ? stage == s->run->stage_count
                                            : stage > 0 && strcmp(s->run->stages[stage - 1].name, trace->stage) == 0;
    if (trace->kind == DEM_TRACE_PAIR
            ? (ids[0] == a && ids[1] == b) || (ids[0] == b && ids[1] == a)
            : is_stage && fabs(strain_in_stage(s, trace->component) - trace->strain) <= trace->window) {
      life.request = (uint32_t)k;
      life.strain = strain_in_stage(s, trace->component);
      break;
    }
  }
  if (follower)
    life.followed = follower->begin(follower->context, life.ids, radii, present);
  uint32_t number = life.request != OF_FOLLOWER || life.followed ? add_life(book, &life) : 0;
  if (number == 0 && life.followed)
    follower->end(follower->context, life.followed);
  return number;
}

void dem_trace_record(dem_trace_book *book, uint32_t trace, const dem_simulation *s, double zeta, const double dxi[2],
                      const jager_force *force, uint32_t length)
{
  pthread_mutex_lock(&book->mutex); /* the array of lives may move while another thread adds to it; a life does not */
  dem_trace_life *life = book->lives[trace - 1];
  pthread_mutex_unlock(&book->mutex);
  if (life->followed)
    book->follower->move(book->follower->context, life->followed, zeta, dxi, force, length);
  if (life->request == OF_FOLLOWER)
    return;
  const dem_trace *request = &book->run->traces[life->request];
  life->xi[0] += dxi[0];
  life->xi[1] += dxi[1];
  if (step_of(s) % request->every != 0 && step_of(s) != life->birth)
    return;
  if (life->count == life->room) {
    size_t room = life->room + life->room / 2 + 64;
    dem_trace_sample *samples = realloc(life->samples, room * sizeof *samples);
    if (!samples) {
      pthread_mutex_lock(&book->mutex);
      book->is_incomplete = true;
      pthread_mutex_unlock(&book->mutex);
      return;
    }
    life->samples = samples;
    life->room = room;
  }
  life->samples[life->count++] = (dem_trace_sample){.step = (double)step_of(s),
                                                    .time = s->time + s->dt,
                                                    .strain = strain_in_stage(s, request->component),
                                                    .zeta = zeta,
                                                    .xi1 = life->xi[0],
                                                    .xi2 = life->xi[1],
                                                    .fn = force->fn,
                                                    .ft1 = force->ft[0],
                                                    .ft2 = force->ft[1],
                                                    .length = length};
}

/* ---- Ends, and the longest life ---------------------------------------------------------------------------------- */

static long age_of(const dem_trace_life *life)
{
  return life->death < 0 ? LONG_MAX - life->birth : life->death - life->birth;
}

/* The longer life first, then the one nearer to the requested strain, then by ids: a strict order. */
static bool comes_first(const dem_trace_life *a, const dem_trace_life *b, double strain)
{
  if (age_of(a) != age_of(b))
    return age_of(a) > age_of(b);
  double near_a = fabs(a->strain - strain), near_b = fabs(b->strain - strain);
  if (near_a < near_b || near_a > near_b)
    return near_a < near_b;
  return a->ids[0] != b->ids[0] ? a->ids[0] < b->ids[0] : a->ids[1] < b->ids[1];
}

void dem_trace_end(dem_trace_book *book, uint32_t trace, const dem_simulation *s)
{
  pthread_mutex_lock(&book->mutex);
  dem_trace_life *life = book->lives[trace - 1];
  life->death = step_of(s);
  if (life->followed)
    book->follower->end(book->follower->context, life->followed);
  life->followed = NULL;
  if (life->request == OF_FOLLOWER) {
    life_free(life);
    book->lives[trace - 1] = NULL;
  } else if (book->run->traces[life->request].kind == DEM_TRACE_BORN) {
    /* Of the ended lives of a request, only the longest can be the result: the others are freed. */
    double strain = book->run->traces[life->request].strain;
    uint32_t request = life->request;
    dem_trace_life **best = NULL;
    for (dem_trace_life **other = book->lives; other < book->lives + book->count; other++) {
      if (!*other || (*other)->request != request || (*other)->death < 0)
        continue;
      dem_trace_life **shorter = other;
      if (!best || comes_first(*other, *best, strain)) {
        shorter = best;
        best = other;
      }
      if (shorter) {
        life_free(*shorter);
        *shorter = NULL;
      }
    }
  }
  pthread_mutex_unlock(&book->mutex);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

bool dem_trace_book_is_incomplete(const dem_trace_book *book)
{
  return book->is_incomplete;
}

bool dem_traces_are_complete(const dem_simulation *s, error_info *error)
{
  return !s->traces || !s->traces->is_incomplete ||
         error_set_memory(error, "step %ld: out of memory for the traces", step_of(s));
}

const dem_trace_life *dem_trace_book_life(const dem_trace_book *book, uint32_t request, size_t *next)
{
  const dem_trace *trace = &book->run->traces[request];
  const dem_trace_life *found = NULL;
  if (trace->kind == DEM_TRACE_BORN) { /* the longest life alone */
    for (size_t k = 0; *next == 0 && k < book->count; k++) {
      const dem_trace_life *life = book->lives[k];
      if (life && life->request == request && (!found || comes_first(life, found, trace->strain)))
        found = life;
    }
    (*next)++;
    return found;
  }
  long after = -1; /* the lives of a pair in the order of their births */
  for (size_t n = 0; n <= *next; n++) {
    found = NULL;
    for (size_t k = 0; k < book->count; k++) {
      const dem_trace_life *life = book->lives[k];
      if (life && life->request == request && life->birth > after && (!found || life->birth < found->birth))
        found = life;
    }
    if (!found)
      return NULL;
    after = found->birth;
  }
  (*next)++;
  return found;
}

/* ---- Checkpoints ------------------------------------------------------------------------------------------------- */

size_t dem_trace_book_size(const dem_trace_book *book)
{
  return book->count;
}

const dem_trace_life *dem_trace_book_slot(const dem_trace_book *book, size_t slot)
{
  return book->lives[slot];
}

bool dem_trace_book_restore(dem_trace_book *book, size_t slot, const dem_trace_life *life)
{
  while (book->count <= slot)
    if (!grow(book))
      return false;
  if (!life)
    return true;
  dem_trace_life *copy = malloc(sizeof *copy);
  if (!copy)
    return false;
  *copy = *life;
  book->lives[slot] = copy;
  return true;
}
