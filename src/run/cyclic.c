/* SPDX-License-Identifier: MIT */
/* The results of cyclic stages. */
#include "cyclic.h"
#include "base/text.h"
#include "dem/cycles.h"

#include <math.h>
#include <stdlib.h>

bool run_has_cycles(const dem_case *run)
{
  for (int k = 0; k < run->stage_count; k++)
    if (run->stages[k].cyclic.on)
      return true;
  return false;
}

/* ---- Finding ----------------------------------------------------------------------------------------------------- */

/*
 * |γ| is by the component of the cycles. Under q and normal stresses, at constant volume, it is 1.5 times the axial
 * strain. The series has a row of the step in which r_u reached the limit.
 */
static run_liquefaction find_liquefaction(const series_table *table, const dem_cyclic *cyclic, stage_rows rows)
{
  size_t component = (size_t)dem_cycle_component(cyclic->of);
  const double *strains = table->columns[offsetof(dem_measures, strain_in_stage_xx) / sizeof(double) + component];
  run_liquefaction found = {.cycles_r_u = NAN, .cycles_strain = NAN};
  for (size_t row = rows.first; row < rows.first + rows.count; row++) {
    double cycles = SERIES_COLUMN(table, cycle)[row], r_u = SERIES_COLUMN(table, r_u)[row];
    double strain = (component >= DEM_XY ? 2.0 : 1.5) * fabs(strains[row]);
    if (isnan(found.cycles_r_u) && r_u >= DEM_LIQUEFIED_R_U)
      found.cycles_r_u = cycles;
    if (isnan(found.cycles_strain) && strain >= RUN_LIQUEFIED_STRAIN && dem_cycles_stress(cyclic))
      found.cycles_strain = cycles;
    found.r_u_max = fmax(found.r_u_max, r_u);
    found.strain_max = fmax(found.strain_max, strain);
  }
  found.cycles = fmin(found.cycles_r_u, found.cycles_strain); /* the other one if one is NAN */
  found.is_flow_failure = dem_is_flow_failure(cyclic, found.cycles);
  if (found.is_flow_failure)
    found.cycles = found.cycles_r_u = found.cycles_strain = NAN;
  return found;
}

cyclic_outcome run_cyclic_find(const series_table *table, const cycles_table *cycles, const dem_case *run, int stage,
                               stage_rows rows)
{
  cyclic_outcome o = {0};
  if (stage == 0 || !run->stages[stage - 1].cyclic.on || rows.count == 0)
    return o;
  o.is_cyclic = true;
  o.keeps_volume = dem_stage_keeps_volume(&run->stages[stage - 1]);
  o.has_not_reversed = run_stage_has_not_reversed(table, &run->stages[stage - 1], rows);
  o.csr_wanted = run->stages[stage - 1].cyclic.stress_ratio;
  o.cycles = SERIES_COLUMN(table, cycle)[rows.last];
  o.static_ratio = SERIES_COLUMN(table, static_stress_ratio)[rows.last];
  o.liquefaction = find_liquefaction(table, &run->stages[stage - 1].cyclic, rows);
  for (size_t row = rows.first; row <= rows.last; row++)
    o.csr = fmax(o.csr, fabs(SERIES_COLUMN(table, csr)[row]));
  bool has_csr = false;
  for (size_t row = 0; row < cycles->rows; row++) {
    if ((int)CYCLES_COLUMN(cycles, stage)[row] != stage)
      continue;
    o.r_u_max = fmax(o.r_u_max, CYCLES_COLUMN(cycles, r_u_max)[row]);
    if (!has_csr && !isnan(CYCLES_COLUMN(cycles, csr)[row])) {
      o.csr = CYCLES_COLUMN(cycles, csr)[row];
      has_csr = true;
    }
    if (isnan(CYCLES_COLUMN(cycles, damping_ratio)[row]))
      continue; /* an open loop has a stress ratio, but no damping ratio */
    o.first = o.has_loops ? o.first : row;
    o.last = row;
    o.has_loops = true;
  }
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
  fprintf(out, "D %.3g %% (friction %.3g %%, numerical damping %.2g %%) at a strain amplitude of %.3g %%",
          100.0 * CYCLES_COLUMN(cycles, damping_ratio)[row], 100.0 * CYCLES_COLUMN(cycles, damping_ratio_friction)[row],
          100.0 * CYCLES_COLUMN(cycles, damping_ratio_numerical)[row],
          100.0 * CYCLES_COLUMN(cycles, strain_amplitude)[row]);
  bool means_something =
      CYCLES_COLUMN(cycles, dissipated_damping)[row] <= REDUCTION_PART_MAX * CYCLES_COLUMN(cycles, loop_area)[row];
  fprintf(out, "%s\n", means_something ? "" : "; D means nothing: more than a third of it is numerical");
}

