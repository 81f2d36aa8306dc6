/* SPDX-License-Identifier: MIT */
/* The keys of a case: their tables, and the text of them that checkpoints hold. */
#include "case_keys.h"
#include "shape.h"

#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 96 }; /* of a name such as "stages.63.control.xx.path_strain" */

/* ---- Lines of the text ------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void put_number(FILE *out, double value, const char *name, ...)
{
  char text[32];
  va_list arguments;
  va_start(arguments, name);
  vfprintf(out, name, arguments);
  va_end(arguments);
  for (int digits = 15; digits <= 17; digits++) { /* the fewest digits that give the same number */
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (!(strtod(text, NULL) < value) && !(strtod(text, NULL) > value))
      break;
  }
  fprintf(out, ": %s\n", text);
}

static void put_word(FILE *out, const char *name, const char *value)
{
  fprintf(out, "%s: ", name);
  for (; *value; value++)
    fputc(*value == '\n' ? '?' : *value, out); /* a key is one line */
  fputc('\n', out);
}

static void put_key(FILE *out, const dem_key *key, const char *name, const dem_case *run, const void *of);

static void put_block(FILE *out, const dem_block *block, const char *name, const dem_case *run, const void *of)
{
  for (size_t i = 0; i < block->count; i++) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s%s%s", name, *name ? "." : "", block->keys[i].name);
    put_key(out, &block->keys[i], path, run, of);
  }
}

static void put_key(FILE *out, const dem_key *key, const char *name, const dem_case *run, const void *of)
{
  const void *member = dem_key_member(key, of);
  if (key->changes_nothing || !dem_key_applies(key, of))
    return;
  if (key->store) {
    key->store(out, name, run, member);
    return;
  }
  switch (key->kind) {
  case KEY_NUMBER:
    if (key->count == 0)
      put_number(out, *(const double *)member, "%s", name);
    for (int k = 0; k < key->count; k++)
      put_number(out, ((const double *)member)[k], "%s.%d", name, k);
    break;
  case KEY_WHOLE:
    fprintf(out, "%s: %ld\n", name, *(const long *)member);
    break;
  case KEY_FLAG:
    put_word(out, name, *(const bool *)member ? "true" : "false");
    break;
  case KEY_TEXT:
    put_word(out, name, *(char *const *)member ? *(char *const *)member : "");
    break;
  case KEY_WORD:
    put_word(out, name, key->words[*(const int *)member]);
    break;
  case KEY_BLOCK:
    put_block(out, key->block, name, run, member);
    break;
  case KEY_OTHER: /* stored with its block */
    break;
  }
}

/* ---- Material and contact ---------------------------------------------------------------------------------------- */

static const dem_key material_keys[] = {
    {"shear_modulus", offsetof(dem_material, shear_modulus), KEY_NUMBER, DIMENSION_PRESSURE, .range = IN(1e-30, 1e30),
     .standard = 29e9, .example = "29 GPa", .say = "shear modulus {}", .rule = KEY_OF_CONTACTS},
    {"poisson", offsetof(dem_material, poisson), .range = ABOVE(-1.0, 0.5), .standard = 0.15, .example = "0.15",
     .say = "Poisson's ratio {}", .rule = KEY_OF_CONTACTS},
    {"friction", offsetof(dem_material, friction), .range = FRICTION_RANGE, .standard = 0.5, .example = "0.5",
     .say = "friction {}"},
    {"density", offsetof(dem_material, density), KEY_NUMBER, DIMENSION_DENSITY, .range = IN(1e-9, 1e9),
     .standard = 2650.0, .example = "2650 kg/m3", .say = "density {}"},
};
static const dem_block material_block = BLOCK(material_keys);

static bool has_slope(const void *law)
{
  return ((const dem_contact_law *)law)->contour != JAGER_CONTOUR_SPHERE;
}

static void store_model(FILE *out, const char *name, const dem_case *run, const void *model)
{
  (void)run;
  put_word(out, name, jager_model_name(*(const jager_model *)model));
}

static const char *const contour_words[] = {
    [JAGER_CONTOUR_SPHERE] = "sphere", [JAGER_CONTOUR_CONE] = "cone", [JAGER_CONTOUR_POWER] = "power", NULL};

static const dem_key contour_keys[] = {
    {"kind", offsetof(dem_contact_law, contour), KEY_WORD, .words = contour_words, .example = "sphere"},
    {"slope", offsetof(dem_contact_law, slope), .range = IN(1e-30, 1e30), .applies = has_slope},
    {"exponent", offsetof(dem_contact_law, exponent), .range = IN(1.0, 100.0),
     ONLY_IF(dem_contact_law, contour, JAGER_CONTOUR_POWER)},
};
static const dem_block contour_block = BLOCK(contour_keys);

static const dem_key linear_keys[] = {
    {"kn", offsetof(dem_contact_law, linear_kn), KEY_NUMBER, DIMENSION_STIFFNESS, .range = IN(0.0, 1e30)},
    {"kt", offsetof(dem_contact_law, linear_kt), KEY_NUMBER, DIMENSION_STIFFNESS, .range = IN(0.0, 1e30)},
};
static const dem_block linear_block = BLOCK(linear_keys);

