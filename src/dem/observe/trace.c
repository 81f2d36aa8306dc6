/* SPDX-License-Identifier: MIT */
/*
 * Traces. Threads find births at the same time, so which slot a life gets may differ from run to run; what comes out does
 * not: lives are compared by age, birth and ids only.
 */
#include "trace.h"
#include "dem/internal.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct trace_book {
  const dem_case *run;
  pthread_mutex_t mutex;
  trace_life **lives; /* trace number - 1; NULL: free */
  size_t count, room;
  bool is_short;
  const trace_follower *follower; /* NULL: none */
};

/* In place of a request's number. */
#define OF_FOLLOWER UINT32_MAX

trace_book *trace_book_create(const dem_case *run)
{
  trace_book *book = calloc(1, sizeof *book);
  if (!book)
    return NULL;
  book->run = run;
  pthread_mutex_init(&book->mutex, NULL);
  return book;
}

static void life_free(trace_life *life)
{
  if (life)
    free(life->samples);
  free(life);
}

void trace_book_destroy(trace_book *book)
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

/* The step that is under way; 0 while the simulation is being made. */
static long step_of(const dem_simulation *s)
{
  return s->dt > 0.0 ? s->step + 1 : 0;
}

/* ---- Who is wanted ----------------------------------------------------------------------------------------------- */

static double strain_in_stage(const dem_simulation *s, dem_component component)
{
  return s->strain[component] - s->stage.strain_start[component];
}

/* The stage in which births count: the named one, or the last. */
static bool is_stage_of(const dem_case *run, const dem_trace *trace, int stage)
{
  if (trace->stage[0] == '\0')
    return stage == run->stage_count;
  return stage > 0 && strcmp(run->stages[stage - 1].name, trace->stage) == 0;
}

static bool is_wanted(const dem_simulation *s, const dem_trace *trace, const uint32_t ids[2])
{
  if (trace->kind == DEM_TRACE_PAIR)
    return (trace->ids[0] == ids[0] && trace->ids[1] == ids[1]) || (trace->ids[0] == ids[1] && trace->ids[1] == ids[0]);
  return is_stage_of(s->run, trace, s->stage.number) &&
         fabs(strain_in_stage(s, trace->component) - trace->strain) <= trace->window;
}

/* ---- Lives ------------------------------------------------------------------------------------------------------- */

/* One more slot, free. */
static bool grow(trace_book *book)
{
  if (book->count == book->room) {
    size_t room = 2 * book->room + 16;
    trace_life **lives = realloc(book->lives, room * sizeof(trace_life *));
    if (!lives)
      return false;
    book->lives = lives;
    book->room = room;
  }
  book->lives[book->count++] = NULL;
  return true;
}

static size_t free_slot(trace_book *book)
{
  for (size_t k = 0; k < book->count; k++)
    if (!book->lives[k])
      return k;
  return grow(book) ? book->count - 1 : SIZE_MAX;
}

static uint32_t add_life(trace_book *book, const trace_life *model)
{
  uint32_t number = 0;
  pthread_mutex_lock(&book->mutex);
  trace_life *life = malloc(sizeof *life);
  size_t slot = life ? free_slot(book) : SIZE_MAX;
  if (slot != SIZE_MAX) {
    *life = *model;
    book->lives[slot] = life;
    number = (uint32_t)slot + 1;
  } else {
    free(life);
    book->is_short = true;
  }
  pthread_mutex_unlock(&book->mutex);
  return number;
}

void trace_book_set_follower(trace_book *book, const trace_follower *follower)
{
  book->follower = follower;
}

bool trace_book_is_followed(const trace_book *book)
{
  return book->follower;
}

/* A request's life, or none; `number` is the request's. */
static const dem_trace *find_request(const trace_book *book, const dem_simulation *s, const uint32_t ids[2],
                                     uint32_t *number)
{
  for (int k = 0; k < book->run->trace_count; k++)
    if (is_wanted(s, &book->run->traces[k], ids)) {
      *number = (uint32_t)k;
      return &book->run->traces[k];
    }
  *number = OF_FOLLOWER;
  return NULL;
}

uint32_t trace_begin(trace_book *book, const dem_simulation *s, uint32_t p, uint32_t q, const jager_contact *present)
{
  uint32_t a = s->ids[p], b = s->ids[q];
  const double radii[2] = {s->bodies[p].radius, s->bodies[q].radius};
  const trace_follower *follower = book->follower;
  trace_life life = {.request = OF_FOLLOWER, .ids = {a < b ? a : b, a < b ? b : a}, .birth = step_of(s), .death = -1};
  const dem_trace *trace = present ? NULL : find_request(book, s, life.ids, &life.request);
  if (trace)
    life.strain = strain_in_stage(s, trace->component);
  if (follower)
    life.followed = follower->begin(follower->context, life.ids, radii, present);
  uint32_t number = trace || life.followed ? add_life(book, &life) : 0;
  if (number == 0 && life.followed)
    follower->end(follower->context, life.followed);
  return number;
}

/* The book's array may move while another thread adds to it; the life itself does not. */
static trace_life *life_of(trace_book *book, uint32_t trace)
{
  pthread_mutex_lock(&book->mutex);
  trace_life *life = book->lives[trace - 1];
  pthread_mutex_unlock(&book->mutex);
  return life;
}