/* Residual shear stresses of the packing are not reported. */
#define STATIC_RATIO_LEAST 0.005

void run_cyclic_print(const cyclic_outcome *o, const cycles_table *cycles, FILE *out)
{
  const run_liquefaction *of = &o->liquefaction;
  if (!o->is_cyclic)
    return;
  if (o->has_loops)
    print_loop(cycles, o->first, out);
  if (o->has_loops && o->last > o->first)
    print_loop(cycles, o->last, out);
  if (!o->keeps_volume)
    return;
  if (of->is_flow_failure)
    fprintf(out, "    flow failure: r_u ≥ %g or γ ≥ %g %% in the first quarter cycle", DEM_LIQUEFIED_R_U,
            100.0 * RUN_LIQUEFIED_STRAIN);
  else if (isnan(of->cycles))
    fprintf(out, "    not liquefied: r_u at most %.3g in %.1f cycles", o->r_u_max, o->cycles);
  else if (of->cycles == of->cycles_r_u)
    fprintf(out, "    liquefied (r_u ≥ %g) in cycle %.1f", DEM_LIQUEFIED_R_U, of->cycles);
  else
    fprintf(out, "    liquefied (γ ≥ %g %%) in cycle %.1f", 100.0 * RUN_LIQUEFIED_STRAIN, of->cycles);
  fprintf(out, " at CSR %.3g", o->csr);
  if (fabs(o->static_ratio) >= STATIC_RATIO_LEAST)
    fprintf(out, " about a static stress ratio of %.3g", o->static_ratio);
  if (o->has_not_reversed && o->csr_wanted > 0.0)
    fprintf(out, ", the largest reached: CSR %.3g of the case was not reached", o->csr_wanted);
  else if (o->has_not_reversed)
    fprintf(out, ", the largest reached: the amplitude of the case was not reached");
  fputc('\n', out);
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
    print_number(out, "liquefied_in_cycle", o->liquefaction.cycles);
    print_number(out, "cycles_r_u", o->liquefaction.cycles_r_u);
    print_number(out, "cycles_strain", o->liquefaction.cycles_strain);
    fprintf(out, ", \"flow_failure\": %s", o->liquefaction.is_flow_failure ? "true" : "false");
  }
  if (o->has_loops) {
    print_cycle(out, "first_cycle", cycles, o->first);
    print_cycle(out, "last_cycle", cycles, o->last);
  }
}

/* ---- Ready tests ------------------------------------------------------------------------------------------------- */

/*
 * The error of D by a tolerance τ, over D. A cycle that mobilises λ of friction slips to the depth λζ, by f λ ζ: it
 * differs from one that does not slip by an integral of the order of f λ² Fn, and chords may differ by τ f Fn. Errors
 * of D in whole runs were at most this factor times τ/λ² (docs/theory.md).
 */
#define TOLERANCE_FACTOR 0.04

static double tolerance_share(const cycles_table *table, size_t row, const dem_case *run)
{
  const dem_contact_law *contact = &run->contact;
  if (contact->model != JAGER_MODEL_JAGER)
    return 0.0;
  if (contact->dp_max > 0.0)
    return NAN;
  double friction = run->material.friction; /* in the stage of the cycle: the last one given before its end */
  for (int k = 0; k < (int)CYCLES_COLUMN(table, stage)[row]; k++)
    friction = isnan(run->stages[k].friction) ? friction : run->stages[k].friction;
  double limit = friction * CYCLES_COLUMN(table, p_min)[row];
  double mobilised = CYCLES_COLUMN(table, stress_amplitude)[row] / limit;
  return contact->tolerance > 0.0 ? fmin(TOLERANCE_FACTOR * contact->tolerance / (mobilised * mobilised), 1.0) : 0.0;
}