static const dem_key contact_keys[] = {
    {"model", offsetof(dem_contact_law, model), KEY_OTHER, .store = store_model, .rule = KEY_OF_CONTACTS},
    {"tolerance", offsetof(dem_contact_law, tolerance), .range = IN(0.0, 1.0)},
    {"dp_max", offsetof(dem_contact_law, dp_max), .range = IN(0.0, 1e6)},
    {"contour", 0, KEY_BLOCK, .block = &contour_block, .rule = KEY_OF_CONTACTS},
    {"linear", 0, KEY_BLOCK, .block = &linear_block, ONLY_IF(dem_contact_law, model, JAGER_MODEL_LINEAR),
     .rule = KEY_OF_CONTACTS},
};
static const dem_block contact_block = BLOCK(contact_keys);

/* ---- Damping and time step --------------------------------------------------------------------------------------- */

static const dem_key damping_keys[] = {
    {"viscous", offsetof(dem_damping, viscous), .range = IN(0.0, 1.0), .say = "viscous {}"},
    {"local", offsetof(dem_damping, local), .range = BELOW(0.0, 1.0), .standard = 0.2, .say = "local {}"},
    {"global", offsetof(dem_damping, global), KEY_NUMBER, DIMENSION_RATE, .range = IN(0.0, 1e12), .say = "global {}"},
};
static const dem_block damping_block = BLOCK(damping_keys);

static bool uses_safety(const void *of)
{
  const dem_case *run = of;
  return !(run->time_step.fixed > 0.0) || run->scales_each_sphere;
}

static const dem_key time_step_keys[] = {
    {"fixed", offsetof(dem_case, time_step.fixed), KEY_NUMBER, DIMENSION_TIME, .range = IN(1e-15, 1e6), .if_set = true},
    {"safety", offsetof(dem_case, time_step.safety), .range = SHARE_RANGE, .standard = 0.8, .applies = uses_safety},
    /* with a fixed step, too: the modulus of the servo is updated */
    {"interval", offsetof(dem_case, time_step.interval), KEY_WHOLE, .range = IN(1.0, 1e6), .standard = 50.0},
};
static const dem_block time_step_block = BLOCK(time_step_keys);

static void store_density_scaling(FILE *out, const char *name, const dem_case *run, const void *scaling)
{
  if (run->scales_each_sphere)
    put_word(out, name, "each");
  else
    put_number(out, *(const double *)scaling, "%s", name);
}

/* ---- The assembly ------------------------------------------------------------------------------------------------ */

static void store_table(FILE *out, const char *name, const dem_case *run, const void *of)
{
  const dem_sizes *sizes = of;
  (void)run;
  for (int k = 0; k < sizes->count; k++) {
    put_number(out, sizes->diameter[k], "%s.diameter.%d", name, k);
    put_number(out, sizes->passing[k], "%s.passing.%d", name, k);
  }
}

static const dem_key uniform_keys[] = {
    {"min", offsetof(dem_sizes, min), KEY_NUMBER, DIMENSION_LENGTH, .range = LENGTH_RANGE, .example = "0.8 mm"},
    {"max", offsetof(dem_sizes, max), KEY_NUMBER, DIMENSION_LENGTH, .range = LENGTH_RANGE, .example = "1.2 mm"},
};
static const dem_block uniform_block = BLOCK(uniform_keys);

static const dem_key lognormal_keys[] = {
    {"median", offsetof(dem_sizes, median), KEY_NUMBER, DIMENSION_LENGTH, .range = LENGTH_RANGE, .example = "1 mm"},
    {"deviation", offsetof(dem_sizes, deviation), .range = IN(0.0, 2.0), .example = "0.2"},
    {"min", offsetof(dem_sizes, min), KEY_NUMBER, DIMENSION_LENGTH, .range = LENGTH_RANGE},
    {"max", offsetof(dem_sizes, max), KEY_NUMBER, DIMENSION_LENGTH, .range = LENGTH_RANGE},
};
static const dem_block lognormal_block = BLOCK(lognormal_keys);

static const dem_key table_keys[] = {
    {"diameter", 0, KEY_OTHER, DIMENSION_LENGTH, .range = LENGTH_RANGE, .example = "[0.5 mm, 1 mm, 2 mm]"},
    {"passing", 0, KEY_OTHER, .range = IN(0.0, 1.0), .example = "[0, 0.4, 1]"},
};
static const dem_block table_block = BLOCK(table_keys);

static const dem_key sizes_keys[] = {
    {"uniform", 0, KEY_BLOCK, .block = &uniform_block, ONLY_IF(dem_sizes, distribution, DEM_SIZES_UNIFORM)},
    {"lognormal", 0, KEY_BLOCK, .block = &lognormal_block, ONLY_IF(dem_sizes, distribution, DEM_SIZES_LOGNORMAL)},
    {"table", 0, KEY_BLOCK, .block = &table_block, ONLY_IF(dem_sizes, distribution, DEM_SIZES_TABLE),
     .store = store_table},
};
static const dem_block sizes_block = BLOCK(sizes_keys);

