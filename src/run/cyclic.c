/* SPDX-License-Identifier: MIT */
/* The outcome of a cyclic stage. */
#include "cyclic.h"
#include "base/json.h"

#include <math.h>

bool run_has_cycles(const dem_case *run)
{
  for (int k = 0; k < run->stage_count; k++)
    if (run->stages[k].cyclic.on)
      return true;
  return false;
}

/* ---- Finding ----------------------------------------------------------------------------------------------------- */

/* Open loops have a stress ratio, but no damping ratio: they are not told. */
static void find_loops(cyclic_outcome *o, const cycles_table *cycles, int stage)
{
  bool has_csr = false;
  for (size_t row = 0; row < cycles->rows; row++) {
    if ((int)CYCLES_COLUMN(cycles, stage)[row] != stage)
      continue;
    o->r_u_max = fmax(o->r_u_max, CYCLES_COLUMN(cycles, r_u_max)[row]);
    if (!has_csr && !isnan(CYCLES_COLUMN(cycles, csr)[row])) {
      o->csr = CYCLES_COLUMN(cycles, csr)[row];
      has_csr = true;
    }
    if (isnan(CYCLES_COLUMN(cycles, damping_ratio)[row]))
      continue;
    o->first = o->has_loops ? o->first : row;
    o->last = row;
    o->has_loops = true;
  }
}

/* The series has a row of the step in which r_u reached the limit. */
static void find_liquefaction(cyclic_outcome *o, const series_table *table, stage_rows rows)
{
  for (size_t row = rows.first; row <= rows.last && isnan(o->liquefied_in); row++)
    if (SERIES_COLUMN(table, r_u)[row] >= DEM_LIQUEFIED_R_U)
      o->liquefied_in = SERIES_COLUMN(table, cycle)[row];
}

static double largest_csr(const series_table *table, stage_rows rows)
{
  double csr = 0.0;
  for (size_t row = rows.first; row <= rows.last; row++)
    csr = fmax(csr, fabs(SERIES_COLUMN(table, csr)[row]));
  return csr;
}

cyclic_outcome run_cyclic_find(const series_table *table, const cycles_table *cycles, const dem_case *run, int stage,
                               stage_rows rows)
{
  cyclic_outcome o = {.liquefied_in = NAN};
  if (stage == 0 || !run->stages[stage - 1].cyclic.on || rows.count == 0)
    return o;
  o.is_cyclic = true;
  o.keeps_volume = dem_stage_keeps_volume(&run->stages[stage - 1]);
  o.has_not_reversed = run_stage_has_not_reversed(table, &run->stages[stage - 1], rows);
  o.csr_wanted = run->stages[stage - 1].cyclic.stress_ratio;
  o.cycles = SERIES_COLUMN(table, cycle)[rows.last];
  o.csr = largest_csr(table, rows);
  find_loops(&o, cycles, stage);
  find_liquefaction(&o, table, rows);
  return o;
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  size_t column;
} moduli[] = {{"G", offsetof(dem_cycle, shear_modulus) / sizeof(double)},
              {"E", offsetof(dem_cycle, young_modulus) / sizeof(double)},
              {"K", offsetof(dem_cycle, bulk_modulus) / sizeof(double)}};

static void print_loop(const cycles_table *cycles, size_t row, FILE *out)
{
  fprintf(out, "    cycle %.0f: ", ceil(CYCLES_COLUMN(cycles, cycle)[row]));
  for (size_t k = 0; k < sizeof moduli / sizeof *moduli; k++)
    if (!isnan(cycles->columns[moduli[k].column][row]))
      fprintf(out, "%s %.4g MPa, ", moduli[k].name, 1e-6 * cycles->columns[moduli[k].column][row]);
  fprintf(out, "D %.3g %% (friction %.3g %%, numerical damping %.2g %%) at a strain amplitude of %.3g %%\n",
          100.0 * CYCLES_COLUMN(cycles, damping_ratio)[row], 100.0 * CYCLES_COLUMN(cycles, damping_ratio_friction)[row],
          100.0 * CYCLES_COLUMN(cycles, damping_ratio_numerical)[row],
          100.0 * CYCLES_COLUMN(cycles, strain_amplitude)[row]);
}

static void print_liquefaction(const cyclic_outcome *o, FILE *out)
{
  if (isnan(o->liquefied_in))
    fprintf(out, "    not liquefied: r_u at most %.3g in %.1f cycles at CSR %.3g", o->r_u_max, o->cycles, o->csr);
  else
    fprintf(out, "    liquefied (r_u ≥ %g) in cycle %.1f at CSR %.3g", DEM_LIQUEFIED_R_U, o->liquefied_in, o->csr);
  if (o->has_not_reversed && o->csr_wanted > 0.0)
    fprintf(out, ", the largest reached: CSR %.3g of the case was not reached", o->csr_wanted);
  else if (o->has_not_reversed)
    fprintf(out, ", the largest reached: the amplitude of the case was not reached");
  fputc('\n', out);
}

void run_cyclic_print(const cyclic_outcome *o, const cycles_table *cycles, FILE *out)
{
  if (!o->is_cyclic)
    return;
  if (o->has_loops)
    print_loop(cycles, o->first, out);
  if (o->has_loops && o->last > o->first)
    print_loop(cycles, o->last, out);
  if (o->keeps_volume)
    print_liquefaction(o, out);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void print_number(FILE *out, const char *key, double value)
{
  fprintf(out, ", \"%s\": ", key);
  json_print_number(value, out);
}

static void print_cycle(FILE *out, const char *key, const cycles_table *cycles, size_t row)
{
  fprintf(out, ", \"%s\": {", key);
  for (int k = 0; k < DEM_CYCLE_VALUES; k++) {
    fprintf(out, "%s\"%s\": ", k > 0 ? ", " : "", dem_cycle_name(k));
    json_print_number(cycles->columns[k][row], out);
  }
  fputc('}', out);
}

void run_cyclic_print_json(const cyclic_outcome *o, const cycles_table *cycles, FILE *out)
{
  if (!o->is_cyclic)
    return;
  print_number(out, "cyclic_stress_ratio", o->csr);
  if (o->keeps_volume) {
    print_number(out, "r_u_max", o->r_u_max);
    print_number(out, "liquefied_in_cycle", o->liquefied_in);
  }
  if (o->has_loops) {
    print_cycle(out, "first_cycle", cycles, o->first);
    print_cycle(out, "last_cycle", cycles, o->last);
  }
}