static bool add_sample(trace_life *life, const trace_sample *sample)
{
  if (life->count == life->room) {
    size_t room = life->room + life->room / 2 + 64;
    trace_sample *samples = realloc(life->samples, room * sizeof *samples);
    if (!samples)
      return false;
    life->samples = samples;
    life->room = room;
  }
  life->samples[life->count++] = *sample;
  return true;
}

void trace_move(trace_book *book, uint32_t trace, const dem_simulation *s, double zeta, const double dxi[2],
                const jager_force *force, uint32_t length)
{
  trace_life *life = life_of(book, trace);
  if (life->followed)
    book->follower->move(book->follower->context, life->followed, zeta, dxi, force, length);
  if (life->request == OF_FOLLOWER)
    return;
  const dem_trace *request = &book->run->traces[life->request];
  life->xi[0] += dxi[0];
  life->xi[1] += dxi[1];
  if (step_of(s) % request->every != 0 && step_of(s) != life->birth)
    return;
  trace_sample sample = {.step = (double)step_of(s),
                         .time = s->time + s->dt,
                         .strain = strain_in_stage(s, request->component),
                         .zeta = zeta,
                         .xi1 = life->xi[0],
                         .xi2 = life->xi[1],
                         .fn = force->fn,
                         .ft1 = force->ft[0],
                         .ft2 = force->ft[1],
                         .length = length};
  if (!add_sample(life, &sample)) {
    pthread_mutex_lock(&book->mutex);
    book->is_short = true;
    pthread_mutex_unlock(&book->mutex);
  }
}

/* ---- Ends, and who has lived longest ----------------------------------------------------------------------------- */

static long age_of(const trace_life *life)
{
  return life->death < 0 ? LONG_MAX - life->birth : life->death - life->birth;
}

/* Older first, then nearer to the strain asked for, then by ids: no two are alike. */
static bool comes_first(const trace_life *a, const trace_life *b, double strain)
{
  if (age_of(a) != age_of(b))
    return age_of(a) > age_of(b);
  double near_a = fabs(a->strain - strain), near_b = fabs(b->strain - strain);
  if (near_a < near_b || near_a > near_b)
    return near_a < near_b;
  return a->ids[0] != b->ids[0] ? a->ids[0] < b->ids[0] : a->ids[1] < b->ids[1];
}

/* Of the lives near a strain that have ended, only the longest can be the one: the others go. */
static void drop_losers(trace_book *book, uint32_t request)
{
  double strain = book->run->traces[request].strain;
  size_t best = SIZE_MAX;
  for (size_t k = 0; k < book->count; k++) {
    trace_life *life = book->lives[k];
    if (!life || life->request != request || life->death < 0)
      continue;
    size_t loser = k;
    if (best == SIZE_MAX || comes_first(life, book->lives[best], strain)) {
      loser = best;
      best = k;
    }
    if (loser != SIZE_MAX) {
      life_free(book->lives[loser]);
      book->lives[loser] = NULL;
    }
  }
}

static void end_followed(const trace_book *book, trace_life *life)
{
  if (life->followed)
    book->follower->end(book->follower->context, life->followed);
  life->followed = NULL;
}

void trace_end(trace_book *book, uint32_t trace, const dem_simulation *s)
{
  pthread_mutex_lock(&book->mutex);
  trace_life *life = book->lives[trace - 1];
  life->death = step_of(s);
  end_followed(book, life);
  if (life->request == OF_FOLLOWER) {
    life_free(life);
    book->lives[trace - 1] = NULL;
  } else if (book->run->traces[life->request].kind == DEM_TRACE_BORN)
    drop_losers(book, life->request);
  pthread_mutex_unlock(&book->mutex);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

bool trace_book_is_short(const trace_book *book)
{
  return book->is_short;
}

static const trace_life *longest_life(const trace_book *book, uint32_t request)
{
  const trace_life *best = NULL;
  for (size_t k = 0; k < book->count; k++) {
    const trace_life *life = book->lives[k];
    if (life && life->request == request && (!best || comes_first(life, best, book->run->traces[request].strain)))
      best = life;
  }
  return best;
}

/* Of a pair, the first life born after the given step. */
static const trace_life *life_born_after(const trace_book *book, uint32_t request, long step)
{
  const trace_life *first = NULL;
  for (size_t k = 0; k < book->count; k++) {
    const trace_life *life = book->lives[k];
    if (life && life->request == request && life->birth > step && (!first || life->birth < first->birth))
      first = life;
  }
  return first;
}

const trace_life *trace_book_life(const trace_book *book, uint32_t request, size_t *next)
{
  if (book->run->traces[request].kind == DEM_TRACE_BORN)
    return (*next)++ == 0 ? longest_life(book, request) : NULL;
  const trace_life *life = NULL;
  long step = -1;
  for (size_t k = 0; k <= *next; k++) {
    life = life_born_after(book, request, step);
    if (!life)
      return NULL;
    step = life->birth;
  }
  (*next)++;
  return life;
}

/* ---- Checkpoints ------------------------------------------------------------------------------------------------- */

size_t trace_book_size(const trace_book *book)
{
  return book->count;
}

const trace_life *trace_book_slot(const trace_book *book, size_t slot)
{
  return book->lives[slot];
}

bool trace_book_restore(trace_book *book, size_t slot, const trace_life *life)
{
  while (book->count <= slot)
    if (!grow(book))
      return false;
  if (!life)
    return true;
  trace_life *copy = malloc(sizeof *copy);
  if (!copy)
    return false;
  *copy = *life;
  book->lives[slot] = copy;
  return true;
}