static void store_packing_friction(FILE *out, const char *name, const dem_case *run, const void *friction)
{
  (void)friction;
  put_number(out, dem_case_packing_friction(run), "%s", name);
}

static bool has_shapes(const void *packing)
{
  return ((const dem_packing *)packing)->shapes;
}

/* Spheres as they are used, in units of the radius of the sphere of equal volume. */
static void store_shapes(FILE *out, const char *name, const dem_case *run, const void *packing)
{
  const dem_packing *of = packing;
  (void)run;
  for (int i = 0; i < of->shape_count; i++) {
    const dem_shape_choice *choice = &of->shapes[i];
    put_number(out, choice->share, "%s.%d.share", name, i);
    for (int k = 0; k < choice->shape.count; k++) {
      const dem_shape_sphere *sphere = &choice->shape.spheres[k];
      const double numbers[4] = {sphere->center.x, sphere->center.y, sphere->center.z, sphere->radius};
      for (int m = 0; m < 4; m++)
        put_number(out, numbers[m], "%s.%d.spheres.%d.%d", name, i, k, m);
    }
  }
}

static const dem_key packing_keys[] = {
    {"spheres", offsetof(dem_packing, spheres), KEY_WHOLE, .range = IN(8.0, DEM_SPHERES_MAX)},
    {"grains", offsetof(dem_packing, spheres), KEY_WHOLE, .range = IN(8.0, DEM_SPHERES_MAX),
     .changes_nothing = true}, /* another name of the key above, which is the one that is stored */
    {"shapes", 0, KEY_OTHER, .applies = has_shapes, .store = store_shapes},
    {"sizes", offsetof(dem_packing, sizes), KEY_BLOCK, .block = &sizes_block,
     .example = "{uniform: {min: 0.8 mm, max: 1.2 mm}}"},
    {"pressure", offsetof(dem_packing, pressure), KEY_NUMBER, DIMENSION_PRESSURE, .range = PRESSURE_RANGE,
     .standard = 100e3, .example = "100 kPa"},
    {"friction", offsetof(dem_packing, friction), .range = FRICTION_RANGE, .store = store_packing_friction},
    {"void_ratio", offsetof(dem_packing, target_value), .range = BETWEEN(0.0, 99.0),
     ONLY_IF(dem_packing, target, DEM_PACKING_VOID_RATIO)},
    {"relative_density", offsetof(dem_packing, target_value), .range = IN(0.0, 1.0),
     ONLY_IF(dem_packing, target, DEM_PACKING_RELATIVE_DENSITY)},
    {"unbalanced", offsetof(dem_packing, unbalanced), .range = SHARE_RANGE, .standard = 1e-2,
     .rule = KEY_PACKING_BALANCE},
    {"max_steps", offsetof(dem_packing, max_steps), KEY_WHOLE, .range = STEPS_FROM_1_RANGE, .standard = 1e6,
     .rule = KEY_PACKING_LIMIT},
    {"aspect", offsetof(dem_packing, aspect), .count = 3, .range = IN(0.01, 100.0), .standard = 1.0},
    {"initial_density", offsetof(dem_packing, initial_density), .range = IN(0.01, 0.7), .standard = 0.5},
    {"damping", offsetof(dem_packing, damping), KEY_BLOCK, .block = &damping_block},
};
static const dem_block packing_block = BLOCK(packing_keys);

static const char *const lattice_words[] = {[DEM_LATTICE_SC] = "sc", [DEM_LATTICE_FCC] = "fcc", NULL};

static void store_cells(FILE *out, const char *name, const dem_case *run, const void *cells)
{
  (void)run;
  for (int k = 0; k < 3; k++)
    fprintf(out, "%s.%d: %d\n", name, k, ((const int *)cells)[k]);
}

static const dem_key lattice_keys[] = {
    {"kind", offsetof(dem_lattice, kind), KEY_WORD, .words = lattice_words, .example = "fcc"},
    {"cells", offsetof(dem_lattice, cells), KEY_OTHER, .range = IN(1.0, 10000.0), .store = store_cells,
     .example = "[4, 4, 4]"},
    {"radius", offsetof(dem_lattice, radius), KEY_NUMBER, DIMENSION_LENGTH, .range = LENGTH_RANGE, .example = "1 mm"},
    {"overlap", offsetof(dem_lattice, overlap), .range = IN(0.0, 0.1)},
};
static const dem_block lattice_block = BLOCK(lattice_keys);

/* The seed is for packings only. */
static void store_packing(FILE *out, const char *name, const dem_case *run, const void *packing)
{
  fprintf(out, "seed: %llu\n", (unsigned long long)run->seed);
  put_block(out, &packing_block, name, run, packing);
}

static void store_file(FILE *out, const char *name, const dem_case *run, const void *of)
{
  const dem_assembly *assembly = of;
  const char *file = assembly->name ? assembly->name : assembly->path;
  (void)run;
  put_word(out, name, file ? file : "");
}

