/* SPDX-License-Identifier: MIT */
/* The command `jager shape`: volume, centroid and inertia of a clump of overlapping spheres. */
#include "command.h"
#include "base/text.h"
#include "dem/shape.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define SHAPE_COMMAND "jager shape"
#define PI 3.14159265358979323846

enum { DIAMETER, DENSITY, RADIUS, OFFSET, CORE, NUMBERS }; /* options with a number */
enum { KEY_NUMBER = 256, KEY_ALIGN = KEY_NUMBER + NUMBERS, KEY_CSV, KEY_MOLECULE };

typedef struct shape_options {
  const char *subject;    /* name or file */
  double number[NUMBERS]; /* NAN: not given */
  bool is_aligned, prints_csv, prints_molecule;
} shape_options;

static const struct argp_option option_list[] = {
    {"diameter", KEY_NUMBER + DIAMETER, "D", 0, "Scale to the size of a sphere of diameter D, m, of the same volume",
     0},
    {"density", KEY_NUMBER + DENSITY, "RHO", 0, "Density, kg/m3 (default 2650)", 0},
    {"align", KEY_ALIGN, NULL, 0, "Put the centroid at the origin and the principal axes along x, y and z", 0},
    {NULL, 0, NULL, 0, "Numbers of pair, tetrahedron and octahedron:", 1},
    {"radius", KEY_NUMBER + RADIUS, "R", 0, "Radius of the satellites (default 1)", 1},
    {"offset", KEY_NUMBER + OFFSET, "X", 0,
     "Distance of the satellites from the middle (default 0.5 of a pair, else 0.75)", 1},
    {"core", KEY_NUMBER + CORE, "R", 0, "Radius of a sphere in the middle (default 0: none)", 1},
    {NULL, 0, NULL, 0, "Output, instead of a description:", 2},
    {"csv", KEY_CSV, NULL, 0, "Print the spheres as CSV: x,y,z,r", 2},
    {"molecule", KEY_MOLECULE, NULL, 0,
     "Print a molecule file for fix rigid/small of LAMMPS, with mass and inertia of the union; implies --align", 2},
    {0},
};

static const char summary[] =
    "Compute volume, surface, centroid and inertia of a grain: a rigid clump of spheres whose overlaps count once.\v"
    "NAME is sphere, nevada, toyoura, pair, tetrahedron or octahedron. FILE is CSV of x,y,z,r, as CLUMP writes it, or "
    "a molecule file of LAMMPS with Coords and Diameters. See jager(1) and docs/files.md.";

/* ---- The command line -------------------------------------------------------------------------------------------- */

