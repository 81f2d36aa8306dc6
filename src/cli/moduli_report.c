/* SPDX-License-Identifier: MIT */
/* The results of `jager moduli` for people, as CSV, as JSON and as the numbers of a picture. */
#include "moduli_report.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

#define UNBALANCED_LIMIT 1e-2    /* beyond, the state is not in equilibrium */
#define PRESSURE_SPREAD_MIN 1e-3 /* relative; below, an exponent over p would be noise */

static const double kilo = 1e-3, mega = 1e-6; /* from Pa */

/* ---- Order ------------------------------------------------------------------------------------------------------- */

/* States of the same pressure stay in the order of the arguments. */
void moduli_report_sort(moduli_report *report)
{
  for (size_t i = 1; i < report->count; i++) {
    moduli_entry entry = report->entries[i];
    size_t at = i;
    for (; at > 0 && report->entries[at - 1].result.p > entry.result.p; at--)
      report->entries[at] = report->entries[at - 1];
    report->entries[at] = entry;
  }
}

/* ---- Fits -------------------------------------------------------------------------------------------------------- */

bool moduli_report_fit(moduli_report *report, error_info *error)
{
  size_t count = report->count;
  double *values = malloc((3 * count + 1) * sizeof *values);
  if (!values)
    return error_out_of_memory(error);
  double *p = values, *g = values + count, *k = values + 2 * count;
  bool differ = false, are_positive = true;
  for (size_t i = 0; i < count; i++) {
    const moduli_result *r = &report->entries[i].result;
    p[i] = r->p;
    g[i] = r->averages[MODULI_STRESSED].shear;
    k[i] = r->averages[MODULI_STRESSED].bulk;
    are_positive = are_positive && p[i] > 0.0 && g[i] > 0.0 && k[i] > 0.0;
    differ = differ || fabs(p[i] - p[0]) > PRESSURE_SPREAD_MIN * fabs(p[0]);
  }
  report->has_fits = differ && are_positive;
  if (report->has_fits) {
    report->shear = moduli_fit_power(p, g, (int)count);
    report->bulk = moduli_fit_power(p, k, (int)count);
  }
  free(values);
  return true;
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static void print_row(const moduli_result *r, const char *name, double factor, size_t offset, FILE *out)
{
  fprintf(out, "  %-28s", name);
  for (int kind = 0; kind < MODULI_KINDS; kind++)
    fprintf(out, " %20.6g", factor * *(const double *)(const void *)((const char *)&r->averages[kind] + offset));
  fprintf(out, "\n");
}

static void print_entry(const moduli_entry *entry, FILE *out)
{
  const moduli_origin *o = &entry->origin;
  const moduli_result *r = &entry->result;
  const moduli_waves *w = &r->waves;
  fprintf(out, "%s: ", entry->path);
  if (o->is_case)
    fprintf(out, "assembly of the case before its first stage, after %ld steps", o->step);
  else if (o->stage == 0)
    fprintf(out, "step %ld, packing", o->step);
  else
    fprintf(out, "step %ld, stage %d of %d, %s", o->step, o->stage, o->stage_count, o->stage_name);
  fprintf(out, "; model %s, %s\n", jager_model_name(o->model), jager_contour_name(o->contour));

  fprintf(out, "  %-11s %zu; rattlers left out: %zu; contacts that carry load: %zu; floppy movements: %zu\n",
          r->has_clumps ? "grains" : "spheres", r->grains, r->rattlers, r->contacts, r->floppy);
  fprintf(out, "  stress      p %.6g kPa; xx %.6g, yy %.6g, zz %.6g, yz %.3g, xz %.3g, xy %.3g kPa\n", kilo * r->p,
          kilo * r->stress[0], kilo * r->stress[1], kilo * r->stress[2], kilo * r->stress[3], kilo * r->stress[4],
          kilo * r->stress[5]);
  fprintf(out, "  density     %.6g kg/m3; unbalanced force %.2g\n", r->density, r->unbalanced);
  if (r->softest.share > 0.0)
    fprintf(out, "  softest     movement: springs %.2g, initial stress about %.2g of the mean stiffness\n",
            r->softest.stiffness, r->softest.stress_stiffness);

  fprintf(out, "\n  %-28s %20s %20s %20s\n", "", "with initial stress", "springs alone", "affine");
  print_row(r, "K   bulk modulus, MPa", mega, offsetof(moduli_averages, bulk), out);
  print_row(r, "G   shear modulus, MPa", mega, offsetof(moduli_averages, shear), out);
  print_row(r, "E   Young's modulus, MPa", mega, offsetof(moduli_averages, young), out);
  print_row(r, "nu  Poisson's ratio", 1.0, offsetof(moduli_averages, poisson), out);
  print_row(r, "anisotropy", 1.0, offsetof(moduli_averages, anisotropy), out);
  for (int k = 3; k < MODULI_VOIGT; k++) {
    static const char *const names[] = {"C44 shear yz, MPa", "C55 shear xz, MPa", "C66 shear xy, MPa"};
    fprintf(out, "  %-28s", names[k - 3]);
    for (int kind = 0; kind < MODULI_KINDS; kind++)
      fprintf(out, " %20.6g", mega * r->stiffness[kind][k][k]);
    fprintf(out, "\n");
  }

  fprintf(out,
          "\n  stiffness with initial stress, MPa: d stress / d strain; xx, yy, zz, yz, xz, xy; gamma = 2 strain\n");
  for (int i = 0; i < MODULI_VOIGT; i++) {
    fprintf(out, "   ");
    for (int j = 0; j < MODULI_VOIGT; j++)
      fprintf(out, " %11.5g", mega * r->stiffness[MODULI_STRESSED][i][j]);
    fprintf(out, "\n");
  }
  fprintf(out, "\n  Vp, m/s     x %.5g, y %.5g, z %.5g\n", w->p[0], w->p[1], w->p[2]);
  fprintf(out, "  Vs, m/s     xy %.5g, xz %.5g, yx %.5g, yz %.5g, zx %.5g, zy %.5g (along, motion)\n", w->s[0][1],
          w->s[0][2], w->s[1][0], w->s[1][2], w->s[2][0], w->s[2][1]);
}

static double mean_vp(const moduli_waves *w)
{
  return (w->p[0] + w->p[1] + w->p[2]) / 3.0;
}

static double mean_vs(const moduli_waves *w)
{
  return (w->s[0][1] + w->s[0][2] + w->s[1][0] + w->s[1][2] + w->s[2][0] + w->s[2][1]) / 6.0;
}

static void print_fit(const char *name, const moduli_fit *fit, size_t count, FILE *out)
{
  fprintf(out, "%s over p: exponent n = %.4f", name, fit->exponent);
  if (count > 2)
    fprintf(out, " +- %.4f (standard error)", fit->standard_error);
  fprintf(out, "; %.5g MPa at 100 kPa\n", mega * fit->factor * pow(1e5, fit->exponent));
}

void moduli_report_print(const moduli_report *report, FILE *out)
{
  if (report->count == 1) {
    print_entry(&report->entries[0], out);
    return;
  }
  fprintf(out, "%12s %11s %11s %9s %10s %10s %10s %9s  %s\n", "p, kPa", "G, MPa", "K, MPa", "nu", "C55, MPa", "Vp, m/s",
          "Vs, m/s", "rattlers", "state");
  for (size_t i = 0; i < report->count; i++) {
    const moduli_result *r = &report->entries[i].result;
    const moduli_averages *a = &r->averages[MODULI_STRESSED];
    fprintf(out, "%12.6g %11.5g %11.5g %9.4g %10.5g %10.5g %10.5g %9zu  %s\n", kilo * r->p, mega * a->shear,
            mega * a->bulk, a->poisson, mega * r->stiffness[MODULI_STRESSED][4][4], mean_vp(&r->waves),
            mean_vs(&r->waves), r->rattlers, report->entries[i].path);
  }
  /* Entries are in the order of their pressures. */
  double low = report->entries[0].result.p, high = report->entries[report->count - 1].result.p;
  if (report->has_fits) {
    print_fit("G", &report->shear, report->count, out);
    print_fit("K", &report->bulk, report->count, out);
  } else
    fprintf(out, "no exponents over p: %s\n",
            high - low > PRESSURE_SPREAD_MIN * fabs(low) ? "a pressure or a modulus is not positive"
                                                         : "all states have the same pressure, within 0.1 %");
}

/* ---- Warnings ---------------------------------------------------------------------------------------------------- */

void moduli_report_warn(const moduli_entry *entry)
{
  const moduli_result *r = &entry->result;
  if (r->unbalanced > UNBALANCED_LIMIT)
    complain(
        MODULI_COMMAND,
        "warning: %s is not in equilibrium: the unbalanced force is %.2g, limit %g: let the assembly rest first, in "
        "a stage with until: {unbalanced: 1e-4}",
        entry->path, r->unbalanced, UNBALANCED_LIMIT);
  if (r->resisted < MODULI_VOIGT)
    complain(MODULI_COMMAND, "warning: %s: the contacts resist only %d of the 6 strains: the assembly is floppy",
             entry->path, r->resisted);
  if (moduli_springs_are_doubtful(r))
    complain(
        MODULI_COMMAND,
        "warning: %s: \"springs alone\" is unreliable: C%d%d depends by %.2g %% on one movement that is nearly free "
        "(stiffness %.2g of the mean; the initial stress, left out, has about %.2g): use the moduli with the initial "
        "stress",
        entry->path, r->softest.strain + 1, r->softest.strain + 1, 100.0 * r->softest.share, r->softest.stiffness,
        r->softest.stress_stiffness);
  if (!r->is_stable)
    complain(MODULI_COMMAND,
             "warning: %s: with the initial stress the stiffness is not positive: the assembly is not stable",
             entry->path);
}

/* ---- Named numbers: one list for CSV and JSON -------------------------------------------------------------------- */

/* Is called with the name of a number, such as "c44" or "bulk_affine", and its value. */
typedef void visitor(void *context, const char *name, double value);

/* Visits all numbers of a result, in the order of the columns. docs/files.md lists them. */
static void visit_numbers(const moduli_result *r, visitor *visit, void *context)
{
  static const char *const endings[MODULI_KINDS] = {"", "_springs", "_affine"};
  static const char *const components[MODULI_VOIGT] = {"xx", "yy", "zz", "yz", "xz", "xy"};
  static const char *const averages[] = {"bulk", "shear", "young", "poisson", "anisotropy"};
  char name[48];
  visit(context, "p", r->p);
  for (int k = 0; k < MODULI_VOIGT; k++) {
    snprintf(name, sizeof name, "stress_%s", components[k]);
    visit(context, name, r->stress[k]);
  }
  visit(context, "density", r->density);
  visit(context, "spheres", (double)r->spheres);
  visit(context, "grains", (double)r->grains);
  visit(context, "rattlers", (double)r->rattlers);
  visit(context, "contacts", (double)r->contacts);
  visit(context, "floppy", (double)r->floppy);
  visit(context, "softest", r->softest.stiffness);
  visit(context, "softest_share", r->softest.share);
  visit(context, "unbalanced", r->unbalanced);
  visit(context, "residual", r->residual);
  for (int kind = 0; kind < MODULI_KINDS; kind++) {
    const moduli_averages *a = &r->averages[kind];
    const double values[] = {a->bulk, a->shear, a->young, a->poisson, a->anisotropy};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      snprintf(name, sizeof name, "%s%s", averages[k], endings[kind]);
      visit(context, name, values[k]);
    }
  }
  for (int i = 0; i < 3; i++) {
    snprintf(name, sizeof name, "vp_%c", 'x' + i);
    visit(context, name, r->waves.p[i]);
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (i != j) {
        snprintf(name, sizeof name, "vs_%c%c", 'x' + i, 'x' + j);
        visit(context, name, r->waves.s[i][j]);
      }
  for (int kind = 0; kind < MODULI_KINDS; kind++)
    for (int i = 0; i < MODULI_VOIGT; i++)
      for (int j = 0; j < MODULI_VOIGT; j++) {
        snprintf(name, sizeof name, "c%d%d%s", i + 1, j + 1, endings[kind]);
        visit(context, name, r->stiffness[kind][i][j]);
      }
}

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static void print_name(void *context, const char *name, double value)
{
  (void)value;
  fprintf(context, ",%s", name);
}

static void print_value(void *context, const char *name, double value)
{
  char text[NUMBER_PRINT_SIZE];
  (void)name;
  number_print(value, text);
  fprintf(context, ",%s", text);
}

bool moduli_report_write_csv(const moduli_report *report, whole_file *file, const char *path, error_info *error)
{
  FILE *out = file->stream;
  fputs("state,step", out);
  visit_numbers(&report->entries[0].result, print_name, out);
  fputc('\n', out);
  for (size_t i = 0; i < report->count; i++) {
    fputc('"', out); /* quoted, as spreadsheets do it */
    for (const char *at = report->entries[i].path; *at; at++)
      fputs(*at == '"' ? "\"\"" : (const char[2]){*at, '\0'}, out);
    fprintf(out, "\",%ld", report->entries[i].origin.step);
    visit_numbers(&report->entries[i].result, print_value, out);
    fputc('\n', out);
  }
  return whole_file_finish(file) || error_set_errno(error, "write", path);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void print_member(void *context, const char *name, double value)
{
  fprintf(context, ", \"%s\": ", name);
  json_print_number(value, context);
}

static void print_fit_json(const char *name, const moduli_fit *fit, FILE *out)
{
  fprintf(out, "\"%s\": {\"exponent\": ", name);
  json_print_number(fit->exponent, out);
  fputs(", \"standard_error\": ", out);
  json_print_number(fit->standard_error, out);
  fputs(", \"factor\": ", out);
  json_print_number(fit->factor, out);
  fputc('}', out);
}

void moduli_report_print_json(const moduli_report *report, FILE *out)
{
  fputs("{\"states\": [", out);
  for (size_t i = 0; i < report->count; i++) {
    const moduli_entry *entry = &report->entries[i];
    fputs(i > 0 ? ", {\"state\": " : "{\"state\": ", out);
    json_print_string(entry->path, out);
    fprintf(out, ", \"source\": \"%s\", \"step\": %ld, \"stage\": %d, \"model\": \"%s\", \"contour\": \"%s\"",
            entry->origin.is_case ? "case" : "checkpoint", entry->origin.step, entry->origin.stage,
            jager_model_name(entry->origin.model), jager_contour_name(entry->origin.contour));
    visit_numbers(&entry->result, print_member, out);
    fprintf(out, ", \"resisted\": %d, \"stable\": %s}", entry->result.resisted,
            entry->result.is_stable ? "true" : "false");
  }
  fputs("], \"fits\": ", out);
  if (report->has_fits) {
    fputc('{', out);
    print_fit_json("shear", &report->shear, out);
    fputs(", ", out);
    print_fit_json("bulk", &report->bulk, out);
    fputs("}}\n", out);
  } else
    fputs("null}\n", out);
}

/* ---- Picture ----------------------------------------------------------------------------------------------------- */

void moduli_report_print_plot(const void *of, FILE *out)
{
  const moduli_report *report = of;
  fputs("{\"points\": [", out);
  for (size_t i = 0; i < report->count; i++) {
    const moduli_result *r = &report->entries[i].result;
    const moduli_averages *stressed = &r->averages[MODULI_STRESSED], *affine = &r->averages[MODULI_AFFINE];
    const double point[] = {r->p,         stressed->shear,    stressed->bulk,    affine->shear,
                            affine->bulk, mean_vp(&r->waves), mean_vs(&r->waves)};
    for (size_t k = 0; k < sizeof point / sizeof *point; k++) {
      fputs(k > 0 ? ", " : i > 0 ? "],\n[" : "[", out);
      json_print_number(point[k], out);
    }
  }
  if (report->has_fits)
    fprintf(out,
            "]], \"fits\": {\"G\": {\"factor\": %.17g, \"exponent\": %.17g}, \"K\": {\"factor\": %.17g, \"exponent\": "
            "%.17g}}}\n",
            report->shear.factor, report->shear.exponent, report->bulk.factor, report->bulk.exponent);
  else
    fputs("]], \"fits\": null}\n", out);
}