static const dem_key assembly_keys[] = {
    {"packing", offsetof(dem_assembly, packing), KEY_BLOCK, .block = &packing_block,
     ONLY_IF(dem_assembly, source, DEM_SOURCE_PACKING), .store = store_packing},
    {"lattice", offsetof(dem_assembly, lattice), KEY_BLOCK, .block = &lattice_block,
     ONLY_IF(dem_assembly, source, DEM_SOURCE_LATTICE)},
    {"file", 0, KEY_OTHER, ONLY_IF(dem_assembly, source, DEM_SOURCE_FILE), .store = store_file},
    {"checkpoint", 0, KEY_OTHER, ONLY_IF(dem_assembly, source, DEM_SOURCE_CHECKPOINT), .store = store_file},
};
static const dem_block assembly_block = BLOCK(assembly_keys);

/* ---- Controls of a stage ----------------------------------------------------------------------------------------- */

/* One kind of control, and the keys that go with it. */
static const dem_key control_keys[] = {
    {"strain_rate", offsetof(dem_control, value), KEY_NUMBER, DIMENSION_RATE, .range = IN(-1e9, 1e9),
     .choice = DEM_CONTROL_STRAIN_RATE, .say = "{}"},
    {"strain_step", offsetof(dem_control, value), .range = IN(-0.01, 0.01), .choice = DEM_CONTROL_STRAIN_STEP,
     .say = "{} a step"},
    {"strain", offsetof(dem_control, value), .range = STRAIN_RANGE, .choice = DEM_CONTROL_STRAIN,
     .say = "strain to {}"},
    {"stress", offsetof(dem_control, value), KEY_NUMBER, DIMENSION_PRESSURE, .range = STRESS_RANGE,
     .choice = DEM_CONTROL_STRESS, .say = "stress {}"},
    {"volume", 0, KEY_OTHER, .choice = DEM_CONTROL_VOLUME, .say = "for constant volume"},
    {"ramp", offsetof(dem_control, ramp), KEY_WHOLE, .range = STEPS_RANGE, .choice = KEY_NO_CHOICE},
    {"gamma_rate", offsetof(dem_control, value), KEY_NUMBER, DIMENSION_RATE, .range = IN(-2e9, 2e9), .divide = 2.0,
     .choice = DEM_CONTROL_STRAIN_RATE},
    {"gamma_step", offsetof(dem_control, value), .range = IN(-0.02, 0.02), .divide = 2.0,
     .choice = DEM_CONTROL_STRAIN_STEP},
    {"gamma", offsetof(dem_control, value), .range = IN(-20.0, 20.0), .divide = 2.0, .choice = DEM_CONTROL_STRAIN},
};
static const dem_block control_block = BLOCK(control_keys);

static const dem_key wave_keys[] = {
    {"strain", offsetof(dem_control, value), .range = ABOVE(0.0, 1.0), .choice = DEM_CONTROL_STRAIN_PATH,
     .say = "strain on a wave of {}"},
    {"gamma", offsetof(dem_control, value), .range = ABOVE(0.0, 1.0), .divide = 2.0, .choice = DEM_CONTROL_STRAIN_PATH},
    {"stress", offsetof(dem_control, value), KEY_NUMBER, DIMENSION_PRESSURE, .range = PRESSURE_RANGE,
     .choice = DEM_CONTROL_STRESS_PATH, .say = "stress on a wave of {}"},
    {"frequency", offsetof(dem_control, wave.frequency), .range = IN(1e-3, 1e3), .standard = 1.0,
     .choice = KEY_NO_CHOICE},
    {"phase", offsetof(dem_control, wave.phase), .range = IN(-360.0, 360.0), .divide = 360.0, .choice = KEY_NO_CHOICE},
    {"center", offsetof(dem_control, wave.center), KEY_NUMBER, DIMENSION_PRESSURE, .range = STRESS_RANGE,
     .standard = NAN, .choice = KEY_NO_CHOICE},
};
static const dem_block wave_block = BLOCK(wave_keys);

static const char *name_of_kind(const dem_block *block, dem_control_kind kind)
{
  size_t i = 0;
  while (block->keys[i].choice != (int)kind)
    i++;
  return block->keys[i].name;
}

/* A component with zero strain rate has no key, whichever way the case says it. */
static void store_control(FILE *out, const char *name, const dem_case *run, const void *of)
{
  const dem_control *control = of;
  bool is_speed = control->kind == DEM_CONTROL_STRAIN_RATE || control->kind == DEM_CONTROL_STRAIN_STEP;
  (void)run;
  if (control->kind == DEM_CONTROL_VOLUME)
    fprintf(out, "%s.volume: constant\n", name);
  else if (control->kind < DEM_CONTROL_STRAIN_PATH && !(is_speed && control->value == 0.0))
    put_number(out, control->value, "%s.%s", name, name_of_kind(&control_block, control->kind));
  if (control->kind == DEM_CONTROL_STRESS)
    fprintf(out, "%s.ramp: %ld\n", name, control->ramp);
  if (control->kind < DEM_CONTROL_STRAIN_PATH)
    return;
  put_number(out, control->value, "%s.path_%s", name, name_of_kind(&wave_block, control->kind));
  put_number(out, control->wave.frequency, "%s.frequency", name);
  put_number(out, control->wave.phase, "%s.phase", name);
  if (!isnan(control->wave.center))
    put_number(out, control->wave.center, "%s.center", name);
}

