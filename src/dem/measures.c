/* SPDX-License-Identifier: MIT */
/* The measures: their names, their values, energies and the grading. */
#include "measures.h"
#include "contacts.h"
#include "cycles.h"
#include "drive.h"
#include "grains.h"
#include "step.h"

#include <float.h>
#include <string.h>

/* ---- The list of measures ---------------------------------------------------------------------------------------- */

#define MEASURE_TEXT(field, unit, meaning) {#field, unit, meaning},
static const struct measure_text {
  const char *name, *unit, *meaning;
} texts[DEM_MEASURE_COUNT] = {DEM_MEASURE_LIST(MEASURE_TEXT)};
#undef MEASURE_TEXT

const char *dem_measure_name(int k)
{
  return texts[k].name;
}

const char *dem_measure_unit(int k)
{
  return texts[k].unit;
}

const char *dem_measure_meaning(int k)
{
  const struct measure_text *text = &texts[k];
  while (text > texts && text->meaning[0] == '\0')
    text--;
  return text->meaning;
}

double dem_measure_value(const dem_measures *measures, int k)
{
  double value;
  memcpy(&value, (const char *)measures + (size_t)k * sizeof value, sizeof value);
  return value;
}

/* Differences of energies have rounding errors of this size, over the stored energy. */
#define ROUNDING 1e-13

double dem_damping_share(double friction, double damping, double stored)
{
  double dissipated = fmax(friction, 0.0) + fmax(damping, 0.0);
  return dissipated > ROUNDING * stored ? fmax(damping, 0.0) / dissipated : NAN;
}

/* ---- Sums over the contacts -------------------------------------------------------------------------------------- */

/* Sums run in the order of the spheres: the same bits for any number of threads. */
typedef struct contact_sums {
  size_t contacts, sliding, slipping;
  double fabric[DEM_COMPONENTS];
  double fn, fn_square, fn_max, ft, ft_max, mobilised, overlap_max;
  double length, length_max;
  double stored_normal, stored_tangential;
} contact_sums;

bool dem_measures_allocate(dem_simulation *s, error_info *error)
{
  s->block_sums = calloc(s->block_count, sizeof *s->block_sums);
  s->contacts_of_grain = calloc(s->grain_count, sizeof *s->contacts_of_grain);
  s->last_neighbour = calloc(s->grain_count, sizeof *s->last_neighbour);
  return (s->block_sums && s->contacts_of_grain && s->last_neighbour) ||
         error_set_memory(error, "out of memory for %zu spheres", s->count);
}

void dem_measures_free(dem_simulation *s)
{
  free(s->block_sums);
  free(s->contacts_of_grain);
  free(s->last_neighbour);
}

/* |Ft|; the squares of forces below 1e-140 would underflow */
static double shear_force(const double ft[2])
{
  double square = ft[0] * ft[0] + ft[1] * ft[1];
  if (square > 1e-280)
    return sqrt(square);
  double x = 0x1p500 * ft[0], y = 0x1p500 * ft[1];
  return 0x1p-500 * sqrt(x * x + y * y);
}

/* |Ft| / (f Fn) with the f of the movement that gave the force; the product f Fn may underflow */
static double mobilised_friction(double ft, double fn, double friction)
{
  double limit = friction * fn;
  if (limit >= DBL_MIN)
    return ft / limit;
  return friction > 0.0 && fn > 0.0 ? ft / fn / friction : 0.0;
}

static void sum_block(void *context, size_t index)
{
  const dem_simulation *s = *(const dem_simulation **)context;
  contact_sums *sums = &s->block_sums[index];
  *sums = (contact_sums){0};
  contact_walk at = contact_walk_start(s);
  for (at.block_number = index; contact_walk_next(&at) && at.block_number == index;) {
    const jager_contact *contact = &at.contact;
    double radius = fmin(s->bodies[at.p].radius, s->bodies[at.q].radius);
    double fn = jager_contact_fn(contact), ft = shear_force(at.frame.ft);
    vec3 n = frame_normal(&at.frame);
    jager_energy energy;
    sums->contacts++;
    sums->sliding += jager_contact_state(contact) == JAGER_STATE_SLIDE;
    sums->slipping += jager_contact_state(contact) == JAGER_STATE_SLIP;
    sums->fabric[DEM_XX] += n.x * n.x;
    sums->fabric[DEM_YY] += n.y * n.y;
    sums->fabric[DEM_ZZ] += n.z * n.z;
    sums->fabric[DEM_XY] += n.x * n.y;
    sums->fabric[DEM_XZ] += n.x * n.z;
    sums->fabric[DEM_YZ] += n.y * n.z;
    sums->fn += fn;
    sums->fn_square += fn * fn;
    sums->fn_max = fmax(sums->fn_max, fn);
    sums->ft += ft;
    sums->ft_max = fmax(sums->ft_max, ft);
    sums->mobilised += mobilised_friction(ft, fn, jager_contact_friction(contact));
    sums->overlap_max = fmax(sums->overlap_max, 2.0 * jager_contact_zeta(contact) / radius);
    sums->length += jager_contact_length(contact);
    sums->length_max = fmax(sums->length_max, jager_contact_length(contact));
    if (jager_pairs_stored(at.contacts, &s->law, at.number, &energy) == JAGER_OK) {
      sums->stored_normal += energy.normal;
      sums->stored_tangential += energy.tangential;
    }
  }
}

