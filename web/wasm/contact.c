/* SPDX-License-Identifier: MIT */
/*
 * One contact for engine.js: its path, its memory and its tractions.
 *
 * Arrays are passed in memory that engine.js takes with malloc. A function that can fail returns NULL for success, else
 * the text of the error. No function keeps data between calls.
 */
#include "laws/law_contact.h"
#include "jager/compare.h"
#include "files/path_reader.h"
#include "contact/numbers.h"
#include "contact/contact_data.h"
#include "exports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The fields of `law` in engine.js; both spheres have the radius. */
typedef struct web_law {
  double shear_modulus, poisson, friction, radius, tolerance;
  double springs; /* number of springs of the law "springs"; 0: as in `jager contact` */
} web_law;

/* What a walk gives: `count` values each. */
enum { WALK_FN, WALK_FT1, WALK_FT2, WALK_STORED, WALK_DISSIPATED, WALK_LENGTH, WALK_BOUND, WALK_STATE, WALK_RESULTS };

/*
 * A contact that is moved along a path. Its movements are the same as in `jager contact` with the columns zeta,xi1,xi2.
 */
typedef struct walker {
  law_contact contact;
  jager_pool *pool;
  double xi[2]; /* the position */
} walker;

WEB_EXPORT const char *web_law_name(int law)
{
  return law >= 0 && law < LAW_COUNT ? law_name(law) : NULL;
}

WEB_EXPORT const char *web_state_name(int state)
{
  return state >= 0 && state < JAGER_STATE_COUNT ? jager_state_name((jager_state)state) : NULL;
}

WEB_EXPORT const char *web_version(void)
{
  return jager_version();
}

static double largest_zeta(const double *path, size_t count)
{
  double largest = 0.0;
  for (size_t i = 0; i < count; i++)
    largest = path[3 * i] > largest ? path[3 * i] : largest;
  return largest;
}

/* "linear" has Hertz's force at the largest ζ of the whole path, as in `jager contact`. */
static jager_status choose_stiffness(law_bodies *bodies, double zeta)
{
  if (bodies->law != JAGER_MODEL_LINEAR || !(zeta > 0.0))
    return JAGER_OK;
  return jager_law_set_linear_at_zeta(&bodies->parameters, bodies->radius_a, bodies->radius_b, zeta);
}

static jager_status make_bodies(law_bodies *bodies, const web_law *law, int model)
{
  *bodies = (law_bodies){.law = model,
                         .parameters = jager_law_default(),
                         .radius_a = law->radius,
                         .radius_b = law->radius,
                         .grid = {law->springs > 0.0 ? (int)law->springs : SPRINGS_COUNT_DEFAULT, 0.0}};
  jager_status status = jager_law_set_bodies(&bodies->parameters, law->shear_modulus, law->poisson);
  if (status == JAGER_OK)
    status = jager_law_set_friction(&bodies->parameters, law->friction);
  if (status == JAGER_OK)
    status = jager_law_set_tolerance(&bodies->parameters, law->tolerance);
  return status;
}

static jager_status walker_start(walker *w, const web_law *law, int model, double zeta_largest)
{
  law_bodies bodies;
  *w = (walker){.pool = jager_pool_create(0)};
  jager_status status = w->pool ? make_bodies(&bodies, law, model) : JAGER_ERROR_MEMORY;
  if (status == JAGER_OK)
    status = choose_stiffness(&bodies, zeta_largest);
  return status == JAGER_OK ? law_contact_init(&w->contact, &bodies, w->pool) : status;
}

static void walker_end(walker *w)
{
  law_contact_release(&w->contact);
  jager_pool_destroy(w->pool);
}