#define COMPONENT(name, component, table, ...)                                                                         \
  {                                                                                                                    \
    (name), offsetof(dem_stage, control) + (component) * sizeof(dem_control), KEY_BLOCK, .block = &(table),            \
                                                                                         __VA_ARGS__                   \
  }
#define COMPONENTS(table, ...)                                                                                         \
  COMPONENT("xx", DEM_XX, table, __VA_ARGS__), COMPONENT("yy", DEM_YY, table, __VA_ARGS__),                            \
      COMPONENT("zz", DEM_ZZ, table, __VA_ARGS__), COMPONENT("xy", DEM_XY, table, __VA_ARGS__),                        \
      COMPONENT("xz", DEM_XZ, table, __VA_ARGS__), COMPONENT("yz", DEM_YZ, table, __VA_ARGS__)

static const dem_key component_keys[] = {COMPONENTS(control_block, .store = store_control)};
static const dem_block component_block = BLOCK(component_keys);

static const dem_key path_keys[] = {COMPONENTS(wave_block, .store = NULL)};
static const dem_block path_block = BLOCK(path_keys);

static const dem_key mean_stress_keys[] = {
    {"stress", offsetof(dem_control, value), KEY_NUMBER, DIMENSION_PRESSURE, .range = PRESSURE_RANGE,
     .example = "100 kPa"},
    {"ramp", offsetof(dem_control, ramp), KEY_WHOLE, .range = STEPS_RANGE},
};
static const dem_block mean_stress_block = BLOCK(mean_stress_keys);

/* ---- Cycles of a stage ------------------------------------------------------------------------------------------- */

static bool has_reversals(const void *stage)
{
  const dem_cyclic *cyclic = &((const dem_stage *)stage)->cyclic;
  return cyclic->on && !cyclic->has_paths;
}

static bool has_ratio(const void *stage)
{
  return has_reversals(stage) && ((const dem_stage *)stage)->cyclic.stress_ratio > 0.0;
}

static bool has_amplitude(const void *stage)
{
  return has_reversals(stage) && !has_ratio(stage);
}

static bool has_paths(const void *stage)
{
  return ((const dem_stage *)stage)->cyclic.has_paths;
}

static void store_quantity(FILE *out, const char *name, const dem_case *run, const void *quantity)
{
  (void)run;
  put_word(out, name, dem_quantity_name(*(const dem_quantity *)quantity));
}

static const dem_key cyclic_keys[] = {
    {"of", offsetof(dem_stage, cyclic.of), KEY_OTHER, .applies = has_reversals, .store = store_quantity},
    {"amplitude", offsetof(dem_stage, cyclic.amplitude), .range = ABOVE(0.0, 1.0), .applies = has_amplitude},
    {"csr", offsetof(dem_stage, cyclic.stress_ratio), .range = ABOVE(0.0, 10.0), .applies = has_ratio},
    {"center", offsetof(dem_stage, cyclic.center), KEY_NUMBER, DIMENSION_PRESSURE, .range = STRESS_RANGE,
     .standard = NAN, .if_set = true, .applies = has_reversals},
    {"paths", 0, KEY_OTHER, .block = &path_block}, /* stored as controls */
    {"steps_per_cycle", offsetof(dem_stage, cyclic.steps_per_cycle), KEY_WHOLE, .range = IN(4.0, 1e12), .if_set = true,
     .say = "cycles of {} steps"},
    {"period", offsetof(dem_stage, cyclic.period), KEY_NUMBER, DIMENSION_TIME, .range = IN(1e-15, 1e15), .if_set = true,
     .say = "cycles of {}"},
    {"run_in", offsetof(dem_stage, cyclic.run_in), .range = IN(0.0, 1e6), .applies = has_paths,
     .say = "run-in of {} cycles"},
};
static const dem_block cyclic_block = BLOCK(cyclic_keys);

/* ---- The end of a stage ------------------------------------------------------------------------------------------ */

/* The criteria of the list; src/case makes a criterion of a key of KEY_OTHER. */
static void store_until(FILE *out, const char *name, const dem_case *run, const void *of);

/* clang-format off */
#define STRAIN_END(name, of) {(name), 0, KEY_OTHER, .choice = (of), .range = STRAIN_RANGE}
#define STRESS_END(name, of) {(name), 0, KEY_OTHER, DIMENSION_PRESSURE, .choice = (of), .range = STRESS_RANGE}
#define GAMMA_END(name, of) {(name), 0, KEY_OTHER, .choice = (of), .range = IN(-20.0, 20.0)} /* twice a tensor strain */
#define SIZE_END(name, of) {(name), 0, KEY_OTHER, .choice = (of), .range = ABOVE(0.0, 20.0)}
#define RATIO_END(name, of) {(name), 0, KEY_OTHER, .choice = (of), .range = SHARE_RANGE}
/* clang-format on */

