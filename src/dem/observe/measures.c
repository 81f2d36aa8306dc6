/* SPDX-License-Identifier: MIT */
/* Names, units and meanings of the measures, from their list. */
#include "measures.h"

#include <stddef.h>
#include <string.h>

typedef struct measure_text {
  const char *name, *unit, *meaning;
} measure_text;

#define MEASURE_TEXT(field, unit, meaning) {#field, unit, meaning},
static const measure_text texts[DEM_MEASURE_COUNT] = {DEM_MEASURE_LIST(MEASURE_TEXT)};
#undef MEASURE_TEXT

const char *dem_measure_name(int k)
{
  return texts[k].name;
}

const char *dem_measure_unit(int k)
{
  return texts[k].unit;
}

const char *dem_measure_meaning(int k)
{
  const measure_text *text = &texts[k];
  while (text > texts && text->meaning[0] == '\0')
    text--;
  return text->meaning;
}

double dem_measure_value(const dem_measures *measures, int k)
{
  double value;
  memcpy(&value, (const char *)measures + (size_t)k * sizeof value, sizeof value);
  return value;
}
