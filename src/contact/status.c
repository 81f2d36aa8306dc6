/* SPDX-License-Identifier: MIT */
/* Names of models, contours and states, texts of errors, and the version. */
#include "jager/jager.h"

#include <string.h>

static const char *const model_names[JAGER_MODEL_COUNT] = {
    [JAGER_MODEL_JAGER] = "jager",
    [JAGER_MODEL_LINEAR] = "linear",
    [JAGER_MODEL_HERTZ_MINDLIN] = "hertz-mindlin",
    [JAGER_MODEL_MODIFIED_MINDLIN] = "modified-mindlin",
    [JAGER_MODEL_ZHANG_VUQUOC] = "zhang-vuquoc",
};

static const char *const contour_names[JAGER_CONTOUR_COUNT] = {
    [JAGER_CONTOUR_SPHERE] = "sphere",
    [JAGER_CONTOUR_CONE] = "cone",
    [JAGER_CONTOUR_POWER] = "power",
};

static const char *const state_names[JAGER_STATE_COUNT] = {
    [JAGER_STATE_APART] = "apart",
    [JAGER_STATE_ELASTIC] = "elastic",
    [JAGER_STATE_SLIP] = "slip",
    [JAGER_STATE_SLIDE] = "slide",
};

static const char *name_at(const char *const names[], int count, int index)
{
  return index >= 0 && index < count ? names[index] : "unknown";
}

/* Index of the name, or -1 */
static int index_of(const char *const names[], int count, const char *name)
{
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0)
      return i;
  return -1;
}

const char *jager_status_text(jager_status status)
{
#define JAGER_STATUS_CASE(name, number, text)                                                                          \
  case name:                                                                                                           \
    return text;
  switch (status) {
    JAGER_STATUS_LIST(JAGER_STATUS_CASE)
  }
#undef JAGER_STATUS_CASE
  return "unknown error"; /* a number from elsewhere */
}

const char *jager_version(void)
{
  return JAGER_VERSION;
}

const char *jager_model_name(jager_model model)
{
  return name_at(model_names, JAGER_MODEL_COUNT, (int)model);
}

const char *jager_contour_name(jager_contour contour)
{
  return name_at(contour_names, JAGER_CONTOUR_COUNT, (int)contour);
}

const char *jager_state_name(jager_state state)
{
  return name_at(state_names, JAGER_STATE_COUNT, (int)state);
}

jager_status jager_model_from_name(const char *name, jager_model *model)
{
  if (!name || !model)
    return JAGER_ERROR_NULL;
  int index = index_of(model_names, JAGER_MODEL_COUNT, name);
  if (index < 0)
    return JAGER_ERROR_MODEL;
  *model = (jager_model)index;
  return JAGER_OK;
}

jager_status jager_contour_from_name(const char *name, jager_contour *contour)
{
  if (!name || !contour)
    return JAGER_ERROR_NULL;
  int index = index_of(contour_names, JAGER_CONTOUR_COUNT, name);
  if (index < 0)
    return JAGER_ERROR_CONTOUR;
  *contour = (jager_contour)index;
  return JAGER_OK;
}