static const dem_key until_keys[] = {
    {"steps", offsetof(dem_until, steps), KEY_WHOLE, .range = STEPS_FROM_1_RANGE, .if_set = true, .say = "{} steps"},
    {"time", offsetof(dem_until, time), KEY_NUMBER, DIMENSION_TIME, .range = IN(1e-15, 1e15), .if_set = true,
     .say = "{}"},
    {"cycles", offsetof(dem_until, cycles), .range = IN(0.01, 1e9), .if_set = true, .say = "{} cycles"},
    {"unbalanced", offsetof(dem_until, unbalanced), .range = SHARE_RANGE, .if_set = true, .say = "unbalanced < {}"},
    STRAIN_END("strain_xx", DEM_STRAIN + DEM_XX),
    STRAIN_END("strain_yy", DEM_STRAIN + DEM_YY),
    STRAIN_END("strain_zz", DEM_STRAIN + DEM_ZZ),
    STRAIN_END("strain_xy", DEM_STRAIN + DEM_XY),
    STRAIN_END("strain_xz", DEM_STRAIN + DEM_XZ),
    STRAIN_END("strain_yz", DEM_STRAIN + DEM_YZ),
    STRESS_END("stress_xx", DEM_STRESS + DEM_XX),
    STRESS_END("stress_yy", DEM_STRESS + DEM_YY),
    STRESS_END("stress_zz", DEM_STRESS + DEM_ZZ),
    STRESS_END("stress_xy", DEM_STRESS + DEM_XY),
    STRESS_END("stress_xz", DEM_STRESS + DEM_XZ),
    STRESS_END("stress_yz", DEM_STRESS + DEM_YZ),
    {"p", 0, KEY_OTHER, DIMENSION_PRESSURE, .choice = DEM_MEAN_STRESS, .range = PRESSURE_RANGE},
    STRESS_END("q", DEM_DEVIATOR),
    STRAIN_END("volumetric_strain", DEM_VOLUMETRIC_STRAIN),
    {"void_ratio", 0, KEY_OTHER, .choice = DEM_VOID_RATIO, .range = ABOVE(0.0, 1e6)},
    GAMMA_END("gamma_xy", DEM_GAMMA),
    GAMMA_END("gamma_xz", DEM_GAMMA + 1),
    GAMMA_END("gamma_yz", DEM_GAMMA + 2),
    SIZE_END("|gamma_xy|", DEM_GAMMA_SIZE),
    SIZE_END("|gamma_xz|", DEM_GAMMA_SIZE + 1),
    SIZE_END("|gamma_yz|", DEM_GAMMA_SIZE + 2),
    SIZE_END("double_amplitude_xx", DEM_DOUBLE_AMPLITUDE + DEM_XX),
    SIZE_END("double_amplitude_yy", DEM_DOUBLE_AMPLITUDE + DEM_YY),
    SIZE_END("double_amplitude_zz", DEM_DOUBLE_AMPLITUDE + DEM_ZZ),
    SIZE_END("double_amplitude_xy", DEM_DOUBLE_AMPLITUDE + DEM_XY),
    SIZE_END("double_amplitude_xz", DEM_DOUBLE_AMPLITUDE + DEM_XZ),
    SIZE_END("double_amplitude_yz", DEM_DOUBLE_AMPLITUDE + DEM_YZ),
    RATIO_END("r_u", DEM_R_U),
    RATIO_END("r_u_zz", DEM_R_U_ZZ),
};
static const dem_block until_block = BLOCK(until_keys);

enum { LIMITS = sizeof until_keys / sizeof *until_keys - DEM_QUANTITIES }; /* keys before the quantities */

const char *dem_quantity_name(dem_quantity quantity)
{
  return (unsigned)quantity < DEM_QUANTITIES ? until_keys[LIMITS + quantity].name : NULL;
}

static void store_until(FILE *out, const char *name, const dem_case *run, const void *of)
{
  const dem_until *until = of;
  put_block(out, &until_block, name, run, until);
  for (int k = 0; k < until->count; k++)
    put_number(out, until->criteria[k].value, "%s.%s", name, until_keys[LIMITS + until->criteria[k].of].name);
}

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

static bool holds_mean_stress(const void *stage)
{
  return ((const dem_stage *)stage)->mean_stress_is_held;
}

