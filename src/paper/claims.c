/* SPDX-License-Identifier: MIT */
/*
 * Claims in the text of the paper, checked by measurements. Random paths have fixed seeds. The law is that of the
 * paper's examples: f = 0.5, ν = 0.5, G = 1 Pa, R = 1 m.
 */
#include "claims.h"
#include "base/random.h"
#include "lattice.h"
#include "oblique.h"
#include "moduli/fit.h"

#include <math.h>
#include <stdlib.h>

enum { PATHS = 400, TURNING_PATHS = 50, PATH_LENGTH = 12, PROBES = 20, CYCLE_STEPS = 2000, PIECES_MANY = 4096 };

static const double depth = 0.01; /* the average of ζ, m */

/* ---- Random movements -------------------------------------------------------------------------------------------- */

static double random_from(uint64_t *seed, double low, double high)
{
  return low + (high - low) * random_unit(seed);
}

typedef struct random_movement {
  double zeta, dxi[2];
} random_movement;

/* Some of the movements are elastic, most slip, and hardly any slide. */
static random_movement random_movement_of(uint64_t *seed, bool is_collinear)
{
  const double size = 0.4 * depth;
  random_movement m = {.zeta = depth * random_from(seed, 0.6, 1.4), .dxi = {random_from(seed, -size, size), 0.0}};
  if (!is_collinear)
    m.dxi[1] = random_from(seed, -size, size);
  return m;
}

static bool move_at_random(paper_contact *of, uint64_t *seed, int movements, bool is_collinear, int pieces,
                           jager_force *force, error_info *error)
{
  bool done = true;
  for (int i = 0; done && i < movements; i++) {
    random_movement m = random_movement_of(seed, is_collinear);
    done = paper_contact_move(of, m.zeta, m.dxi, pieces, force, error);
  }
  return done;
}

/* ---- No slip ----------------------------------------------------------------------------------------------------- */

/* Makes a small movement with a copy of the contact, and counts it. */
static bool probe(paper_contact *of, uint64_t *seed, claims_slip *check, error_info *error)
{
  const jager_law *law = &of->law;
  const bool is_inside = random_unit(seed) < 0.5;
  const double angle = random_from(seed, 0.0, 2.0 * acos(-1.0));
  double rise = depth * random_from(seed, 1e-4, 0.1), share = is_inside ? random_unit(seed) : 1.0 + random_unit(seed);
  double size = share * law->friction * law->kappa * rise;
  if (!is_inside && random_unit(seed) < 0.5)
    rise = -rise;
  const double dxi[2] = {size * cos(angle), size * sin(angle)};
  jager_contact copy = {0};
  jager_energy energy = {.normal = 0.0};
  jager_force force;
  if (!paper_check(jager_contact_clone(&of->contact, of->pool, &copy), error))
    return false;
  jager_status status =
      jager_contact_move_energy(law, of->pool, &copy, jager_contact_zeta(&of->contact) + rise, dxi, &force, &energy);
  const bool is_elastic = jager_contact_state(&copy) == JAGER_STATE_ELASTIC;
  jager_contact_release(of->pool, &copy);
  if (is_inside) {
    check->inside++;
    check->inside_elastic += is_elastic;
    check->inside_dissipated = fmax(check->inside_dissipated, energy.dissipated / energy.normal);
  } else {
    check->outside++;
    check->outside_slip += !is_elastic;
    check->outside_dissipated = fmin(check->outside_dissipated, energy.dissipated / energy.normal);
  }
  return paper_check(status, error);
}

bool paper_claims_check_slip(claims_slip *check, error_info *error)
{
  const jager_law law = paper_law();
  uint64_t seed = 1;
  bool done = true;
  *check = (claims_slip){.outside_dissipated = INFINITY};
  for (int path = 0; done && path < PATHS; path++) {
    paper_contact of;
    done = paper_contact_open(&of, &law, error) && move_at_random(&of, &seed, PATH_LENGTH, false, 1, NULL, error);
    for (int i = 0; done && i < PROBES; i++)
      done = probe(&of, &seed, check, error);
    paper_contact_close(&of);
  }
  return done;
}