static contact_sums sum_contacts(const dem_simulation *s)
{
  contact_sums total = {0};
  thread_pool_run(s->workers, sum_block, &s, s->block_count);
  for (size_t i = 0; i < s->block_count; i++) {
    const contact_sums *part = &s->block_sums[i];
    total.contacts += part->contacts;
    total.sliding += part->sliding;
    total.slipping += part->slipping;
    for (int k = 0; k < DEM_COMPONENTS; k++)
      total.fabric[k] += part->fabric[k];
    total.fn += part->fn;
    total.fn_square += part->fn_square;
    total.fn_max = fmax(total.fn_max, part->fn_max);
    total.ft += part->ft;
    total.ft_max = fmax(total.ft_max, part->ft_max);
    total.mobilised += part->mobilised;
    total.overlap_max = fmax(total.overlap_max, part->overlap_max);
    total.length += part->length;
    total.length_max = fmax(total.length_max, part->length_max);
    total.stored_normal += part->stored_normal;
    total.stored_tangential += part->stored_tangential;
  }
  return total;
}

/* ---- Energies ---------------------------------------------------------------------------------------------------- */

double dem_kinetic_energy(const dem_simulation *s)
{
  double sum = 0.0;
  for (size_t i = 0; s->grains && i < s->grain_count; i++) {
    const clump *c = &s->grains[i];
    vec3 v = vec3_add_scaled(c->v, 0.5 * s->dt / c->mass, c->force);
    sum += dem_clump_kinetic_energy(c, v, vec3_add_scaled(c->momentum, 0.5 * s->dt, c->torque));
  }
  for (size_t i = 0; !s->grains && i < s->count; i++) {
    const motion *m = &s->motions[i];
    double mass = s->bodies[i].mass, inertia = 0.4 * mass * s->bodies[i].radius * s->bodies[i].radius;
    vec3 force, torque;
    forces_gather(s, i, &force, &torque);
    vec3 v = vec3_add_scaled(m->v, 0.5 * s->dt / mass, force);
    vec3 w = vec3_add_scaled(m->w, 0.5 * s->dt / inertia, torque);
    sum += 0.5 * mass * vec3_dot(v, v) + 0.5 * inertia * vec3_dot(w, w);
  }
  return sum;
}

void dem_ledger_open(dem_simulation *s)
{
  contact_sums sums = sum_contacts(s);
  s->energy = (ledger){.kinetic_start = dem_kinetic_energy(s),
                       .normal_start = sums.stored_normal,
                       .tangential_start = sums.stored_tangential,
                       .open = true};
}

static energy_account energies_of(const dem_simulation *s, const contact_sums *sums)
{
  const ledger *e = &s->energy;
  return (energy_account){.work = e->work + e->gravity_work,
                          .friction = e->tangential_work - (sums->stored_tangential - e->tangential_start),
                          .damping = e->damped};
}

energy_account dem_energies(const dem_simulation *s)
{
  contact_sums sums = sum_contacts(s);
  return energies_of(s, &sums);
}

/* ---- The measures ------------------------------------------------------------------------------------------------ */

static double value_of(const dem_simulation *s, int quantity)
{
  return dem_quantity_value(s, (dem_quantity)quantity);
}