static const dem_key stage_keys[] = {
    {"name", offsetof(dem_stage, name), KEY_OTHER, .example = "biaxial"},
    {"control", 0, KEY_BLOCK, .block = &component_block, .rule = KEY_OF_CONTROL},
    {"mean_stress", offsetof(dem_stage, mean_stress), KEY_BLOCK, .block = &mean_stress_block,
     .applies = holds_mean_stress, .rule = KEY_OF_CONTROL},
    {"inertial_number", offsetof(dem_stage, inertial_number), .range = IN(1e-9, 0.1), .if_set = true},
    {"cyclic", 0, KEY_BLOCK, .block = &cyclic_block},
    {"modulus_reduction", 0, KEY_OTHER, .changes_nothing = true}, /* becomes stages */
    {"until", offsetof(dem_stage, until), KEY_BLOCK, .block = &until_block, .store = store_until, .rule = KEY_OF_END},
    {"friction", offsetof(dem_stage, friction), .range = FRICTION_RANGE, .standard = NAN, .if_set = true,
     .say = "friction {}", .rule = KEY_OF_LOADING},
    {"stop_spheres", offsetof(dem_stage, stops_spheres), KEY_FLAG, .if_set = true, .say = "spheres are stopped first"},
    {"damping", offsetof(dem_stage, damping), KEY_BLOCK, .block = &damping_block, .rule = KEY_OF_LOADING},
    {"output", 0, KEY_OTHER, .changes_nothing = true},
};
static const dem_block stage_block = BLOCK(stage_keys);

static void store_stages(FILE *out, const char *name, const dem_case *run, const void *stages)
{
  for (int k = 0; k < run->stage_count; k++) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s.%d", name, k);
    put_block(out, &stage_block, path, run, (const dem_stage *)stages + k);
  }
}

/* ---- Traces ------------------------------------------------------------------------------------------------------ */

static void store_pair(FILE *out, const char *name, const dem_case *run, const void *ids)
{
  (void)run;
  for (int k = 0; k < 2; k++)
    fprintf(out, "%s.%d: %u\n", name, k, ((const uint32_t *)ids)[k]);
}

static void store_birth(FILE *out, const char *name, const dem_case *run, const void *of)
{
  const dem_trace *trace = of;
  (void)run;
  put_number(out, trace->strain, "%s.strain_%s", name, dem_component_name(trace->component));
}

/* By its number, from 0, since names of stages change no result. */
static void store_trace_stage(FILE *out, const char *name, const dem_case *run, const void *stage)
{
  int number = run->stage_count - 1;
  for (int k = 0; k < run->stage_count; k++)
    if (strcmp(run->stages[k].name, stage) == 0 && *(const char *)stage) {
      number = k;
      break;
    }
  fprintf(out, "%s: %d\n", name, number);
}

/* clang-format off */
#define BIRTH(name, component) {(name), offsetof(dem_trace, strain), .range = STRAIN_RANGE, .choice = (component)}
/* clang-format on */
static const dem_key birth_keys[] = {BIRTH("strain_xx", DEM_XX), BIRTH("strain_yy", DEM_YY),
                                     BIRTH("strain_zz", DEM_ZZ), BIRTH("strain_xy", DEM_XY),
                                     BIRTH("strain_xz", DEM_XZ), BIRTH("strain_yz", DEM_YZ)};
static const dem_block birth_block = BLOCK(birth_keys);

static const dem_key trace_keys[] = {
    {"pair", offsetof(dem_trace, ids), KEY_OTHER, ONLY_IF(dem_trace, kind, DEM_TRACE_PAIR), .store = store_pair},
    {"born", 0, KEY_BLOCK, .block = &birth_block, ONLY_IF(dem_trace, kind, DEM_TRACE_BORN), .store = store_birth},
    {"stage", offsetof(dem_trace, stage), KEY_OTHER, ONLY_IF(dem_trace, kind, DEM_TRACE_BORN),
     .store = store_trace_stage},
    {"window", offsetof(dem_trace, window), .range = SHARE_RANGE, ONLY_IF(dem_trace, kind, DEM_TRACE_BORN)},
    {"every", offsetof(dem_trace, every), KEY_WHOLE, .range = STEPS_FROM_1_RANGE, .standard = 1.0},
};
static const dem_block trace_block = BLOCK(trace_keys);

static void store_traces(FILE *out, const char *name, const dem_case *run, const void *traces)
{
  for (int k = 0; k < run->trace_count; k++) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s.%d", name, k);
    put_block(out, &trace_block, path, run, (const dem_trace *)traces + k);
  }
}

/* ---- The case ---------------------------------------------------------------------------------------------------- */