/* ---- Subdivision ------------------------------------------------------------------------------------------------- */

static bool force_of_path(uint64_t seed, bool is_collinear, int pieces, jager_force *force, error_info *error)
{
  const jager_law law = paper_law();
  paper_contact of;
  bool done = paper_contact_open(&of, &law, error) &&
              move_at_random(&of, &seed, PATH_LENGTH, is_collinear, pieces, force, error);
  paper_contact_close(&of);
  return done;
}

static double force_difference(const jager_force *a, const jager_force *b)
{
  return hypot(a->ft[0] - b->ft[0], a->ft[1] - b->ft[1]) / (paper_law().friction * a->fn);
}

bool paper_claims_check_collinear(claims_division *check, error_info *error)
{
  bool done = true;
  for (int k = 0; k < CLAIMS_DIVISIONS; k++) {
    check->pieces[k] = 1 << k;
    check->difference[k] = 0.0;
  }
  for (int path = 0; done && path < PATHS; path++) {
    jager_force whole, cut;
    done = force_of_path((uint64_t)path, true, 1, &whole, error);
    for (int k = 1; done && k < CLAIMS_DIVISIONS; k++) {
      done = force_of_path((uint64_t)path, true, 1 << k, &cut, error);
      check->difference[k] = fmax(check->difference[k], force_difference(&whole, &cut));
    }
  }
  return done;
}

bool paper_claims_check_turning(claims_division *check, double *order, error_info *error)
{
  bool done = true;
  for (int k = 0; k < CLAIMS_DIVISIONS; k++) {
    check->pieces[k] = 1 << k;
    check->difference[k] = 0.0;
  }
  for (int path = 0; done && path < TURNING_PATHS; path++) {
    jager_force limit, cut;
    done = force_of_path((uint64_t)path, false, PIECES_MANY, &limit, error);
    for (int k = 0; done && k < CLAIMS_DIVISIONS; k++) {
      done = force_of_path((uint64_t)path, false, 1 << k, &cut, error);
      check->difference[k] += force_difference(&limit, &cut) / TURNING_PATHS;
    }
  }
  *order = -moduli_fit_power(check->pieces + 2, check->difference + 2, CLAIMS_DIVISIONS - 2).exponent;
  return done;
}

/* ---- A cycle ----------------------------------------------------------------------------------------------------- */

