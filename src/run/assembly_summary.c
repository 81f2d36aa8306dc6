/* SPDX-License-Identifier: MIT */
/* The assembly in the summary of a run. */
#include "assembly_summary.h"
#include "base/json.h"

#include <math.h>

static void print_packing(FILE *out, const dem_case *run, const dem_packing_report *packing)
{
  fprintf(out, "packing: void ratio %.4f for the target %.4f, at friction %.3g, which fell from %.3g",
          packing->void_ratio, packing->target, packing->friction, dem_case_packing_friction(run));
  fprintf(out, "; loosest %.4f", packing->loosest);
  if (packing->densest > 0.0)
    fprintf(out, ", densest %.4f: relative density %.1f %%", packing->densest,
            100.0 * dem_packing_relative_density(packing));
  fprintf(out, "; %d trial%s\n", packing->trials, packing->trials == 1 ? "" : "s");
}

void run_assembly_print(FILE *out, const dem_case *run, const dem_grading *grading, const dem_packing_report *packing)
{
  fprintf(out, "grading: D10 %.4g mm, D30 %.4g mm, D50 %.4g mm, D60 %.4g mm; Cu %.3g, Cc %.3g\n", 1e3 * grading->d10,
          1e3 * grading->d30, 1e3 * grading->d50, 1e3 * grading->d60, grading->uniformity, grading->curvature);
  if (packing->trials > 0)
    print_packing(out, run, packing);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void print_numbers(FILE *out, const char *const keys[], const double values[], int count)
{
  for (int i = 0; i < count; i++) {
    fprintf(out, "%s\"%s\": ", i > 0 ? ", " : "{", keys[i]);
    json_print_number(values[i], out);
  }
}

void run_assembly_print_json(FILE *out, const dem_grading *grading, const dem_packing_report *packing)
{
  static const char *const grading_keys[] = {"d10", "d30", "d50", "d60", "cu", "cc"};
  static const char *const packing_keys[] = {"void_ratio", "target",  "friction",
                                             "loosest",    "densest", "relative_density"};
  const double sizes[] = {grading->d10, grading->d30,        grading->d50,
                          grading->d60, grading->uniformity, grading->curvature};
  const double found[] = {packing->void_ratio,
                          packing->target,
                          packing->friction,
                          packing->loosest,
                          packing->densest > 0.0 ? packing->densest : NAN,
                          dem_packing_relative_density(packing)};
  fprintf(out, ", \"grading\": ");
  print_numbers(out, grading_keys, sizes, (int)(sizeof sizes / sizeof *sizes));
  fputc('}', out);
  if (packing->trials == 0)
    return;
  fprintf(out, ", \"packing\": ");
  print_numbers(out, packing_keys, found, (int)(sizeof found / sizeof *found));
  fprintf(out, ", \"trials\": %d}", packing->trials);
}