void dem_simulation_measure(const dem_simulation *s, dem_measures *m)
{
  contact_sums sums = sum_contacts(s);
  *m = (dem_measures){0};

  /* State and stage */
  double stress[DEM_COMPONENTS];
  dem_stress(s, stress);
  m->step = (double)s->step;
  m->stage = s->stage.number;
  m->time = s->time;
  m->time_step = s->dt;
  m->strain_xx = s->strain[DEM_XX];
  m->strain_yy = s->strain[DEM_YY];
  m->strain_zz = s->strain[DEM_ZZ];
  m->strain_xy = s->strain[DEM_XY];
  m->strain_xz = s->strain[DEM_XZ];
  m->strain_yz = s->strain[DEM_YZ];
  m->volumetric_strain = s->strain[DEM_XX] + s->strain[DEM_YY] + s->strain[DEM_ZZ];
  m->stress_xx = stress[DEM_XX];
  m->stress_yy = stress[DEM_YY];
  m->stress_zz = stress[DEM_ZZ];
  m->stress_xy = stress[DEM_XY];
  m->stress_xz = stress[DEM_XZ];
  m->stress_yz = stress[DEM_YZ];
  m->p = value_of(s, DEM_MEAN_STRESS);
  m->q = value_of(s, DEM_DEVIATOR);
  m->void_ratio = value_of(s, DEM_VOID_RATIO);
  m->unbalanced = s->unbalanced;
  m->servo_error = s->stage.servo_error;
  /* The deviatoric strain rate, √(2 d:d), times the time in which the pressure moves a sphere by its diameter. */
  if (m->p > 0.0 && s->dt > 0.0)
    m->inertial_number = dem_shear_size(s->increment) / s->dt * s->mean_diameter * sqrt(s->density / m->p);
  m->cycle = dem_cycles_done(s);
  m->strain_in_stage_xx = value_of(s, DEM_STRAIN + DEM_XX);
  m->strain_in_stage_yy = value_of(s, DEM_STRAIN + DEM_YY);
  m->strain_in_stage_zz = value_of(s, DEM_STRAIN + DEM_ZZ);
  m->strain_in_stage_xy = value_of(s, DEM_STRAIN + DEM_XY);
  m->strain_in_stage_xz = value_of(s, DEM_STRAIN + DEM_XZ);
  m->strain_in_stage_yz = value_of(s, DEM_STRAIN + DEM_YZ);
  m->gamma_xy = value_of(s, DEM_GAMMA);
  m->gamma_xz = value_of(s, DEM_GAMMA + DEM_XZ - DEM_XY);
  m->gamma_yz = value_of(s, DEM_GAMMA + DEM_YZ - DEM_XY);
  m->r_u = value_of(s, DEM_R_U);
  m->r_u_zz = value_of(s, DEM_R_U_ZZ);
  m->csr = dem_csr(s);
  m->static_stress_ratio = dem_static_stress_ratio(s);

  /* Contacts */
  double contacts = (double)sums.contacts, share = contacts > 0.0 ? 1.0 / contacts : 0.0;
  m->contacts = contacts;
  m->coordination = 2.0 * contacts / (double)s->grain_count;
  m->fabric_xx = sums.fabric[DEM_XX] * share;
  m->fabric_yy = sums.fabric[DEM_YY] * share;
  m->fabric_zz = sums.fabric[DEM_ZZ] * share;
  m->fabric_xy = sums.fabric[DEM_XY] * share;
  m->fabric_xz = sums.fabric[DEM_XZ] * share;
  m->fabric_yz = sums.fabric[DEM_YZ] * share;
  m->sliding_fraction = (double)sums.sliding * share;
  m->slipping_fraction = (double)sums.slipping * share;
  m->normal_force_mean = sums.fn * share;
  m->normal_force_max = sums.fn_max;
  m->normal_force_deviation = sqrt(fmax(0.0, sums.fn_square * share - m->normal_force_mean * m->normal_force_mean));
  m->shear_force_mean = sums.ft * share;
  m->shear_force_max = sums.ft_max;
  m->mobilised_friction = sums.mobilised * share;
  m->overlap_max = sums.overlap_max;
  m->history_mean = sums.length * share;
  m->history_max = sums.length_max;
  m->history_bytes = contacts * (double)sizeof(jager_contact);
  for (size_t k = 0; k < s->block_count; k++)
    m->history_bytes += (double)jager_pairs_bytes_in_use(s->blocks[k].contacts);

  /* Rattlers have no or one contact; the mechanical coordination number counts the other grains only. The contacts of
   * a grain with grains of higher number follow each other. */
  size_t rattlers = 0, held = 0, pairs = 0;
  uint32_t *touched = s->contacts_of_grain;
  memset(touched, 0, s->grain_count * sizeof *touched);
  memset(s->last_neighbour, 0, s->grain_count * sizeof *s->last_neighbour);
  for (contact_walk at = contact_walk_start(s); contact_walk_find(&at);) {
    uint32_t p = s->grains ? s->grain_of[at.p] : at.p, q = s->grains ? s->grain_of[at.q] : at.q;
    touched[p]++;
    touched[q]++;
    pairs += s->last_neighbour[q] != p + 1;
    s->last_neighbour[q] = p + 1;
  }
  m->neighbours = 2.0 * (double)pairs / (double)s->grain_count;
  for (size_t i = 0; i < s->grain_count; i++) {
    rattlers += touched[i] < 2;
    held += touched[i] >= 2 ? touched[i] : 0;
  }
  m->rattlers = (double)rattlers;
  m->coordination_mechanical = rattlers < s->grain_count ? (double)held / (double)(s->grain_count - rattlers) : 0.0;

  m->axis_xx = m->axis_yy = m->axis_zz = s->grains ? 0.0 : 1.0 / 3.0;
  for (size_t i = 0; s->grains && i < s->grain_count; i++) {
    vec3 axes[3], a;
    quaternion_axes(s->grains[i].turn, axes);
    a = vec3_scale(sqrt(1.0 / (double)s->grain_count), axes[0]);
    m->axis_xx += a.x * a.x;
    m->axis_yy += a.y * a.y;
    m->axis_zz += a.z * a.z;
    m->axis_xy += a.x * a.y;
    m->axis_xz += a.x * a.z;
    m->axis_yz += a.y * a.z;
  }

  /* Energies */
  const ledger *e = &s->energy;
  energy_account energies = energies_of(s, &sums);
  m->kinetic = dem_kinetic_energy(s);
  m->stored_normal = sums.stored_normal;
  m->stored_tangential = sums.stored_tangential;
  m->work = energies.work;
  m->dissipated_friction = energies.friction;
  m->dissipated_damping = energies.damping;
  double damping_share =
      dem_damping_share(energies.friction - s->stage.friction_start, energies.damping - s->stage.damping_start,
                        m->stored_normal + m->stored_tangential);
  m->damping_share = isnan(damping_share) ? 0.0 : damping_share;
  double kinetic = m->kinetic - e->kinetic_start;
  double stored = m->stored_normal - e->normal_start + m->stored_tangential - e->tangential_start;
  double lacking = m->work - kinetic - stored - m->dissipated_friction - m->dissipated_damping;
  double scale =
      fabs(m->work) + fabs(kinetic) + fabs(stored) + fabs(m->dissipated_friction) + fabs(m->dissipated_damping);
  m->energy_error =
      scale > 0.0 ? 2.0 * lacking / scale : 0.0; /* the two sides of a balance are half of the scale each */
}

