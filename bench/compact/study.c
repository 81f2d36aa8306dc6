/* SPDX-License-Identifier: MIT */
/*
 * bench/compact/study: errors of contacts of fixed size in an assembly.
 *
 *     study twins CASE.yaml [KEY=VALUE]...     errors and bounds of the tangential force, over all movements
 *     study loops CASE.yaml [KEY=VALUE]...     modulus and damping of the last cycle of simple shear xz
 *
 * The case runs with exact contacts. In its last stage contacts have twins that make the same movements: of fixed size
 * with several numbers of points, and of the library with a tolerance or dp_max. `twins` follows one contact in four,
 * `loops` all of them: there the stress of the twins is the assembly's with their tangential forces in place of the
 * exact ones, so that modulus and damping differ by the contacts alone and not by another motion.
 */
#include "dem/snapshot.h"
#include "dem/trace.h"
#include "last_stage.h"
#include "variant.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A way to keep a history: a variant of jager/compact.h, or the library's contact with a tolerance or dp_max over f */
typedef struct way {
  const char *name;
  double tolerance, dp_max;
  bool in_library;
} way;

static const way ways[] = {{"4", 0, 0, false},
                           {"6", 0, 0, false},
                           {"8", 0, 0, false},
                           {"10", 0, 0, false},
                           {"12", 0, 0, false},
                           {"16", 0, 0, false},
                           {"20", 0, 0, false},
                           {"24", 0, 0, false},
                           {"8 stored single", 0, 0, false},
                           {"16 stored single", 0, 0, false},
                           {"8 single", 0, 0, false},
                           {"16 single", 0, 0, false},
                           {"tolerance 1e-4", 1e-4, 0, true},
                           {"tolerance 1e-3", 1e-3, 0, true},
                           {"tolerance 1e-2", 1e-2, 0, true},
                           {"dp_max 0.1 f", 0, 0.1, true},
                           {"dp_max 0.2 f", 0, 0.2, true}};

enum { WAYS = sizeof ways / sizeof ways[0], SHARE = 4, HISTORY_ROOM = 20000, LOOKS_MAX = 20000 };

typedef struct sums {
  double error, error_max, bound, bound_max, beyond; /* over f Fn; share of movements with an error above the bound */
  double bytes, looks;
} sums;

/* A followed contact: the last forces of all its twins, and the exact one */
typedef struct twin {
  uint32_t ids[2];
  double stiffness;
  jager_force exact, forces[WAYS];
  double ft[2], global[3], vote; /* of the last look: which way round the local axes are */
  jager_contact contacts[WAYS];
  char *compact[WAYS];
  struct twin *next;
} twin;

typedef struct study {
  dem_trace_follower follower;
  jager_law law, laws[WAYS];
  const compact_variant *variants[WAYS];
  jager_pool *pools[WAYS];
  bool follows_all, failed;
  sums sums[WAYS];
  double movements, count;
  twin *first;
} study;

static int fail_with_text(const char *text)
{
  fprintf(stderr, "study: %s\n", text);
  return EXIT_FAILURE;
}

/* ---- Twins ------------------------------------------------------------------------------------------------------- */

static bool is_chosen(const study *s, const uint32_t ids[2])
{
  uint64_t mixed = ((uint64_t)ids[0] << 32 | ids[1]) * 0x9E3779B97F4A7C15u;
  return s->follows_all || (mixed >> 40) % SHARE == 0;
}

static void move_one(study *s, twin *t, int k, double zeta, const double dxi[2])
{
  if (ways[k].in_library)
    s->failed |= jager_contact_move(&t->contacts[k], &s->laws[k], s->pools[k], zeta, dxi, &t->forces[k]) != JAGER_OK;
  else
    s->failed |= s->variants[k]->move(&s->law, t->compact[k], t->stiffness, zeta, dxi, &t->forces[k]) != 0;
}

/* The twins of an existing contact move straight from point to point of its history. */
static void catch_up(study *s, twin *t, const jager_contact *present)
{
  static jager_point points[HISTORY_ROOM];
  if (jager_contact_history(present, &s->law, points, HISTORY_ROOM) != JAGER_OK) {
    s->failed = true;
    return;
  }
  for (uint32_t i = 1; i < jager_contact_length(present); i++) {
    const double rise = s->law.kappa * (points[i].zeta - points[i - 1].zeta);
    const double dxi[2] = {points[i].p[0] * rise, points[i].p[1] * rise};
    for (int k = 0; k < WAYS; k++)
      move_one(s, t, k, points[i].zeta, dxi);
  }
}

