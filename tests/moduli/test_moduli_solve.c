/* SPDX-License-Identifier: MIT */
/*
 * The iteration on a lattice of springs of random stiffness.
 *
 * Oracles: a solution x known beforehand, and its forces K x; forces that no movement can balance. Seeds: 1 and 2.
 */
#include "moduli_support.h"

#include "moduli/operator.h"
#include "moduli/solve.h"

#include <pthread.h>

enum { BEFORE_RESTART = 40, SOFT_PAIRS = 3 };

#define SOFT 1e-7

typedef struct problem {
  dem_simulation *simulation;
  moduli_network network;
  moduli_operator k;
  moduli_floppy floppy;
  moduli_factor *factor;
  size_t size;
  double *x, *f, *kx, *known;
} problem;

/*
 * Up to `most` pairs of neighbours become loose: their contacts with other spheres lose their stiffness but for the
 * share `soft`. Returns the number of pairs.
 */
static int soften_around_pairs(moduli_network *network, int most, double soft)
{
  uint32_t *partner = calloc(network->grain_count, sizeof *partner); /* number of the partner, plus 1; 0: none */
  int count = 0;
  ck_assert_ptr_nonnull(partner);
  for (size_t i = 0; i < network->contact_count && count < most; i++) {
    const moduli_contact *c = &network->contacts[i];
    if (partner[c->p] || partner[c->q])
      continue;
    partner[c->p] = c->q + 1;
    partner[c->q] = c->p + 1;
    count++;
  }
  for (size_t i = 0; i < network->contact_count; i++) {
    moduli_contact *c = &network->contacts[i];
    if ((partner[c->p] || partner[c->q]) && partner[c->p] != c->q + 1) {
      c->kn *= soft;
      c->kt *= soft;
    }
  }
  free(partner);
  return count;
}

/*
 * The factors have groups of `group_spheres` spheres: small groups need many steps. Without friction nothing resists
 * torques. `soft_pairs` pairs are loose.
 */
static problem make_problem(size_t group_spheres, bool has_friction, int soft_pairs)
{
  dem_case run = dem_still_case(1e-7);
  uint64_t seed = 1;
  error_info error = {.text = ""};
  run.assembly.source = DEM_SOURCE_LATTICE;
  run.assembly.lattice = (dem_lattice){.kind = DEM_LATTICE_FCC, .cells = {3, 3, 3}, .radius = 1e-3, .overlap = 1e-4};
  problem p = {.simulation = dem_create(&run, 1)};
  p.network = network_of(p.simulation);
  double spread = soft_pairs > 0 ? -0.3 : -3.0; /* decades: the pairs shall be what is difficult */
  for (size_t i = 0; i < p.network.contact_count; i++) {
    p.network.contacts[i].kn *= pow(10.0, random_in(&seed, spread, 0.0));
    p.network.contacts[i].kt *= has_friction ? pow(10.0, random_in(&seed, spread, 0.0)) : 0.0;
  }
  ck_assert_int_eq(soften_around_pairs(&p.network, soft_pairs, SOFT), soft_pairs);
  p.network.friction = has_friction ? 0.5 : 0.0;
  p.k = moduli_operator_of(&p.network, false);
  ck_assert(moduli_floppy_find(&p.floppy, &p.k, &error));
  p.factor = moduli_factor_create(&p.k, group_spheres, &error);
  p.size = moduli_operator_size(&p.k);
  p.x = calloc(4 * p.size, sizeof *p.x);
  ck_assert(p.factor && p.x);
  p.f = p.x + p.size;
  p.kx = p.f + p.size;
  p.known = p.kx + p.size;
  return p;
}

static void free_problem(problem *p)
{
  moduli_factor_destroy(p->factor);
  moduli_floppy_free(&p->floppy);
  free(p->x);
  moduli_network_free(&p->network);
  dem_simulation_destroy(p->simulation);
}

static void count_step(void *context, double residual)
{
  ck_assert(isfinite(residual));
  ++*(int *)context;
}

/* Forces of a known movement; `extra` is a torque on each sphere. */
static bool solve(problem *p, double extra, moduli_solution *solution, error_info *error)
{
  uint64_t seed = 2;
  int watched = 0;
  for (size_t i = 0; i < p->size; i++)
    p->known[i] = random_in(&seed, -1.0, 1.0);
  moduli_operator_apply(&p->k, p->known, p->f);
  double scale = length_of(p->f, p->size);
  for (size_t i = 3; i < p->size; i += MODULI_UNKNOWNS)
    p->f[i] += extra * scale;
  moduli_equations equations = {.k = &p->k, .factor = p->factor, .floppy = &p->floppy, .f = p->f, .scale = scale};
  equations.watcher = count_step;
  equations.context = &watched;
  bool is_solved = moduli_solve(&equations, p->x, solution, error);
  ck_assert_int_eq(watched, solution->steps);
  moduli_operator_apply(&p->k, p->x, p->kx);
  for (size_t i = 0; i < p->size; i++)
    p->kx[i] -= p->f[i];
  assert_within(length_of(p->kx, p->size) / scale, solution->residual, 1e-14);
  return is_solved;
}

