/* SPDX-License-Identifier: MIT */
/* The names of measures and of the values of cycles, and the values of a simulation. */
#include "handles.h"
#include "dem/observe/cycle.h"
#include "dem/observe/measures.h"

int binding_measure_count(void)
{
  return DEM_MEASURE_COUNT;
}

const char *binding_measure_name(int k)
{
  return dem_measure_name(k);
}

const char *binding_measure_unit(int k)
{
  return dem_measure_unit(k);
}

const char *binding_measure_meaning(int k)
{
  return dem_measure_meaning(k);
}

int binding_cycle_count(void)
{
  return DEM_CYCLE_VALUES;
}

const char *binding_cycle_name(int k)
{
  return dem_cycle_name(k);
}

const char *binding_cycle_unit(int k)
{
  return dem_cycle_unit(k);
}

const char *binding_cycle_meaning(int k)
{
  return dem_cycle_meaning(k);
}

void binding_simulation_measure(const binding_simulation *s, double *values)
{
  dem_measures measures;
  dem_simulation_measure(s->dem, &measures);
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    values[k] = dem_measure_value(&measures, k);
}

bool binding_simulation_cycle(const binding_simulation *s, double *values)
{
  dem_cycle cycle;
  if (!dem_simulation_cycle(s->dem, &cycle))
    return false;
  for (int k = 0; k < DEM_CYCLE_VALUES; k++)
    values[k] = dem_cycle_value(&cycle, k);
  return true;
}