static void *begin(void *context, const uint32_t ids[2], const double radii[2], const jager_contact *present)
{
  study *s = context;
  twin *t = is_chosen(s, ids) ? calloc(1, sizeof *t) : NULL;
  jager_contact exact = {0};
  if (!t)
    return NULL;
  s->failed |= jager_contact_init(&exact, &s->law, radii[0], radii[1]) != JAGER_OK;
  t->stiffness = jager_contact_coefficient(&exact);
  t->ids[0] = ids[0];
  t->ids[1] = ids[1];
  for (int k = 0; k < WAYS; k++)
    if (ways[k].in_library)
      s->failed |= jager_contact_init(&t->contacts[k], &s->laws[k], radii[0], radii[1]) != JAGER_OK;
    else
      t->compact[k] = calloc(1, s->variants[k]->bytes);
  if (present)
    catch_up(s, t, present);
  t->next = s->first;
  s->first = t;
  s->count++;
  return t;
}

static void add_error(study *s, const twin *t, int k)
{
  const double limit = s->law.friction * t->exact.fn;
  const double error = hypot(t->forces[k].ft[0] - t->exact.ft[0], t->forces[k].ft[1] - t->exact.ft[1]) / limit;
  const double bound = ways[k].in_library ? 0.0 : s->variants[k]->error(&s->law, t->compact[k]) / limit;
  sums *to = &s->sums[k];
  to->error += error;
  to->error_max = fmax(to->error_max, error);
  to->bound += bound;
  to->bound_max = fmax(to->bound_max, bound);
  to->beyond += error > bound + 1e-9;
}

static void move(void *context, void *own, double zeta, const double dxi[2], const jager_force *force, uint32_t length)
{
  study *s = context;
  twin *t = own;
  (void)length;
  t->exact = *force;
  s->movements += force->fn > 0.0;
  for (int k = 0; k < WAYS; k++) {
    move_one(s, t, k, zeta, dxi);
    if (force->fn > 0.0)
      add_error(s, t, k);
  }
}

static void end(void *context, void *own)
{
  study *s = context;
  twin *t = own;
  twin **link = &s->first;
  while (*link != t)
    link = &(*link)->next;
  *link = t->next;
  s->count--;
  for (int k = 0; k < WAYS; k++) {
    jager_contact_release(&t->contacts[k], s->pools[k]);
    free(t->compact[k]);
  }
  free(t);
}

static bool study_init(study *s, const jager_law *law, bool follows_all)
{
  memset(s, 0, sizeof *s);
  s->law = *law;
  s->follows_all = follows_all;
  s->follower = (dem_trace_follower){.context = s, .begin = begin, .move = move, .end = end};
  for (int k = 0; k < WAYS; k++) {
    s->laws[k] = *law;
    s->variants[k] = compact_variant_named(ways[k].name);
    s->pools[k] = jager_pool_create(0);
    if (!s->pools[k] || (!ways[k].in_library && !s->variants[k]) ||
        jager_law_set_tolerance(&s->laws[k], ways[k].tolerance) != JAGER_OK ||
        jager_law_set_dp_max(&s->laws[k], ways[k].dp_max * law->friction) != JAGER_OK)
      return false;
  }
  return true;
}

static void look_at_bytes(study *s)
{
  for (int k = 0; k < WAYS; k++) {
    double pool = ways[k].in_library ? (double)jager_pool_bytes_in_use(s->pools[k]) / s->count : 0.0;
    s->sums[k].bytes += ways[k].in_library ? (double)sizeof(jager_contact) + pool : (double)s->variants[k]->bytes;
    s->sums[k].looks++;
  }
}

