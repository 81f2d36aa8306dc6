/* SPDX-License-Identifier: MIT */
/*
 * bench/arrays FILE: movements of contacts by loops in C, timed on request, for bench/take_turns.py. python_arrays.py
 * beside it does the same from Python. FILE holds doubles: the number of movements of one contact, zeta and xi of each;
 * then the number of contacts, and zeta and the change of xi of all for some steps. Each line of standard input is a
 * number of rounds; the answer is their time in ns a movement: of one contact if it is odd, of many if it is even. 0
 * asks for a checksum of the forces.
 */
#include "jager/jager.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 8 };

typedef struct data {
  size_t path_count, contact_count;
  double *zeta, *xi;                 /* of the path: xi has two columns */
  double *heights, *shifts[2];       /* of the contacts, STEPS times */
  double *fn, *ft;                   /* of the path */
  double *many_fn, *many_ft[2];      /* of the contacts */
  jager_contact *contacts, **places; /* the contacts, and where they are */
  jager_pool *pool;
  jager_law law;
} data;

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* NULL if there are not so many numbers. */
static double *read_numbers(FILE *file, size_t count)
{
  double *numbers = malloc(count * sizeof *numbers);
  return numbers && fread(numbers, sizeof *numbers, count, file) == count ? numbers : NULL;
}

static size_t read_count(FILE *file)
{
  double count;
  return fread(&count, sizeof count, 1, file) == 1 ? (size_t)count : 0;
}

static int read_data(data *d, const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file)
    return 0;
  d->path_count = read_count(file);
  d->zeta = read_numbers(file, d->path_count);
  d->xi = read_numbers(file, 2 * d->path_count);
  d->contact_count = read_count(file);
  d->heights = read_numbers(file, STEPS * d->contact_count);
  for (int i = 0; i < 2; i++)
    d->shifts[i] = read_numbers(file, STEPS * d->contact_count);
  fclose(file);
  d->fn = calloc(d->path_count, sizeof *d->fn);
  d->ft = malloc(2 * d->path_count * sizeof *d->ft);
  d->many_fn = calloc(d->contact_count, sizeof *d->many_fn);
  for (int i = 0; i < 2; i++)
    d->many_ft[i] = malloc(d->contact_count * sizeof *d->many_ft[i]);
  d->contacts = calloc(d->contact_count, sizeof *d->contacts);
  d->places = malloc(d->contact_count * sizeof(jager_contact *));
  return d->zeta && d->xi && d->heights && d->shifts[0] && d->shifts[1] && d->fn && d->ft && d->many_fn &&
         d->many_ft[0] && d->many_ft[1] && d->contacts && d->places;
}

static int make_contacts(data *d)
{
  d->law = jager_law_default();
  d->pool = jager_pool_create(0);
  int is_made = d->pool && jager_law_set_bodies(&d->law, 29e9, 0.15) == JAGER_OK;
  for (size_t k = 0; is_made && k < d->contact_count; k++) {
    d->places[k] = &d->contacts[k];
    is_made = jager_contact_init(&d->contacts[k], &d->law, 1e-3, 1e-3) == JAGER_OK;
  }
  return is_made;
}

static jager_status walk(data *d)
{
  jager_contact contact = {{0}};
  jager_pool *pool = jager_pool_create(0);
  double at[2] = {0.0, 0.0};
  jager_status status = pool ? jager_contact_init(&contact, &d->law, 1e-3, 1e-3) : JAGER_ERROR_MEMORY;
  for (size_t k = 0; status == JAGER_OK && k < d->path_count; k++) {
    double dxi[2] = {d->xi[2 * k] - at[0], d->xi[2 * k + 1] - at[1]};
    jager_force force;
    status = jager_contact_move(&contact, &d->law, pool, d->zeta[k], dxi, &force);
    memcpy(at, d->xi + 2 * k, sizeof at);
    d->fn[k] = force.fn;
    d->ft[2 * k] = force.ft[0];
    d->ft[2 * k + 1] = force.ft[1];
  }
  jager_pool_destroy(pool);
  return status;
}

static jager_status move_all(data *d, size_t step)
{
  size_t first = step % STEPS * d->contact_count;
  jager_moves moves = {.count = d->contact_count,
                       .contacts = d->places,
                       .zeta = d->heights + first,
                       .dxi = {d->shifts[0] + first, d->shifts[1] + first},
                       .fn = d->many_fn,
                       .ft = {d->many_ft[0], d->many_ft[1]}};
  return jager_contacts_move(&moves, &d->law, d->pool, NULL);
}

static double sum(const double *numbers, size_t count)
{
  double total = 0.0;
  for (size_t k = 0; k < count; k++)
    total += numbers[k];
  return total;
}

/* Times `rounds` rounds; `step` counts the rounds of many contacts. */
static jager_status time_rounds(data *d, long rounds, size_t *step)
{
  int is_path = rounds % 2 == 1;
  double start = seconds();
  jager_status status = JAGER_OK;
  for (long k = 0; status == JAGER_OK && k < rounds; k++)
    status = is_path ? walk(d) : move_all(d, (*step)++);
  printf("%.4f\n", 1e9 * (seconds() - start) / ((double)rounds * (double)(is_path ? d->path_count : d->contact_count)));
  return status;
}

int main(int argc, char *argv[])
{
  data d = {0};
  char line[32];
  size_t step = 0;
  if (argc < 2 || !read_data(&d, argv[1]) || !make_contacts(&d))
    return 1;
  printf("ready\n");
  jager_status status = JAGER_OK;
  for (fflush(stdout); status == JAGER_OK && fgets(line, sizeof line, stdin); fflush(stdout)) {
    long rounds = strtol(line, NULL, 10);
    if (rounds > 0)
      status = time_rounds(&d, rounds, &step);
    else
      printf("%.17g\n", sum(d.fn, d.path_count) + sum(d.many_fn, d.contact_count));
  }
  return status != JAGER_OK; /* the system takes the memory back */
}