/* The energies of a planar movement take many times the time of the forces, so that they can be left out. */
static jager_status walker_move(walker *w, const double position[3], bool has_energies, jager_force *force)
{
  double dxi[2] = {position[1] - w->xi[0], position[2] - w->xi[1]};
  law_contact *c = &w->contact;
  jager_status status = has_energies || c->springs
                            ? law_contact_move(c, position[0], dxi, force)
                            : jager_contact_move(&c->contact, &c->parameters, w->pool, position[0], dxi, force);
  w->xi[0] = position[1];
  w->xi[1] = position[2];
  return status;
}

/* Adding 0 turns a negative zero into 0, as `jager contact` does. */
static void write_results(const walker *w, const jager_force *force, bool has_energies, double *results, size_t stride)
{
  jager_energy energy = law_contact_energy(&w->contact);
  bool is_jager = w->contact.law == JAGER_MODEL_JAGER;
  const contact_data *data = (const contact_data *)(const void *)&w->contact.contact;
  results[WALK_FN * stride] = force->fn + 0.0;
  results[WALK_FT1 * stride] = force->ft[0] + 0.0;
  results[WALK_FT2 * stride] = force->ft[1] + 0.0;
  results[WALK_STORED * stride] = has_energies ? energy.normal + energy.tangential + 0.0 : NAN;
  results[WALK_DISSIPATED * stride] = has_energies ? energy.dissipated + 0.0 : NAN;
  results[WALK_LENGTH * stride] = is_jager ? law_contact_length(&w->contact) : 0.0;
  results[WALK_BOUND * stride] = is_jager ? number_from_high32(data->error_bound.top) : 0.0;
  results[WALK_STATE * stride] = law_contact_state(&w->contact);
}

/*
 * Moves a contact along the positions (ζ, ξ1, ξ2). `results` has room for WALK_RESULTS · count numbers, one quantity
 * after the other. Without energies they are NAN. On an error *failed is the index of the movement that cannot be
 * made; `count`: the law is wrong.
 */
WEB_EXPORT const char *web_walk(const web_law *law, int model, const double *path, size_t count, int has_energies,
                                double *results, size_t *failed)
{
  walker w;
  jager_status status = walker_start(&w, law, model, largest_zeta(path, count));
  *failed = count;
  for (size_t i = 0; i < count && status == JAGER_OK; i++) {
    jager_force force;
    status = walker_move(&w, path + 3 * i, has_energies, &force);
    if (status == JAGER_OK)
      write_results(&w, &force, has_energies, results + i, count);
    else
      *failed = i;
  }
  walker_end(&w);
  return status == JAGER_OK ? NULL : jager_status_text(status);
}

/* ---- A look into a contact --------------------------------------------------------------------------------------- */

/* The numbers of engine.inspect(); HISTORY_VALUES each of the points that follow. */
enum {
  LOOK_FN,
  LOOK_FT1,
  LOOK_FT2,
  LOOK_ZETA,
  LOOK_CONTACT_RADIUS,
  LOOK_STUCK_RADIUS,
  LOOK_STATE,
  LOOK_KAPPA,
  LOOK_LENGTH,
  LOOK_VALUES
};
enum { HISTORY_ZETA, HISTORY_FN, HISTORY_P1, HISTORY_P2, HISTORY_VALUES };

/* A walker of "jager" at the end of a path, for the functions below; NULL: see *text. */
WEB_EXPORT walker *web_look_open(const web_law *law, const double *path, size_t count, const char **text,
                                 size_t *failed)
{
  walker *w = malloc(sizeof *w);
  *failed = count;
  *text = jager_status_text(JAGER_ERROR_MEMORY);
  if (!w)
    return NULL;
  jager_status status = walker_start(w, law, JAGER_MODEL_JAGER, 0.0);
  for (size_t i = 0; i < count && status == JAGER_OK; i++) {
    status = walker_move(w, path + 3 * i, false, NULL);
    if (status != JAGER_OK)
      *failed = i;
  }
  if (status == JAGER_OK)
    return w;
  *text = jager_status_text(status);
  walker_end(w);
  free(w);
  return NULL;
}

WEB_EXPORT void web_look_close(walker *w)
{
  walker_end(w);
  free(w);
}