static void report_twins(const study *s)
{
  printf(
      "# %.3g movements; |Ft - exact| and the bound over f Fn: mean and largest; share with an error above the bound; "
      "mean bytes of a contact\n",
      s->movements);
  printf("%-18s %8s %10s %10s %10s %10s %10s\n", "way", "bytes", "error", "largest", "bound", "largest", "beyond");
  for (int k = 0; k < WAYS; k++) {
    const sums *of = &s->sums[k];
    printf("%-18s %8.0f %10.2e %10.2e", ways[k].name, of->bytes / of->looks, of->error / s->movements, of->error_max);
    if (ways[k].in_library)
      printf(" %10s %10s %10s\n", "-", "-", "-");
    else
      printf(" %10.2e %10.2e %10.1e\n", of->bound / s->movements, of->bound_max, of->beyond / s->movements);
  }
}

/* ---- Loops ------------------------------------------------------------------------------------------------------- */

/* Stress over strain, of the exact contacts and of each way */
typedef struct loop {
  int count;
  double gamma[LOOKS_MAX], stress[WAYS + 1][LOOKS_MAX];
} loop;

static void cross(const double a[3], const double b[3], double to[3])
{
  for (int i = 0; i < 3; i++)
    to[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/*
 * The tangential force of the twin in space, minus the exact one. The exact force is known in the contact's axes (s)
 * and in space (g), which gives the direction of the axes: a s + b (s rotated by 90°) is a g + b (g rotated) in space.
 * Two looks in sequence show whether the axes rotate with the normal or against it.
 */
static void difference_in_space(const twin *t, int k, const double g[3], const double turned[3], double to[3])
{
  const double *s = t->exact.ft, *f = t->forces[k].ft, square = s[0] * s[0] + s[1] * s[1];
  const double a = square > 0.0 ? (f[0] * s[0] + f[1] * s[1]) / square - 1.0 : 0.0;
  const double b = square > 0.0 ? (f[1] * s[0] - f[0] * s[1]) / square : 0.0;
  const double sign = t->vote > 0.0 ? 1.0 : t->vote < 0.0 ? -1.0 : 0.0;
  for (int i = 0; i < 3; i++)
    to[i] = a * g[i] + sign * b * turned[i];
}

static void vote(twin *t, const double g[3], const double turned[3])
{
  const double local = t->ft[0] * t->exact.ft[1] - t->ft[1] * t->exact.ft[0];
  const double space = t->global[0] * turned[0] + t->global[1] * turned[1] + t->global[2] * turned[2];
  t->vote -= local * space; /* turned = n × g: g0 · (n × g) is minus the angle from g0 to g */
  memcpy(t->global, g, sizeof t->global);
  memcpy(t->ft, t->exact.ft, sizeof t->ft);
}

static int compare_twins(const void *a, const void *b)
{
  const twin *x = *(twin *const *)a, *y = *(twin *const *)b;
  if (x->ids[0] != y->ids[0])
    return x->ids[0] < y->ids[0] ? -1 : 1;
  return x->ids[1] < y->ids[1] ? -1 : x->ids[1] > y->ids[1];
}

/* Twins in the order of the contacts of a snapshot */
static twin **sort_twins(const study *s)
{
  twin **sorted = malloc(sizeof *sorted * ((size_t)s->count + 1));
  size_t n = 0;
  for (twin *t = s->first; sorted && t; t = t->next)
    sorted[n++] = t;
  if (sorted)
    qsort(sorted, n, sizeof *sorted, compare_twins);
  return sorted;
}

static void add_stress(twin *t, const dem_contact_view *at, double volume, double stress[WAYS])
{
  double g[3], turned[3], d[3];
  for (int i = 0; i < 3; i++)
    g[i] = at->force[i] - at->fn * at->normal[i];
  cross(at->normal, g, turned);
  vote(t, g, turned);
  for (int k = 0; k < WAYS; k++) {
    difference_in_space(t, k, g, turned, d);
    stress[k] += 0.5 * (at->branch[0] * d[2] + at->branch[2] * d[0]) / volume;
  }
}

static int look_at_stress(const dem_simulation *simulation, const study *s, loop *to)
{
  dem_measures m;
  dem_snapshot shot;
  double stress[WAYS] = {0.0};
  twin **sorted = sort_twins(s);
  if (!sorted || to->count == LOOKS_MAX || dem_snapshot_take(simulation, &shot) != JAGER_OK)
    return 1;
  dem_simulation_measure(simulation, &m);
  const double volume = shot.cell[0][0] * shot.cell[1][1] * shot.cell[2][2];
  size_t i = 0;
  for (size_t c = 0; c < shot.contact_count && i < (size_t)s->count; c++)
    if (sorted[i]->ids[0] == shot.contacts[c].ids[0] && sorted[i]->ids[1] == shot.contacts[c].ids[1])
      add_stress(sorted[i++], &shot.contacts[c], volume, stress);
  int lost = i != (size_t)s->count;
  to->gamma[to->count] = 2.0 * m.strain_in_stage_xz;
  to->stress[WAYS][to->count] = m.stress_xz;
  for (int k = 0; k < WAYS; k++) /* compression is positive, as in the stress from forces on the second sphere */
    to->stress[k][to->count] = m.stress_xz + stress[k];
  to->count++;
  dem_snapshot_free(&shot);
  free(sorted);
  return lost;
}

/* Of the last cycle, from one largest gamma to the next */
static void report_loops(const loop *of)
{
  double largest = 0.0;
  int last = 0, before = 0;
  for (int i = 0; i < of->count; i++)
    largest = fmax(largest, of->gamma[i]);
  for (int i = 1; i + 1 < of->count; i++)
    if (of->gamma[i] > 0.9 * largest && of->gamma[i] >= of->gamma[i - 1] && of->gamma[i] > of->gamma[i + 1]) {
      before = last;
      last = i;
    }
  printf(
      "# gamma %.3g, %d looks in the last cycle; modulus over the exact one, damping ratio, the same over the exact\n",
      largest, last - before);
  double modulus[WAYS + 1], damping[WAYS + 1];
  for (int k = 0; k <= WAYS; k++) {
    const double *stress = of->stress[k];
    double area = 0.0, up = stress[before], down = stress[before];
    for (int i = before; i < last; i++) {
      area += 0.5 * (stress[i] + stress[i + 1]) * (of->gamma[i + 1] - of->gamma[i]);
      up = fmax(up, stress[i]);
      down = fmin(down, stress[i]);
    }
    modulus[k] = 0.5 * (up - down) / largest;
    damping[k] = fabs(area) / (2.0 * acos(-1.0) * modulus[k] * largest * largest);
  }
  for (int k = 0; k <= WAYS; k++)
    printf("%-18s %12.8f %12.4e %12.6f\n", k < WAYS ? ways[k].name : "exact", modulus[k] / modulus[WAYS], damping[k],
           damping[k] / damping[WAYS]);
}

/* ---- The case ---------------------------------------------------------------------------------------------------- */

static int follow(dem_simulation *simulation, study *s, error_info *error)
{
  static loop stresses;
  dem_progress outcome;
  for (long step = 0; (outcome = dem_simulation_step(simulation, error)) == DEM_GOES_ON; step++) {
    if (step % 100 == 0)
      look_at_bytes(s);
    if (s->follows_all && step % 10 == 0 && look_at_stress(simulation, s, &stresses))
      return fail_with_text("contacts and twins differ, or memory ends");
  }
  if (outcome == DEM_FAILED)
    return fail_with_text(error->text);
  if (s->failed)
    return fail_with_text("a twin was refused a movement");
  if (s->follows_all)
    report_loops(&stresses);
  else
    report_twins(s);
  return EXIT_SUCCESS;
}

static int study_case(const dem_case *run, bool follows_all)
{
  static study s;
  error_info error;
  jager_law law;
  int code = EXIT_FAILURE;
  dem_simulation *simulation = last_stage_begin(run, &law);
  if (!simulation)
    return code;
  if (study_init(&s, &law, follows_all) && dem_simulation_follow(simulation, &s.follower))
    code = follow(simulation, &s, &error);
  dem_simulation_destroy(simulation);
  for (int k = 0; k < WAYS; k++)
    jager_pool_destroy(s.pools[k]);
  return code;
}

int main(int argc, char **argv)
{
  run_case run;
  if (argc < 3 || (strcmp(argv[1], "twins") != 0 && strcmp(argv[1], "loops") != 0))
    return fail_with_text("study twins|loops CASE.yaml [KEY=VALUE]...");
  int code = last_stage_read(&run, argc - 2, argv + 2);
  if (code != EXIT_DONE)
    return code;
  code = study_case(&run.simulation, argv[1][0] == 'l');
  run_case_free(&run);
  return code;
}
