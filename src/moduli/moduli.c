/* SPDX-License-Identifier: MIT */
/* From an elastic network to its stiffness: six strains, each solved without and with the initial stress. */
#include "moduli.h"
#include "base/thread_pool.h"
#include "solve.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Up to so many grains one factor of the whole matrix is fastest. Larger assemblies have many factors of groups: the
 * whole factor grows with the 4/3rd power of the number of grains or more, and its time with the square.
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
  double *of_springs[MODULI_VOIGT];     /* the solutions of the springs */
  double stiffness_along[MODULI_VOIGT]; /* f·x / x·x of these */
  error_info errors[MODULI_VOIGT];
  bool done[MODULI_VOIGT];
} computation;

/* One of the solutions. */
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
    moduli_equations equations = {.k = &c->k[with],
                                  .factor = c->factor,
                                  .floppy = &c->floppy,
                                  .f = f,
                                  .watcher = watch,
                                  .context = &place,
                                  .stop = c->settings->stop};
    equations.scale = moduli_operator_load(&c->k[with], (const double(*)[3])strain, f);
    if (!moduli_solve(&equations, x, &c->solutions[place.number], error))
      return false;
    c->progress[place.number] = 1.0;
    if (!with) { /* kept for the softest movement; in lattices, which move with the cell, x is rounding */
      size_t size = moduli_operator_size(equations.k);
      double force = sqrt(moduli_dot(f, f, size)), stiffness = moduli_dot(f, x, size) / moduli_dot(x, x, size);
      memcpy(c->of_springs[component], x, size * sizeof *x);
      c->stiffness_along[component] = force > 1e-9 * equations.scale ? stiffness : INFINITY;
    }
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