/* LOOK_VALUES numbers. */
WEB_EXPORT const char *web_look(const walker *w, double *values)
{
  const jager_contact *contact = &w->contact.contact;
  jager_force force = jager_contact_force(contact);
  values[LOOK_FN] = force.fn + 0.0;
  values[LOOK_FT1] = force.ft[0] + 0.0;
  values[LOOK_FT2] = force.ft[1] + 0.0;
  values[LOOK_ZETA] = jager_contact_zeta(contact);
  values[LOOK_STATE] = jager_contact_state(contact);
  values[LOOK_KAPPA] = w->contact.parameters.kappa;
  values[LOOK_LENGTH] = jager_contact_length(contact);
  jager_status status =
      jager_contact_radii(contact, &w->contact.parameters, &values[LOOK_CONTACT_RADIUS], &values[LOOK_STUCK_RADIUS]);
  return status == JAGER_OK ? NULL : jager_status_text(status);
}

/* HISTORY_VALUES numbers for each of the LOOK_LENGTH points. */
WEB_EXPORT const char *web_look_history(const walker *w, double *values)
{
  _Static_assert(sizeof(jager_point) == HISTORY_VALUES * sizeof(double), "a point is four numbers");
  jager_status status = jager_contact_history(&w->contact.contact, &w->contact.parameters,
                                              (jager_point *)(void *)values, jager_contact_length(&w->contact.contact));
  return status == JAGER_OK ? NULL : jager_status_text(status);
}

/* Pressure and the two shear tractions at each radius: three arrays of `count` numbers in `values`. */
WEB_EXPORT const char *web_look_tractions(const walker *w, const double *radii, size_t count, double *values)
{
  jager_status status = JAGER_OK;
  for (size_t i = 0; i < count && status == JAGER_OK; i++) {
    double shear[2];
    status = jager_contact_traction(&w->contact.contact, &w->contact.parameters, radii[i], &values[i], shear);
    values[count + i] = shear[0] + 0.0;
    values[2 * count + i] = shear[1] + 0.0;
  }
  return status == JAGER_OK ? NULL : jager_status_text(status);
}

/* ---- Paths as CSV ------------------------------------------------------------------------------------------------ */

typedef struct csv_text {
  const char *at;
  size_t left;
} csv_text;

static ptrdiff_t read_text(void *context, char *bytes, size_t capacity)
{
  csv_text *text = context;
  size_t count = text->left < capacity ? text->left : capacity;
  memcpy(bytes, text->at, count);
  text->at += count;
  text->left -= count;
  return (ptrdiff_t)count;
}

/* The reader of `jager contact`. */
typedef struct csv_path {
  path_reader reader;
  csv_text text;
} csv_path;

WEB_EXPORT csv_path *web_csv_open(const char *text, size_t length)
{
  csv_path *path = malloc(sizeof *path);
  if (!path)
    return NULL;
  path->text = (csv_text){text, length};
  return path;
}

/*
 * Reads the whole text as positions into `positions`, which has room for `capacity` of them; *count is their number.
 * Returns the text of the error, which lives as long as the csv_path.
 */
WEB_EXPORT const char *web_csv_read(csv_path *path, double *positions, size_t capacity, size_t *count)
{
  path_step step;
  csv_result result = path_reader_open(&path->reader, PATH_BY_DISPLACEMENT, read_text, &path->text, "path.csv");
  *count = 0;
  while (result == CSV_ROW && *count < capacity && (result = path_reader_next(&path->reader, &step)) == CSV_ROW) {
    double *to = positions + 3 * *count;
    to[0] = step.movement.zeta;
    to[1] = step.xi[0];
    to[2] = step.xi[1];
    ++*count;
  }
  return result == CSV_ROW || result == CSV_END ? NULL : path->reader.csv.message;
}

WEB_EXPORT void web_csv_close(csv_path *path)
{
  free(path);
}