/* A block is read after those that it needs: stages start from damping and output, traces name stages. */
static const dem_key case_keys[] = {
    {"jager", 0, KEY_OTHER, .example = "1"},
    {"title", offsetof(dem_case, title), KEY_TEXT, .range = IN(0.0, 500.0), .say = "title       {}", .if_set = true,
     .changes_nothing = true},
    {"seed", offsetof(dem_case, seed), .kind = KEY_OTHER}, /* stored with the packing */
    {"material", offsetof(dem_case, material), KEY_BLOCK, .block = &material_block,
     .example = "{shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}"},
    {"contact", offsetof(dem_case, contact), KEY_BLOCK, .block = &contact_block},
    {"damping", offsetof(dem_case, damping), KEY_BLOCK, .block = &damping_block,
     .changes_nothing = true}, /* stages do */
    {"time_step", 0, KEY_BLOCK, .block = &time_step_block},
    {"density_scaling", offsetof(dem_case, density_scaling), .range = IN(1.0, 1e12), .standard = 1.0,
     .store = store_density_scaling},
    {"gravity", offsetof(dem_case, gravity), KEY_NUMBER, DIMENSION_ACCELERATION, .count = 3, .range = IN(-1e9, 1e9)},
    {"overlap_limit", offsetof(dem_case, overlap_limit), .range = SHARE_RANGE, .standard = 0.1,
     .say = "stops       at an overlap of {} of the smaller radius", .rule = KEY_OVERLAP_LIMIT},
    {"skin", offsetof(dem_case, skin), .range = SHARE_RANGE, .changes_nothing = true},
    {"assembly", offsetof(dem_case, assembly), KEY_BLOCK, .block = &assembly_block,
     .example = "{packing: {spheres: 4096, sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}, pressure: 100 kPa}}"},
    {"output", 0, KEY_OTHER, .changes_nothing = true},
    {"checkpoint", 0, KEY_OTHER, .changes_nothing = true},
    {"stages", offsetof(dem_case, stages), KEY_OTHER, .block = &stage_block, .store = store_stages,
     .example = "[{name: rest, control: {xx: {stress: 100 kPa}, yy: {stress: 100 kPa}, zz: {stress: 100 kPa}}, until: "
                "{unbalanced: 1e-4}}]"},
    {"trace", offsetof(dem_case, traces), KEY_OTHER, .block = &trace_block, .store = store_traces},
};
const dem_block dem_case_block = BLOCK(case_keys);

/* Numbers have a decimal point in every locale. */
char *dem_case_keys_print(const dem_case *run)
{
  char *text = NULL;
  size_t size;
  locale_t point = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  FILE *out = point ? open_memstream(&text, &size) : NULL;
  if (out) {
    locale_t before = uselocale(point);
    put_block(out, &dem_case_block, "", run, run);
    uselocale(before);
    bool failed = ferror(out);
    if (fclose(out) != 0 || failed) {
      free(text);
      text = NULL;
    }
  }
  if (point)
    freelocale(point);
  return text;
}

/* ---- Single keys ------------------------------------------------------------------------------------------------- */

/* The key with the name of these letters. */
static const dem_key *find_in(const dem_block *block, const char *name, size_t length)
{
  for (size_t i = 0; block && i < block->count; i++)
    if (strlen(block->keys[i].name) == length && memcmp(block->keys[i].name, name, length) == 0)
      return &block->keys[i];
  return NULL;
}

/* Follows the path as far as it names keys. Returns the last one, whether the whole path is one, and its rule. */
static const dem_key *follow(const char *path, bool *is_whole, dem_key_rule *rule)
{
  const dem_key *key = NULL;
  const dem_block *block = &dem_case_block;
  *rule = KEY_IS_FIXED;
  *is_whole = false;
  while (*path) {
    size_t length = strcspn(path, ".");
    bool is_number = strspn(path, "0123456789") == length;
    const dem_key *next = is_number ? key : find_in(block, path, length);
    if (!next)
      return key;
    key = next;
    block = key->block;
    *rule = key->rule != KEY_IS_FIXED ? key->rule : *rule;
    path += length + (path[length] == '.');
  }
  *is_whole = true;
  return key;
}

const dem_key *dem_key_find(const char *path)
{
  bool is_whole;
  dem_key_rule rule;
  const dem_key *key = follow(path, &is_whole, &rule);
  return is_whole ? key : NULL;
}

dem_key_rule dem_key_rule_of(const char *path)
{
  bool is_whole;
  dem_key_rule rule;
  (void)follow(path, &is_whole, &rule);
  return rule;
}

void dem_block_set_standards(const dem_block *block, void *of)
{
  for (size_t i = 0; i < block->count; i++) {
    const dem_key *key = &block->keys[i];
    void *member = (char *)of + key->offset;
    if (key->kind == KEY_NUMBER)
      for (int k = 0; k < (key->count > 0 ? key->count : 1); k++)
        ((double *)member)[k] = key->standard;
    else if (key->kind == KEY_WHOLE)
      *(long *)member = (long)key->standard;
    else if (key->kind == KEY_FLAG)
      *(bool *)member = key->standard != 0.0;
    else if (key->kind == KEY_BLOCK)
      dem_block_set_standards(key->block, member);
  }
}

/* Has the member its default? */
static bool is_standard(const dem_key *key, const void *member)
{
  if (key->kind == KEY_TEXT)
    return !*(char *const *)member;
  if (key->kind == KEY_FLAG)
    return *(const bool *)member == (key->standard != 0.0);
  double value = key->kind == KEY_WHOLE ? (double)*(const long *)member : *(const double *)member;
  return isnan(key->standard) ? isnan(value) : value == key->standard;
}

bool dem_key_applies(const dem_key *key, const void *of)
{
  if (key->is_decided && *(const int *)(const void *)((const char *)of + key->decider) != key->decision)
    return false;
  return (!key->applies || key->applies(of)) && !(key->if_set && is_standard(key, dem_key_member(key, of)));
}