static bool solve_all(computation *c, error_info *error)
{
  long threads = c->settings->threads > 0 ? c->settings->threads : sysconf(_SC_NPROCESSORS_ONLN);
  thread_pool *workers = thread_pool_create(threads < 1 ? 1 : threads > MODULI_VOIGT ? MODULI_VOIGT : (int)threads);
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

/*
 * The trace of a contact's part of K0, Gᵀ D G. With the contact point at r from a centroid, the rotations of that grain
 * add kt 2 (n·r)² + (kn + kt) |n × r|², over a².
 */
static double trace_of(const moduli_operator *k, const moduli_contact *c)
{
  double square = k->length * k->length;
  double along_p = vec3_dot(c->n, c->center_p), along_q = vec3_dot(c->n, c->center_q);
  double across = (vec3_dot(c->center_p, c->center_p) - along_p * along_p +
                   (vec3_dot(c->center_q, c->center_q) - along_q * along_q)) /
                  square;
  along_p += c->arm_p;
  along_q -= c->arm_q;
  double along = (along_p * along_p + along_q * along_q) / square;
  return 2.0 * (c->kn + 2.0 * c->kt) + 2.0 * c->kt * along + (c->kn + c->kt) * across;
}

/* The mean diagonal entry of K0, over all unknowns, and the mean of Fn/d. */
static void find_scales(const moduli_operator *k, double *stiffness, double *of_stress)
{
  const moduli_network *network = k->network;
  double sum = 0.0, stress = 0.0;
  for (size_t i = 0; i < network->contact_count; i++) {
    const moduli_contact *c = &network->contacts[i];
    sum += trace_of(k, c);
    stress += c->fn / c->distance;
  }
  *stiffness = sum / (double)moduli_operator_size(k);
  *of_stress = stress / (double)network->contact_count;
}

/*
 * The softest movement: y of K0 y = M x for the softest of the solutions x, a step of inverse iteration towards the
 * slowest vibration. x has no momentum along anything that K0 does not resist, so that there is a solution.
 */
static bool find_softest(computation *c, double *y, double *f, error_info *error)
{
  moduli_soft_movement *softest = &c->result->softest;
  size_t size = moduli_operator_size(&c->k[0]);
  double mean, of_stress, strain[3][3], *momentum = f;
  int j = 0;
  for (int i = 1; i < MODULI_VOIGT; i++)
    if (c->stiffness_along[i] < c->stiffness_along[j])
      j = i;
  find_scales(&c->k[0], &mean, &of_stress);
  *softest = (moduli_soft_movement){.stiffness = NAN, .stress_stiffness = of_stress / mean, .strain = j};
  if (isinf(c->stiffness_along[j]))
    return true;
  moduli_floppy_momentum(&c->k[0], c->of_springs[j], momentum);
  moduli_solution solution;
  moduli_equations equations = {
      .k = &c->k[0], .factor = c->factor, .floppy = &c->floppy, .f = momentum, .stop = c->settings->stop};
  equations.scale = sqrt(moduli_dot(momentum, momentum, size)) * mean / c->stiffness_along[j]; /* of contact forces */
  if (!moduli_solve(&equations, y, &solution, error)) {
    bool is_stopped = equations.stop && atomic_load(equations.stop) != 0;
    return !is_stopped && !error->out_of_memory; /* otherwise K0 is singular */
  }
  double energy = moduli_dot(momentum, y, size);
  unit_strain(j, strain);
  moduli_operator_load(&c->k[0], (const double(*)[3])strain, f);
  double work = moduli_dot(f, y, size), taken = work * work / energy / c->k[0].network->volume;
  softest->stiffness = energy / moduli_dot(y, y, size) / mean;
  softest->share = taken / c->result->stiffness[MODULI_SPRINGS][j][j];
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
  size_t size = moduli_operator_size(&c->k[0]);
  double *vectors = calloc((MODULI_VOIGT + 2) * size, sizeof *vectors);
  for (size_t i = 0; vectors && i < MODULI_VOIGT; i++)
    c->of_springs[i] = vectors + i * size;
  moduli_factor *factor = moduli_factor_create(&c->k[0], network->grain_count <= WHOLE_MAX ? WHOLE_MAX : GROUP, error);
  c->factor = factor;
  bool done = factor && (vectors || error_out_of_memory(error)) && moduli_floppy_find(&c->floppy, &c->k[0], error) &&
              solve_all(c, error) &&
              find_softest(c, vectors + MODULI_VOIGT * size, vectors + (MODULI_VOIGT + 1) * size, error);
  result->floppy = c->floppy.count;
  free(vectors);
  moduli_floppy_free(&c->floppy);
  moduli_factor_destroy(factor);
  free(c);
  return done;
}

/* ---- Everything else --------------------------------------------------------------------------------------------- */

bool moduli_springs_are_doubtful(const moduli_result *result)
{
  const moduli_soft_movement *softest = &result->softest;
  return softest->stiffness < 0.1 * softest->stress_stiffness && softest->share > 1e-3;
}

bool moduli_compute(moduli_result *result, moduli_network *network, const moduli_settings *settings, error_info *error)
{
  *result = (moduli_result){.spheres = network->sphere_count,
                            .grains = network->grain_count,
                            .has_clumps = network->gyration != NULL,
                            .density = network->density,
                            .unbalanced = moduli_network_unbalanced(network)};
  if (result->unbalanced < 0.0)
    return error_out_of_memory(error);
  double stress[3][3];
  moduli_network_stress(network, stress);
  for (int k = 0; k < MODULI_VOIGT; k++)
    result->stress[k] = 0.5 * (stress[voigt[k][0]][voigt[k][1]] + stress[voigt[k][1]][voigt[k][0]]);
  result->p = (stress[0][0] + stress[1][1] + stress[2][2]) / 3.0;
  if (!moduli_rattlers_remove(network, &result->rattlers, error))
    return false;
  result->contacts = network->contact_count;
  if (network->contact_count == 0)
    return error_set(error, "no contact carries load: the assembly has no stiffness");
  if (!solve(result, network, settings, error))
    return false;
  typedef const double stiffness_row[MODULI_VOIGT];
  stiffness_row *springs = (stiffness_row *)result->stiffness[MODULI_SPRINGS];
  stiffness_row *stressed = (stiffness_row *)result->stiffness[MODULI_STRESSED];
  for (int kind = 0; kind < MODULI_KINDS; kind++)
    result->averages[kind] = moduli_averages_of((stiffness_row *)result->stiffness[kind]);
  result->waves = moduli_waves_of(stressed, result->stress, result->density);
  result->resisted = moduli_positive_pivots(springs);
  result->is_stable = moduli_positive_pivots(stressed) == MODULI_VOIGT;
  return true;
}

/* ---- Averages, waves, pivots ------------------------------------------------------------------------------------- */

#define PIVOT_LEAST 1e-9

moduli_averages moduli_averages_of(const double stiffness[MODULI_VOIGT][MODULI_VOIGT])
{
  double diagonal = 0.0, others = 0.0, shears = 0.0, square = 0.0;
  for (int i = 0; i < 3; i++) {
    diagonal += stiffness[i][i];
    others += 0.5 * (stiffness[i][(i + 1) % 3] + stiffness[(i + 1) % 3][i]);
    shears += stiffness[i + 3][i + 3];
  }
  double bulk = (diagonal + 2.0 * others) / 9.0, shear = (diagonal - others + 3.0 * shears) / 15.0;
  for (int i = 0; i < MODULI_VOIGT; i++)
    for (int j = 0; j < MODULI_VOIGT; j++) {
      bool both_normal = i < 3 && j < 3;
      double isotropic = both_normal ? bulk - 2.0 / 3.0 * shear + (i == j ? 2.0 * shear : 0.0) : i == j ? shear : 0.0;
      double weight = (i < 3 ? 1.0 : 2.0) * (j < 3 ? 1.0 : 2.0); /* components of the tensor that are equal */
      square += weight * (stiffness[i][j] - isotropic) * (stiffness[i][j] - isotropic);
    }
  double sum = 3.0 * bulk + shear, norm = sqrt(9.0 * bulk * bulk + 20.0 * shear * shear);
  return (moduli_averages){.bulk = bulk,
                           .shear = shear,
                           .young = sum != 0.0 ? 9.0 * bulk * shear / sum : 0.0,
                           .poisson = sum != 0.0 ? (3.0 * bulk - 2.0 * shear) / (2.0 * sum) : 0.0,
                           .anisotropy = norm > 0.0 ? sqrt(square) / norm : 0.0};
}

static double velocity(double modulus, double density)
{
  return modulus > 0.0 ? sqrt(modulus / density) : 0.0;
}

moduli_waves moduli_waves_of(const double stiffness[MODULI_VOIGT][MODULI_VOIGT], const double stress[MODULI_VOIGT],
                             double density)
{
  moduli_waves waves;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int shear = 6 - i - j; /* yz, xz, xy are 3, 4, 5 */
      waves.p[i] = velocity(stiffness[i][i], density);
      waves.s[i][j] = i == j ? 0.0 : velocity(stiffness[shear][shear] + 0.5 * (stress[j] - stress[i]), density);
    }
  return waves;
}

