/* SPDX-License-Identifier: MIT */
/* From an elastic network to its stiffness: six strains, each solved without and with the initial stress. */
#include "moduli.h"
#include "averages.h"
#include "base/thread_pool.h"
#include "rattlers.h"
#include "solve.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Up to so many spheres one factor of the whole matrix is fastest. Larger assemblies have many factors of groups: the
 * whole factor grows with the 4/3rd power of the number of spheres or more, and its time with the square.
 */
enum { WHOLE_MAX = 2000, GROUP = 300 };

/* Components of tensors in Voigt's order. */
static const int voigt[MODULI_VOIGT][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

/* ---- One strain -------------------------------------------------------------------------------------------------- */

enum { SOLUTIONS = 2 * MODULI_VOIGT };

/* What the solutions of the six strains share. */
typedef struct computation {
  moduli_operator k[2]; /* without and with the initial stress */
  const moduli_factor *factor;
  moduli_floppy floppy;
  const moduli_settings *settings;
  pthread_t caller;
  moduli_result *result;
  _Atomic double progress[SOLUTIONS]; /* 0 to 1 */
  atomic_long steps;
  moduli_solution solutions[SOLUTIONS];
  error_info errors[MODULI_VOIGT];
  bool done[MODULI_VOIGT];
} computation;

/* One solution among those of the computation. */
typedef struct solution_place {
  computation *of;
  int number;
} solution_place;

/* The residual falls from 1 to the tolerance, more or less evenly in its logarithm. */
static void watch(void *context, double residual)
{
  solution_place *place = context;
  computation *c = place->of;
  double share = residual > 0.0 ? log(residual) / log(MODULI_TOLERANCE) : 1.0, sum = 0.0;
  c->progress[place->number] = fmin(fmax(share, 0.0), 1.0);
  c->steps++;
  if (!c->settings->watcher || !pthread_equal(pthread_self(), c->caller))
    return;
  for (int i = 0; i < SOLUTIONS; i++)
    sum += c->progress[i];
  c->settings->watcher(c->settings->context, sum / SOLUTIONS, c->steps);
}

static void unit_strain(int component, double strain[3][3])
{
  int i = voigt[component][0], j = voigt[component][1];
  memset(strain, 0, 9 * sizeof strain[0][0]);
  strain[i][j] += 0.5; /* an engineering shear strain of 1 ... */
  strain[j][i] += 0.5; /* ... and a normal strain of 1 */
}

/* A column of the stiffness. Rounding, and a state out of equilibrium, leave the stress not quite symmetric. */
static void store_column(moduli_result *result, moduli_kind kind, int component, const double change[3][3])
{
  for (int row = 0; row < MODULI_VOIGT; row++) {
    int i = voigt[row][0], j = voigt[row][1];
    result->stiffness[kind][row][component] = 0.5 * (change[i][j] + change[j][i]);
  }
}

static bool solve_strain(computation *c, int component, double *x, double *f, error_info *error)
{
  double strain[3][3], change[3][3];
  unit_strain(component, strain);
  moduli_operator_stress(&c->k[0], (const double(*)[3])strain, NULL, change);
  store_column(c->result, MODULI_AFFINE, component, (const double(*)[3])change);
  for (int with = 0; with < 2; with++) { /* the solution without is the first guess for that with initial stress */
    solution_place place = {c, 2 * component + with};
    moduli_equations equations = {
        .k = &c->k[with], .factor = c->factor, .floppy = &c->floppy, .f = f, .watcher = watch, .context = &place};
    equations.scale = moduli_operator_load(&c->k[with], (const double(*)[3])strain, f);
    if (!moduli_solve(&equations, x, &c->solutions[place.number], error))
      return false;
    c->progress[place.number] = 1.0;
    moduli_operator_stress(&c->k[with], (const double(*)[3])strain, x, change);
    store_column(c->result, with ? MODULI_STRESSED : MODULI_SPRINGS, component, (const double(*)[3])change);
  }
  return true;
}

static void solve_task(void *context, size_t index)
{
  computation *c = context;
  size_t size = moduli_operator_size(&c->k[0]);
  double *x = calloc(size, sizeof *x), *f = malloc(size * sizeof *f);
  error_info *error = &c->errors[index];
  c->done[index] = x && f ? solve_strain(c, (int)index, x, f, error) : error_out_of_memory(error);
  free(x);
  free(f);
}

/* ---- All strains ------------------------------------------------------------------------------------------------- */

static int thread_count(const moduli_settings *settings)
{
  long processors = settings->threads > 0 ? settings->threads : sysconf(_SC_NPROCESSORS_ONLN);
  return processors < 1 ? 1 : processors > MODULI_VOIGT ? MODULI_VOIGT : (int)processors;
}

static bool solve_all(computation *c, error_info *error)
{
  thread_pool *workers = thread_pool_create(thread_count(c->settings));
  if (!workers)
    return error_out_of_memory(error);
  thread_pool_run(workers, solve_task, c, MODULI_VOIGT);
  thread_pool_destroy(workers);
  for (int i = 0; i < MODULI_VOIGT; i++) {
    if (!c->done[i]) {
      *error = c->errors[i];
      return false;
    }
    for (int with = 0; with < 2; with++) {
      c->result->steps += c->solutions[2 * i + with].steps;
      c->result->residual = fmax(c->result->residual, c->solutions[2 * i + with].residual);
    }
  }
  return true;
}

static bool solve(moduli_result *result, const moduli_network *network, const moduli_settings *settings,
                  error_info *error)
{
  computation *c = calloc(1, sizeof *c);
  if (!c)
    return error_out_of_memory(error);
  c->k[0] = moduli_operator_of(network, false);
  c->k[1] = moduli_operator_of(network, true);
  c->settings = settings;
  c->caller = pthread_self();
  c->result = result;
  moduli_factor *factor = moduli_factor_create(&c->k[0], network->sphere_count <= WHOLE_MAX ? WHOLE_MAX : GROUP, error);
  c->factor = factor;
  bool done = factor && moduli_floppy_find(&c->floppy, &c->k[0], error) && solve_all(c, error);
  result->floppy = c->floppy.count;
  moduli_floppy_free(&c->floppy);
  moduli_factor_destroy(factor);
  free(c);
  return done;
}

/* ---- Everything else --------------------------------------------------------------------------------------------- */

static void describe_stress(moduli_result *result, const moduli_network *network)
{
  double stress[3][3];
  moduli_network_stress(network, stress);
  for (int k = 0; k < MODULI_VOIGT; k++)
    result->stress[k] = 0.5 * (stress[voigt[k][0]][voigt[k][1]] + stress[voigt[k][1]][voigt[k][0]]);
  result->p = (stress[0][0] + stress[1][1] + stress[2][2]) / 3.0;
}

static void describe_stiffness(moduli_result *result)
{
  for (int kind = 0; kind < MODULI_KINDS; kind++)
    result->averages[kind] = moduli_averages_of((const double(*)[MODULI_VOIGT])result->stiffness[kind]);
  result->waves = moduli_waves_of((const double(*)[MODULI_VOIGT])result->stiffness[MODULI_STRESSED], result->stress,
                                  result->density);
  result->resisted = moduli_positive_pivots((const double(*)[MODULI_VOIGT])result->stiffness[MODULI_SPRINGS]);
  result->is_stable =
      moduli_positive_pivots((const double(*)[MODULI_VOIGT])result->stiffness[MODULI_STRESSED]) == MODULI_VOIGT;
}

bool moduli_compute(moduli_result *result, moduli_network *network, const moduli_settings *settings, error_info *error)
{
  *result = (moduli_result){
      .spheres = network->sphere_count, .density = network->density, .unbalanced = moduli_network_unbalanced(network)};
  if (result->unbalanced < 0.0)
    return error_out_of_memory(error);
  describe_stress(result, network);
  if (!moduli_rattlers_remove(network, &result->rattlers, error))
    return false;
  result->contacts = network->contact_count;
  if (network->contact_count == 0)
    return error_set(error, "no contact carries load: the assembly has no stiffness");
  if (!solve(result, network, settings, error))
    return false;
  describe_stiffness(result);
  return true;
}
