/* SPDX-License-Identifier: MIT */
/*
 * Paths: strains and stresses that follow waves in the phase of the stage.
 *
 * The phase c counts cycles. A component is  start + w(c) (center - start + A sin 2π(n c + φ)).  The weight w rises as
 * 3x² - 2x³, x = c / run_in, within the first cycles, so that strain and strain rate start from zero whatever the
 * phases are: the path winds itself out of the state at the start of the stage.
 */
#include "path.h"
#include "base/portable_math.h"
#include "dem/observe/cycle.h"

void dem_path_advance(dem_simulation *s, double factor)
{
  const dem_cyclic *cyclic = &current_stage(s)->cyclic;
  if (current_stage(s)->inertial_number > 0.0)
    s->stage.phase += factor;
  else if (cyclic->steps_per_cycle > 0)
    s->stage.phase = (double)(s->stage.steps + 1) / (double)cyclic->steps_per_cycle;
  else
    s->stage.phase = (s->stage.time + s->dt) / cyclic->period;
}

static double weight(const dem_simulation *s)
{
  double run_in = current_stage(s)->cyclic.run_in;
  if (!(s->stage.phase < run_in))
    return 1.0;
  double x = s->stage.phase / run_in;
  return x * x * (3.0 - 2.0 * x);
}

static double turns(const dem_control *control, double phase)
{
  return control->wave.frequency * phase + control->wave.phase;
}

static double deviation(const dem_simulation *s, const dem_control *control)
{
  return control->value * portable_sin_turns(turns(control, s->stage.phase));
}

double dem_path_strain(const dem_simulation *s, const dem_control *control)
{
  return weight(s) * deviation(s, control);
}

double dem_path_stress(const dem_simulation *s, const dem_control *control, double start)
{
  double way = isnan(control->wave.center) ? 0.0 : control->wave.center - start;
  return start + weight(s) * (way + deviation(s, control));
}

double dem_path_fastest(const dem_control *control)
{
  return control->kind == DEM_CONTROL_STRAIN_PATH ? 2.0 * PI * control->wave.frequency * control->value : 0.0;
}

static bool is_on_path(const dem_control *control)
{
  return control->kind == DEM_CONTROL_STRAIN_PATH || control->kind == DEM_CONTROL_STRESS_PATH;
}

int dem_path_waves(const dem_stage *stage)
{
  int count = 0;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    count += is_on_path(&stage->control[k]);
  return count;
}

/* Peaks are at a quarter of a turn and every half turn from there: their number, up to a constant. */
static double peaks(const dem_control *control, double phase)
{
  return floor(2.0 * turns(control, phase) + 0.5);
}

int dem_path_peak(const dem_simulation *s)
{
  const dem_stage *stage = current_stage(s);
  const dem_control *control = &stage->control[dem_cycle_component(stage->cyclic.of)];
  double number = peaks(control, s->stage.phase);
  if (!(number - peaks(control, 0.0) > (double)s->stage.reversals))
    return 0;
  return fmod(number, 2.0) != 0.0 ? 1 : -1; /* up to the first peak the number is 0, at phase 0 */
}

bool dem_path_has_peaked(const dem_simulation *s, double phase_before)
{
  const dem_stage *stage = current_stage(s);
  for (int k = 0; stage->cyclic.has_paths && k < DEM_COMPONENTS; k++) {
    const dem_control *control = &stage->control[k];
    if (is_on_path(control) && peaks(control, s->stage.phase) > peaks(control, phase_before))
      return true;
  }
  return false;
}
