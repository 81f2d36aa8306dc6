/* SPDX-License-Identifier: MIT */
/* The block `sizes` of a case: the distribution of diameters. */
#include "parts.h"

#include <math.h>

/* The search for neighbours is slow if sizes differ by more, and such a range is most likely an error. */
static const double ratio_max = 1000.0;

static void check_limits(case_reading *reading, const yaml_node *node, double min, double max)
{
  const yaml_node *entry = yaml_entry(node, "max");
  if (!entry)
    return;
  if (max < min)
    case_report(&reading->problems, entry->at, "'max' must not be less than 'min'");
  else if (max > ratio_max * min && min > 0.0)
    case_report(&reading->problems, entry->at, "'max' must not be more than 1000 times 'min'");
}

static void read_uniform(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"min", offsetof(dem_sizes, min), CASE_QUANTITY, DIMENSION_LENGTH, .range = CASE_LENGTH_RANGE,
       .example = "0.8 mm"},
      {"max", offsetof(dem_sizes, max), CASE_QUANTITY, DIMENSION_LENGTH, .range = CASE_LENGTH_RANGE,
       .example = "1.2 mm"},
  };
  dem_sizes *sizes = target;
  size_t problems_before = reading->problems.count;
  sizes->distribution = DEM_SIZES_UNIFORM;
  case_read_map(reading, node, fields, CASE_FIELDS(fields), sizes);
  if (reading->problems.count == problems_before)
    check_limits(reading, node, sizes->min, sizes->max);
}

/* The cumulative log-normal distribution at a diameter. */
static double share_below(const dem_sizes *sizes, double diameter)
{
  return 0.5 * erfc(-log(diameter / sizes->median) / (sizes->deviation * sqrt(2.0)));
}

/* Sizes are drawn until one lies within the limits, so a sufficient share must lie there. */
static void check_lognormal(case_reading *reading, const yaml_node *node, const dem_sizes *sizes)
{
  const yaml_node *median = yaml_entry(node, "median");
  bool is_cut_off = sizes->min > 0.0 && sizes->max > 0.0;
  if (sizes->min > sizes->median)
    case_report(&reading->problems, median->at, "'median' must not be less than 'min'");
  else if (sizes->max > 0.0 && sizes->max < sizes->median)
    case_report(&reading->problems, median->at, "'median' must not be more than 'max'");
  else if (is_cut_off && sizes->deviation > 0.0 &&
           share_below(sizes, sizes->max) - share_below(sizes, sizes->min) < 0.01)
    case_report(&reading->problems, yaml_entry(node, "deviation")->at,
                "less than 1 %% of the sizes lie between 'min' and 'max': lower 'deviation', or take 'uniform'");
}

static void read_lognormal(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"median", offsetof(dem_sizes, median), CASE_QUANTITY, DIMENSION_LENGTH, .range = CASE_LENGTH_RANGE,
       .example = "1 mm"},
      {"deviation", offsetof(dem_sizes, deviation), CASE_QUANTITY, .range = {0.0, 2.0, false, false}, .example = "0.2"},
      {"min", offsetof(dem_sizes, min), CASE_QUANTITY, DIMENSION_LENGTH, .range = CASE_LENGTH_RANGE},
      {"max", offsetof(dem_sizes, max), CASE_QUANTITY, DIMENSION_LENGTH, .range = CASE_LENGTH_RANGE},
  };
  dem_sizes *sizes = target;
  size_t problems_before = reading->problems.count;
  sizes->distribution = DEM_SIZES_LOGNORMAL;
  case_read_map(reading, node, fields, CASE_FIELDS(fields), sizes);
  if (reading->problems.count != problems_before)
    return;
  check_limits(reading, node, sizes->min, sizes->max);
  check_lognormal(reading, node, sizes);
}

/* ---- Table ------------------------------------------------------------------------------------------------------- */

static void read_diameters(case_reading *reading, const yaml_node *node, void *target)
{
  dem_sizes *sizes = target;
  sizes->count = case_read_quantities(reading, node, DIMENSION_LENGTH, (case_range)CASE_LENGTH_RANGE, 2, DEM_SIZES_MAX,
                                      sizes->diameter);
  for (int i = 1; i < sizes->count; i++)
    if (!(sizes->diameter[i] > sizes->diameter[i - 1])) {
      case_report(&reading->problems, yaml_item(node, (size_t)i)->at, "diameters must increase");
      return;
    }
  if (sizes->count > 0 && sizes->diameter[sizes->count - 1] > ratio_max * sizes->diameter[0])
    case_report(&reading->problems, node->last->at,
                "the largest diameter must not be more than 1000 times the smallest");
}

static void check_passing(case_reading *reading, const yaml_node *node, const dem_sizes *sizes)
{
  int last = sizes->count - 1;
  for (int i = 1; i <= last; i++)
    if (!(sizes->passing[i] >= sizes->passing[i - 1])) {
      case_report(&reading->problems, yaml_item(node, (size_t)i)->at, "the passing shares must not decrease");
      return;
    }
  if (sizes->passing[0] != 0.0)
    case_report(&reading->problems, node->first->at,
                "the first share must be 0: no grain is finer than the smallest diameter");
  if (sizes->passing[last] != 1.0)
    case_report(&reading->problems, node->last->at,
                "the last share must be 1 or 100 %%: all grains are finer than the largest diameter");
}

static void read_passing(case_reading *reading, const yaml_node *node, void *target)
{
  dem_sizes *sizes = target;
  int count = case_read_quantities(reading, node, DIMENSION_NONE, (case_range){0.0, 1.0, false, false}, 2,
                                   DEM_SIZES_MAX, sizes->passing);
  if (count == 0 || sizes->count == 0)
    return;
  if (count != sizes->count)
    case_report(&reading->problems, node->at, "'passing' must have as many items as 'diameter': %d, not %d",
                sizes->count, count);
  else
    check_passing(reading, node, sizes);
}

static void read_table(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"diameter", 0, CASE_OTHER, .read = read_diameters, .example = "[0.5 mm, 1 mm, 2 mm]"},
      {"passing", 0, CASE_OTHER, .read = read_passing, .example = "[0, 0.4, 1]"},
  };
  ((dem_sizes *)target)->distribution = DEM_SIZES_TABLE;
  case_read_map(reading, node, fields, CASE_FIELDS(fields), target);
}

void case_read_sizes(case_reading *reading, const yaml_node *node, void *target)
{
  static const case_field fields[] = {
      {"uniform", 0, CASE_OTHER, .read = read_uniform},
      {"lognormal", 0, CASE_OTHER, .read = read_lognormal},
      {"table", 0, CASE_OTHER, .read = read_table},
  };
  case_read_one_of(reading, node, fields, CASE_FIELDS(fields), target);
}