/* Gauss' elimination with the largest pivot of the diagonal. */
int moduli_positive_pivots(const double stiffness[MODULI_VOIGT][MODULI_VOIGT])
{
  double a[MODULI_VOIGT][MODULI_VOIGT], least = 0.0;
  bool is_used[MODULI_VOIGT] = {false};
  for (int i = 0; i < MODULI_VOIGT; i++)
    for (int j = 0; j < MODULI_VOIGT; j++)
      a[i][j] = 0.5 * (stiffness[i][j] + stiffness[j][i]);
  for (int i = 0; i < MODULI_VOIGT; i++)
    least = fmax(least, PIVOT_LEAST * fabs(a[i][i]));
  for (int count = 0; count < MODULI_VOIGT; count++) {
    int pivot = -1;
    for (int i = 0; i < MODULI_VOIGT; i++)
      if (!is_used[i] && (pivot < 0 || a[i][i] > a[pivot][pivot]))
        pivot = i;
    if (!(a[pivot][pivot] > least))
      return count;
    is_used[pivot] = true;
    for (int i = 0; i < MODULI_VOIGT; i++)
      for (int j = 0; j < MODULI_VOIGT; j++)
        if (!is_used[i] && !is_used[j])
          a[i][j] -= a[i][pivot] * a[pivot][j] / a[pivot][pivot];
  }
  return MODULI_VOIGT;
}

/* ---- Powers: least squares in logarithmic axes ------------------------------------------------------------------- */

moduli_fit moduli_fit_power(const double x[], const double y[], int count)
{
  double u = 0.0, v = 0.0, uu = 0.0, uv = 0.0, scatter = 0.0;
  for (int i = 0; i < count; i++) {
    u += log(x[i]) / count;
    v += log(y[i]) / count;
  }
  for (int i = 0; i < count; i++) {
    uu += (log(x[i]) - u) * (log(x[i]) - u);
    uv += (log(x[i]) - u) * (log(y[i]) - v);
  }
  moduli_fit fit = {.exponent = uv / uu, .factor = exp(v - uv / uu * u)};
  for (int i = 0; i < count; i++) {
    double off = log(y[i]) - v - fit.exponent * (log(x[i]) - u);
    scatter += off * off;
  }
  fit.standard_error = count > 2 ? sqrt(scatter / (count - 2) / uu) : 0.0;
  return fit;
}