/* ∮Ft d(2ξ) over the second cycle, by the trapezoidal rule. */
bool paper_claims_check_cycle(jager_model model, double share, double *loss, error_info *error)
{
  jager_law law = paper_law();
  const double fn = law.modulus * depth * sqrt(depth), none[2] = {0.0, 0.0};
  double xi, closed, area = 0.0, before = 0.0;
  paper_contact of;
  jager_force force;
  if (!paper_check(jager_mindlin_loading(&law, 1.0, fn, share * law.friction * fn, &xi), error) ||
      !paper_check(jager_mindlin_cycle_loss(&law, 1.0, fn, share * law.friction * fn, &closed), error) ||
      !paper_check(jager_law_set_model(&law, model), error) || !paper_contact_open(&of, &law, error))
    return false;
  const double step[2] = {xi / CYCLE_STEPS, 0.0}, back[2] = {-step[0], 0.0};
  bool done = paper_contact_move(&of, depth, none, 1, &force, error);
  for (int i = 0; done && i < 9 * CYCLE_STEPS; i++) {
    bool is_back = (i / CYCLE_STEPS + 1) / 2 % 2 == 1;
    done = paper_contact_move(&of, depth, is_back ? back : step, 1, &force, error);
    if (i >= 5 * CYCLE_STEPS)
      area += (is_back ? -1.0 : 1.0) * (before + force.ft[0]) * step[0];
    before = force.ft[0];
  }
  paper_contact_close(&of);
  *loss = area / closed;
  return done;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

enum { MODELS = 3, AMPLITUDES = 5 };

static const jager_model models[MODELS] = {JAGER_MODEL_LINEAR, JAGER_MODEL_HERTZ_MINDLIN, JAGER_MODEL_JAGER};
static const double amplitudes[AMPLITUDES] = {2e-6, 5e-6, 1e-5, 2e-5, 4e-5};
static const double shares[2] = {0.1, 0.5};

enum { LOOP_SHOWN = AMPLITUDES - 1 }; /* the amplitude of the loops in the picture */

typedef struct claims_results {
  lattice_stiffness stiffness[MODELS];
  lattice_cycle cycles[MODELS][AMPLITUDES];
  double losses[MODELS][2];
  claims_slip slip;
  double incremental[CLAIMS_DIVISIONS], incremental_steps[CLAIMS_DIVISIONS], incremental_order;
  claims_division collinear, turning;
  double turning_order;
  paper_table pressure, loops, convergence;
} claims_results;

static bool measure_lattices(claims_results *r, error_info *error)
{
  bool done = true;
  for (int m = 0; done && m < MODELS; m++) {
    done = lattice_measure_stiffness(models[m], &r->stiffness[m], error);
    for (int k = 0; done && k < LATTICE_PRESSURES; k++)
      fprintf(r->pressure.stream, "%s,%.9g,%.9g\n", jager_model_name(models[m]), r->stiffness[m].pressure[k],
              r->stiffness[m].modulus[k]);
    for (int k = 0; done && k < AMPLITUDES; k++)
      done =
          lattice_measure_cycle(models[m], amplitudes[k], &r->cycles[m][k], k == LOOP_SHOWN ? &r->loops : NULL, error);
    for (int k = 0; done && k < 2; k++)
      done = paper_claims_check_cycle(models[m], shares[k], &r->losses[m][k], error);
  }
  return done;
}

static bool measure_convergence(claims_results *r, error_info *error)
{
  const oblique_path of = oblique_path_of_paper();
  bool done = paper_claims_check_collinear(&r->collinear, error) &&
              paper_claims_check_turning(&r->turning, &r->turning_order, error);
  for (int k = 0; done && k < CLAIMS_DIVISIONS; k++) {
    r->incremental_steps[k] = 32 << k;
    done = oblique_error(&of, JAGER_MODEL_ZHANG_VUQUOC, 32 << k, &r->incremental[k], NULL, error);
    fprintf(r->convergence.stream, "%.9g,%.9g,%.9g,%.9g,%.9g\n", r->turning.pieces[k], r->collinear.difference[k],
            r->turning.difference[k], r->incremental_steps[k], r->incremental[k]);
  }
  r->incremental_order = -moduli_fit_power(r->incremental_steps, r->incremental, CLAIMS_DIVISIONS).exponent;
  return done;
}

static bool measure_all(claims_results *r, const paper *p, error_info *error)
{
  return paper_table_open(&r->pressure, "words-stiffness", "law,p,c11", error) &&
         paper_table_open(&r->loops, "words-hysteresis", "law,amplitude,strain_zz,q", error) &&
         paper_table_open(&r->convergence, "words-convergence",
                          "pieces,collinear,turning,incremental_steps,incremental", error) &&
         measure_lattices(r, error) && paper_claims_check_slip(&r->slip, error) && measure_convergence(r, error) &&
         paper_table_finish(&r->pressure, p, error) && paper_table_finish(&r->loops, p, error) &&
         paper_table_finish(&r->convergence, p, error);
}

/* ---- Picture ----------------------------------------------------------------------------------------------------- */

static void write_picture(const void *contents, const char *terminal, FILE *script)
{
  const claims_results *r = contents;
  (void)terminal;
  paper_table_write_block(&r->pressure, "pressure", script);
  paper_table_write_block(&r->loops, "loops", script);
  paper_table_write_block(&r->convergence, "convergence", script);
  fprintf(script,
          "set multiplot layout 1,3 margins 0.06,0.985,0.12,0.80 spacing 0.075\nset key maxrows 3\n"
          "set logscale xy\nset format xy '10^{%%L}'\nset title 'stiffness of a lattice' offset 0,3.6\n"
          "set xlabel 'pressure {/:Italic p}  (Pa)'\nset ylabel '{/:Italic C}_{11}  (Pa)' offset 0.5,0\nset xrange "
          "[30:2e5]\nset yrange [5e7:2e9]\n"
          "plot $pressure using 2:(strcol(1) eq 'jager'?$3:NaN) with linespoints pt 7 ps 0.8 " PAPER_LINE
          " title 'jager, {/:Italic p}^{%.3f}', "
          "$pressure using 2:(strcol(1) eq 'hertz-mindlin'?$3:NaN) with points pt 6 ps 1.7 lw 1.6 lc rgb '#2c7a4b' "
          "title 'hertz-mindlin, {/:Italic p}^{%.3f}', "
          "$pressure using 2:(strcol(1) eq 'linear'?$3:NaN) with linespoints pt 4 ps 0.9 " PAPER_DASHES
          " title 'linear, {/:Italic p}^{%.3f}'\n",
          r->stiffness[2].exponent, r->stiffness[1].exponent, r->stiffness[0].exponent + 0.0);
  fprintf(script,
          "unset logscale\nset format '%%h'\nset xrange [-42:42]\nset yrange [-62:62]\nset title 'one small cycle of a "
          "lattice' offset 0,3.6\n"
          "set xlabel 'strain {/:Italic ε}_{zz}  (10^{−6})'\nset ylabel '{/:Italic q}  (kPa)' offset 0.5,0\n"
          "plot $loops using (1e6*$3):(strcol(1) eq 'jager'?1e-3*$4:NaN) with lines " PAPER_LINE " title 'jager', "
          "$loops using (1e6*$3):(strcol(1) eq 'hertz-mindlin'?1e-3*$4:NaN) with lines " PAPER_DOTS
          " title 'hertz-mindlin', "
          "$loops using (1e6*$3):(strcol(1) eq 'linear'?1e-3*$4:NaN) with lines " PAPER_DASHES " title 'linear'\n");
  fprintf(script,
          "set logscale xy\nset format xy '10^{%%L}'\nset title 'convergence with subdivision' offset 0,3.6\n"
          "set xlabel 'pieces of a movement, or steps of the path'\n"
          "set ylabel 'difference of {/:Italic F}_t' offset 0.5,0\nset xrange [0.8:6e3]\nset yrange [1e-16:1]\n"
          "plot $convergence using 1:3 with linespoints pt 7 ps 0.8 " PAPER_LINE
          " title 'Jäger, two directions: order %.2f', "
          "$convergence using 4:5 with linespoints pt 4 ps 0.9 " PAPER_DASHES " title 'zhang-vuquoc: order %.2f', "
          "$convergence using 1:2 with points pt 6 ps 1.4 lw 1.6 lc rgb '#2c7a4b' "
          "title 'Jäger, collinear: exact'\nunset multiplot\n",
          r->turning_order, r->incremental_order);
}

/* ---- Report ------------------------------------------------------------------------------------------------------ */

static void write_hysteresis(const claims_results *r, const paper *p)
{
  fprintf(p->report, "\nDamping ratio ∮q dε / (4π·½qε) and secant modulus q/ε of the lattice in a closed cycle:\n\n"
                     "| ε_zz |");
  for (int m = 0; m < MODELS; m++)
    fprintf(p->report, " %s | |", jager_model_name(models[m]));
  fprintf(p->report, "\n|---|---|---|---|---|---|---|\n");
  for (int k = 0; k < AMPLITUDES; k++) {
    fprintf(p->report, "| ±%.0e |", amplitudes[k]);
    for (int m = 0; m < MODELS; m++)
      fprintf(p->report, " %.2e | %.2f GPa |", r->cycles[m][k].damping, 1e-9 * r->cycles[m][k].modulus);
    fprintf(p->report, "\n");
  }
}

static void write_report(const claims_results *r, const paper *p)
{
  const claims_slip *slip = &r->slip;
  const int last = AMPLITUDES - 1, finest = CLAIMS_DIVISIONS - 1;
  double collinear = 0.0;
  for (int k = 0; k < CLAIMS_DIVISIONS; k++)
    collinear = fmax(collinear, r->collinear.difference[k]);
  paper_compare_head(p);
  paper_compare_row(p, "linear contacts: exponent n of C11 ∝ pⁿ, fcc lattice", "stiffness cannot depend on pressure",
                    "%.4f", r->stiffness[0].exponent);
  paper_compare_row(p, "Hertz contacts: exponent n", "1/3", "%.4f (jager), %.4f (hertz-mindlin)",
                    r->stiffness[2].exponent, r->stiffness[1].exponent);
  paper_compare_row(p, "small cycles of a contact at constant Fn, Ft to ±0.1 f Fn: loss over Mindlin and Deresiewicz'",
                    "none with springs, hysteresis with Jäger", "linear %.1e, hertz-mindlin %.1e, jager %.6f",
                    r->losses[0][0], r->losses[1][0], r->losses[2][0]);
  paper_compare_row(p, "the same to ±0.5 f Fn", "", "linear %.1e, hertz-mindlin %.1e, jager %.6f", r->losses[0][1],
                    r->losses[1][1], r->losses[2][1]);
  paper_compare_row(p, "damping ratio of the lattice, ε = ±4·10⁻⁵", "progressive and hysteretic loss of stiffness",
                    "linear %.1e, hertz-mindlin %.1e, jager %.4f", r->cycles[0][last].damping,
                    r->cycles[1][last].damping, r->cycles[2][last].damping);
  paper_compare_row(p, "its modulus, against that at ±2·10⁻⁶", "", "linear %.4f, hertz-mindlin %.4f, jager %.4f",
                    r->cycles[0][last].modulus / r->cycles[0][0].modulus,
                    r->cycles[1][last].modulus / r->cycles[1][0].modulus,
                    r->cycles[2][last].modulus / r->cycles[2][0].modulus);
  paper_compare_row(p, "Δζ > 0 and \\|Δξ/κΔζ\\| < f: movements without slip", "all",
                    "%d of %d; dissipated at most %.0e of the stored energy", slip->inside_elastic, slip->inside,
                    slip->inside_dissipated);
  paper_compare_row(p, "other movements that slip", "all", "%d of %d; dissipated at least %.0e", slip->outside_slip,
                    slip->outside, slip->outside_dissipated);
  paper_compare_row(p, "incremental law against Jäger: order of convergence", "converges as steps shrink",
                    "%.2f (error %.1e in %.0f steps)", r->incremental_order, r->incremental[finest],
                    r->incremental_steps[finest]);
  paper_compare_row(p, "straight collinear movements cut into 2 to 128 pieces: largest difference over f Fn", "exact",
                    "%.0e", collinear);
  paper_compare_row(p, "movements that turn in two directions: order of convergence", "(not stated)",
                    "%.2f (in one piece %.3f of f Fn on average, in 128 pieces %.1e)", r->turning_order,
                    r->turning.difference[0], r->turning.difference[finest]);
  write_hysteresis(r, p);
  fprintf(
      p->report,
      "\nThe lattice is one of 32 spheres, whose symmetry makes it deform as its cell does, pressed to an overlap of "
      "10⁻⁴ of the diameter for the cycles. hertz-mindlin rescales its shear force when the normal force falls, so "
      "that a cycle in which both change need not close: it shows %.0f %% of Jäger's damping at ±4·10⁻⁵, though at "
      "most %.0f %% of its contacts slid, and keeps its stiffness; at constant Fn it shows none. In two tangential "
      "directions Jäger keeps one direction of slip for the whole annulus of a movement, so that a big turning "
      "movement is not the same cut small; time steps of a simulation are small.\n",
      100.0 * r->cycles[1][last].damping / r->cycles[2][last].damping, 100.0 * r->cycles[1][last].sliding);
}

bool paper_claims_make(const paper *p, error_info *error)
{
  claims_results *r = calloc(1, sizeof *r);
  if (!r)
    return error_out_of_memory(error);
  bool done = measure_all(r, p, error);
  if (done) {
    paper_section(p, "words", "what the paper asserts in words");
    done = paper_draw(p, "words", GNUPLOT_WIDE, write_picture, r, error);
  }
  if (done)
    write_report(r, p);
  paper_table_free(&r->pressure);
  paper_table_free(&r->loops);
  paper_table_free(&r->convergence);
  free(r);
  return done;
}