/* ---- Grading ----------------------------------------------------------------------------------------------------- */

static int compare_diameters(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

/* The smallest diameter that passes the fraction. The last one passes everything. */
static double diameter_at(const dem_grading *g, double fraction)
{
  size_t k = 0;
  while (k + 1 < g->count && g->passing[k] < fraction)
    k++;
  return g->diameters[k];
}

bool dem_grading_make(dem_grading *g, const double *diameters, size_t count)
{
  *g = (dem_grading){
      .count = count, .diameters = malloc(count * sizeof *g->diameters), .passing = malloc(count * sizeof *g->passing)};
  if (!g->diameters || !g->passing) {
    dem_grading_free(g);
    return false;
  }
  memcpy(g->diameters, diameters, count * sizeof *diameters);
  qsort(g->diameters, count, sizeof *g->diameters, compare_diameters);
  double sum = 0.0;
  for (size_t k = 0; k < count; k++) {
    double d = g->diameters[k];
    sum += d * d * d;
    g->passing[k] = sum;
  }
  for (size_t k = 0; k < count; k++)
    g->passing[k] /= sum;
  g->d10 = diameter_at(g, 0.1);
  g->d30 = diameter_at(g, 0.3);
  g->d50 = diameter_at(g, 0.5);
  g->d60 = diameter_at(g, 0.6);
  g->uniformity = g->d60 / g->d10;
  g->curvature = g->d30 * g->d30 / (g->d10 * g->d60);
  return true;
}

bool dem_grading_take(dem_grading *g, const dem_simulation *s)
{
  double *diameters = malloc(s->grain_count * sizeof *diameters);
  for (size_t i = 0; diameters && i < s->grain_count; i++)
    diameters[i] = 2.0 * (s->grains ? s->grains[i].radius : s->bodies[i].radius);
  bool is_made = diameters && dem_grading_make(g, diameters, s->grain_count);
  free(diameters);
  if (!is_made)
    *g = (dem_grading){.count = 0};
  return is_made;
}

void dem_grading_free(dem_grading *g)
{
  free(g->diameters);
  free(g->passing);
  *g = (dem_grading){.count = 0};
}