TEST(restarts_reach_the_tolerance)
{
  error_info error = {.text = ""};
  moduli_solution solution;
  for (size_t group = 1; group <= 1000; group *= 1000) {
    problem p = make_problem(group, true, 0);
    ck_assert_msg(solve(&p, 0.0, &solution, &error), "%s", error.text);
    ck_assert_double_le(solution.residual, MODULI_TOLERANCE);
    if (group == 1)
      ck_assert_int_gt(solution.steps, BEFORE_RESTART);
    else
      ck_assert_int_le(solution.steps, 10);
    free_problem(&p);
  }
}

/*
 * Each pair can move and turn as one against weak springs, but no factor of one sphere shows that. An iteration that
 * forgets such movements at a restart gets stuck. The known movement is found again, up to a shift of all spheres.
 */
TEST(soft_movements_across_groups_are_kept_at_restarts)
{
  error_info error = {.text = ""};
  moduli_solution solution;
  problem p = make_problem(1, true, SOFT_PAIRS);
  ck_assert_msg(solve(&p, 0.0, &solution, &error), "%s", error.text);
  ck_assert_double_le(solution.residual, MODULI_TOLERANCE);
  double length = length_of(p.known, p.size);
  for (size_t i = 0; i < p.size; i++)
    p.known[i] -= p.x[i];
  moduli_floppy_hold(&p.floppy, p.known);
  double error_of_x = length_of(p.known, p.size) / length;
  printf("soft movements: %d steps, the known movement within %.1e\n", solution.steps, error_of_x);
  ck_assert_double_le(error_of_x, 1e-5);
  free_problem(&p);
}

/* A torque acts on each sphere, and nothing resists: there is no balance, and the solver stops. */
TEST(forces_without_balance_are_given_up)
{
  error_info error = {.text = ""};
  moduli_solution solution;
  problem p = make_problem(1, false, 0);
  ck_assert(!solve(&p, 0.01, &solution, &error));
  ck_assert_msg(strncmp(error.text, "the equations of equilibrium could not be solved: after ", 56) == 0, "%s",
                error.text);
  ck_assert_int_le(solution.steps, 20 * BEFORE_RESTART);
  double least = 0.01 * sqrt((double)p.size / MODULI_UNKNOWNS); /* what no movement can balance */
  ck_assert(solution.residual >= (1.0 - 1e-9) * least && solution.residual <= 1.5 * least);
  free_problem(&p);
}

/* ---- Watching a whole computation -------------------------------------------------------------------------------- */

typedef struct watched {
  pthread_t caller;
  long calls, stop_at; /* stop_at 0: never */
  double fraction;
  atomic_int stop;
} watched;

static void look(void *context, double fraction, long steps)
{
  watched *w = context;
  ck_assert(pthread_equal(pthread_self(), w->caller));
  ck_assert_int_gt(steps, w->calls); /* the steps of other threads count, too */
  w->calls++;
  ck_assert(fraction >= w->fraction && fraction <= 1.0);
  w->fraction = fraction;
  if (w->calls == w->stop_at)
    atomic_store(&w->stop, 1);
}

static bool compute_watched(const problem *p, int threads, watched *w, error_info *error)
{
  moduli_network network = network_copy(&p->network);
  moduli_settings settings = {.threads = threads, .watcher = look, .context = w, .stop = &w->stop};
  moduli_result result;
  w->caller = pthread_self();
  bool done = moduli_compute(&result, &network, &settings, error);
  moduli_network_free(&network);
  return done;
}

TEST(a_computation_is_watched_and_stopped)
{
  problem p = make_problem(1000, true, 0);
  error_info error = {.text = ""};
  for (int threads = 1; threads <= 3; threads++) {
    watched w = {.calls = 0};
    ck_assert_msg(compute_watched(&p, threads, &w, &error), "%s", error.text);
    if (threads == 1)
      ck_assert(w.calls >= 12 && w.fraction > 11.0 / 12.0); /* of 12 solutions all but the last are complete */
  }
  watched w = {.stop_at = 3};
  ck_assert(!compute_watched(&p, 1, &w, &error));
  ck_assert_int_eq(w.calls, 3);
  ck_assert(!error.out_of_memory);
  w = (watched){.stop = 1};
  ck_assert(!compute_watched(&p, 1, &w, &error));
  ck_assert_int_eq(w.calls, 0);
  free_problem(&p);
}