static void take_number(shape_options *options, int index, const char *text, struct argp_state *state)
{
  static const char *const names[NUMBERS] = {"diameter", "density", "radius", "offset", "core"};
  double least = index == OFFSET || index == CORE ? 0.0 : 1e-30, *number = &options->number[index];
  if (!number_parse(text, number) || !(*number >= least && *number <= 1e30))
    argp_error(state, "--%s needs a number from %g to 1e30, not '%s'", names[index], least, text);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  shape_options *options = state->input;
  switch (key) {
  case KEY_NUMBER + DIAMETER:
  case KEY_NUMBER + DENSITY:
  case KEY_NUMBER + RADIUS:
  case KEY_NUMBER + OFFSET:
  case KEY_NUMBER + CORE:
    take_number(options, key - KEY_NUMBER, argument, state);
    return 0;
  case KEY_ALIGN:
    options->is_aligned = true;
    return 0;
  case KEY_CSV:
    options->prints_csv = true;
    return 0;
  case KEY_MOLECULE:
    options->prints_molecule = true;
    return 0;
  case ARGP_KEY_ARG:
    if (options->subject)
      argp_error(state, "more than one shape: '%s'", argument);
    options->subject = argument;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "no shape is given: take a file, or one of %s", dem_shape_names);
    return 0;
  case ARGP_KEY_END:
    if (options->prints_csv && options->prints_molecule)
      argp_error(state, "--csv contradicts --molecule: give one of them");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* ---- The shape --------------------------------------------------------------------------------------------------- */

/* Returns the exit code; errors are printed. */
static int make_shape(const shape_options *options, dem_shape *shape)
{
  error_info error = {.text = ""};
  const char *subject = options->subject;
  const dem_shape_form form = {options->number[CORE], options->number[RADIUS], options->number[OFFSET]};
  bool is_named = dem_shape_is_name(subject);
  if (!is_named && access(subject, F_OK) != 0) {
    complain(SHAPE_COMMAND, "there is neither a file nor a shape '%s': shapes are %s", subject, dem_shape_names);
    return EXIT_IO_FAILED;
  }
  if (!is_named && access(subject, R_OK) != 0)
    return command_fail_file(SHAPE_COMMAND, "read", subject);
  if (!is_named && !(isnan(form.core) && isnan(form.radius) && isnan(form.offset))) {
    complain(SHAPE_COMMAND, "--radius, --offset and --core are for pair, tetrahedron and octahedron, not for files");
    return EXIT_BAD_INPUT;
  }
  if (!(is_named ? dem_shape_make_named(shape, subject, &form, &error) : dem_shape_read(shape, subject, &error))) {
    size_t length = strlen(subject);
    if (strncmp(error.text, subject, length) == 0 && error.text[length] == ':') /* with its place in the file */
      fprintf(stderr, "%s\n", error.text);
    else
      complain(SHAPE_COMMAND, "%s", error.text);
    return error.out_of_memory ? EXIT_IO_FAILED : EXIT_BAD_INPUT;
  }
  if (options->is_aligned || options->prints_molecule)
    dem_shape_align(shape);
  if (!isnan(options->number[DIAMETER]))
    dem_shape_scale(shape, 0.5 * options->number[DIAMETER] / shape->equal_radius);
  return EXIT_DONE;
}

/* ---- Output ------------------------------------------------------------------------------------------------------ */

static double cube(double x)
{
  return x * x * x;
}

static void print_description(const dem_shape *s, const shape_options *options)
{
  static const char *const names[DEM_COMPONENTS] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  double mass = options->number[DENSITY] * s->volume, sum = 0.0;
  printf("%s: %d spheres", options->subject, s->count);
  if (s->left_out > 0)
    printf("; %d left out, which lie within others", s->left_out);
  printf("\n\n  %14s %14s %14s %14s\n", "x, m", "y, m", "z, m", "r, m");
  for (int i = 0; i < s->count; i++) {
    const dem_shape_sphere *at = &s->spheres[i];
    printf("  %14.8g %14.8g %14.8g %14.8g\n", at->center.x, at->center.y, at->center.z, at->radius);
    sum += 4.0 / 3.0 * PI * cube(at->radius);
  }
  printf("\n  volume             %.8g m3; sum over the spheres %.8g m3, %.4g %% more\n", s->volume, sum,
         100.0 * fmax(0.0, sum / s->volume - 1.0));
  printf("  surface            %.7g m2; sphericity %.6g\n", s->surface,
         4.0 * PI * s->equal_radius * s->equal_radius / s->surface);
  printf("  equal volume       sphere of radius %.8g m\n", s->equal_radius);
  printf("  farthest point     %.8g m from the centroid\n", s->bounding_radius);
  printf("  centroid           %.8g %.8g %.8g m\n", s->centroid.x, s->centroid.y, s->centroid.z);
  printf("  mass               %.8g kg at %.6g kg/m3\n", mass, options->number[DENSITY]);
  printf("  inertia            ");
  for (int k = 0; k < DEM_COMPONENTS; k++)
    printf("%s %.8g%s", names[k], mass * s->inertia[k], k + 1 < DEM_COMPONENTS ? ", " : " kg m2\n");
  for (int k = 0; k < 3; k++)
    printf("  principal %d        %.8g kg m2 along %.6g %.6g %.6g; %.6g of mass x squared radius of equal volume\n",
           k + 1, mass * s->principal[k], s->axes[k].x, s->axes[k].y, s->axes[k].z,
           s->principal[k] / (s->equal_radius * s->equal_radius));
}

static void print_numbers(const double *values, int count, const char *separator, const char *ending)
{
  for (int k = 0; k < count; k++) {
    char text[NUMBER_PRINT_SIZE];
    number_print(values[k], text);
    printf("%s%s", text, k + 1 < count ? separator : ending);
  }
}

static void print_csv(const dem_shape *s)
{
  printf("x,y,z,r\n");
  for (int i = 0; i < s->count; i++) {
    const dem_shape_sphere *at = &s->spheres[i];
    print_numbers((const double[]){at->center.x, at->center.y, at->center.z, at->radius}, 4, ",", "\n");
  }
}

/*
 * Atoms share the mass of the union, so that their sum is right, too. The shape must be aligned: LAMMPS reads the
 * products of inertia in the order yz, xz, xy, but its manual says xy, xz, yz.
 */
static void print_molecule(const dem_shape *s, const shape_options *options)
{
  double mass = options->number[DENSITY] * s->volume, inertia[DEM_COMPONENTS], cubes = 0.0;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    inertia[k] = mass * s->inertia[k];
  for (int i = 0; i < s->count; i++)
    cubes += cube(s->spheres[i].radius);
  printf("A rigid clump by jager shape: mass, com and inertia are those of the union of its spheres\n\n%d atoms\n",
         s->count);
  print_numbers(&mass, 1, " ", " mass\n");
  print_numbers((const double[]){s->centroid.x, s->centroid.y, s->centroid.z}, 3, " ", " com\n");
  print_numbers(inertia, DEM_COMPONENTS, " ", " inertia\n");
  printf("\nCoords\n\n");
  for (int i = 0; i < s->count; i++) {
    vec3 x = s->spheres[i].center;
    printf("%d ", i + 1);
    print_numbers((const double[]){x.x, x.y, x.z}, 3, " ", "\n");
  }
  printf("\nTypes\n\n");
  for (int i = 0; i < s->count; i++)
    printf("%d 1\n", i + 1);
  printf("\nDiameters\n\n");
  for (int i = 0; i < s->count; i++) {
    printf("%d ", i + 1);
    print_numbers((const double[]){2.0 * s->spheres[i].radius}, 1, " ", "\n");
  }
  printf("\nMasses\n\n");
  for (int i = 0; i < s->count; i++) {
    printf("%d ", i + 1);
    print_numbers((const double[]){mass * cube(s->spheres[i].radius) / cubes}, 1, " ", "\n");
  }
}

int shape_command(int argc, char *argv[])
{
  static const struct argp parser = {
      .options = option_list, .parser = parse_option, .args_doc = "NAME|FILE", .doc = summary};
  shape_options options = {.number = {NAN, 2650.0, NAN, NAN, NAN}};
  dem_shape shape = {0};
  int code = command_parse(SHAPE_COMMAND, &parser, argc, argv, &options);
  if (code == EXIT_DONE)
    code = make_shape(&options, &shape);
  if (code != EXIT_DONE)
    return code;
  if (options.prints_csv)
    print_csv(&shape);
  else if (options.prints_molecule)
    print_molecule(&shape, &options);
  else
    print_description(&shape, &options);
  return EXIT_DONE;
}