static reduction_row row_of(const cycles_table *table, size_t row, const run_case *run, int test)
{
  double loop = CYCLES_COLUMN(table, damping_ratio)[row], friction = CYCLES_COLUMN(table, damping_ratio_friction)[row];
  double numerical = CYCLES_COLUMN(table, damping_ratio_numerical)[row];
  double tolerance = tolerance_share(table, row, &run->simulation), doubt = 0.0;
  if (!isnan(loop)) /* an open loop has no D to doubt */
    doubt = numerical > REDUCTION_PART_MAX * loop ? REDUCTION_DOUBT_NUMERICAL
            : !(tolerance <= REDUCTION_PART_MAX)  ? REDUCTION_DOUBT_TOLERANCE
                                                  : 0.0;
  return (reduction_row){.model = jager_model_name(run->simulation.contact.model),
                         .test = test,
                         .gamma = CYCLES_COLUMN(table, strain_amplitude)[row],
                         .shear_modulus = CYCLES_COLUMN(table, shear_modulus)[row],
                         .damping_ratio = loop - numerical,
                         .damping_ratio_numerical = numerical,
                         .damping_ratio_loop = loop,
                         .damping_ratio_tolerance = tolerance * (loop - numerical),
                         .damping_ratio_residual = loop - friction - numerical,
                         .doubtful = doubt,
                         .stress_amplitude = CYCLES_COLUMN(table, stress_amplitude)[row],
                         .void_ratio = CYCLES_COLUMN(table, void_ratio)[row]};
}

bool run_reduction_collect(reduction_row **rows, size_t *count, const char *dir, const run_case *run, error_info *error)
{
  cycles_table table;
  const run_reductions *all = &run->output.reductions;
  if (all->count == 0)
    return true;
  reduction_row *longer = realloc(*rows, (*count + DEM_STAGES_MAX) * sizeof *longer);
  if (!longer)
    return error_out_of_memory(error);
  *rows = longer;
  if (!cycles_load(&table, dir, error))
    return false;
  for (int test = 0; test < all->count; test++) {
    const run_reduction *of = &all->list[test];
    const reduction_row *smallest = &longer[*count];
    for (int i = 0; i < of->count; i++) { /* the amplitudes that the run has cycled with */
      size_t last = table.rows;
      for (size_t row = 0; row < table.rows; row++) /* the cycles before the last still remember their beginning */
        if ((int)CYCLES_COLUMN(&table, stage)[row] == of->first_stage + 2 * i + 1)
          last = row;
      if (last == table.rows)
        continue;
      reduction_row *next = &longer[(*count)++];
      *next = row_of(&table, last, run, test + 1);
      next->modulus_ratio = next->shear_modulus / smallest->shear_modulus;
    }
  }
  cycles_table_free(&table);
  return true;
}

bool run_resistance_find(resistance_row *row, const char *dir, const dem_case *run, error_info *error)
{
  series_table table;
  const dem_cyclic *cyclic = &run->stages[0].cyclic;
  if (!series_load(&table, dir, error))
    return false;
  stage_rows rows = run_stage_rows(&table, 1);
  run_liquefaction found = find_liquefaction(&table, cyclic, rows);
  *row = (resistance_row){.model = jager_model_name(run->contact.model),
                          .csr = cyclic->stress_ratio,
                          .flow_failure = found.is_flow_failure,
                          .cycles = found.cycles,
                          .cycles_r_u = found.cycles_r_u,
                          .cycles_strain = found.cycles_strain,
                          .r_u_max = found.r_u_max,
                          .strain_max = found.strain_max};
  if (rows.count > 0) {
    row->static_stress_ratio = SERIES_COLUMN(&table, static_stress_ratio)[rows.last];
    row->cycles_done = SERIES_COLUMN(&table, cycle)[rows.last];
    row->void_ratio = SERIES_COLUMN(&table, void_ratio)[rows.last];
  }
  series_table_free(&table);
  return true;
}
