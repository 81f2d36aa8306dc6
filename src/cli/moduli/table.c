/* SPDX-License-Identifier: MIT */
/* The names and values of a result. */
#include "table.h"

#include <stdio.h>

enum { NAME_SIZE = 48 };

/* Endings of the names of each kind. */
static const char *const endings[MODULI_KINDS] = {"", "_springs", "_affine"};
static const char *const components[MODULI_VOIGT] = {"xx", "yy", "zz", "yz", "xz", "xy"};

static void visit_state(const moduli_result *r, moduli_visitor *visitor, void *context)
{
  char name[NAME_SIZE];
  visitor(context, "p", r->p);
  for (int k = 0; k < MODULI_VOIGT; k++) {
    snprintf(name, sizeof name, "stress_%s", components[k]);
    visitor(context, name, r->stress[k]);
  }
  visitor(context, "density", r->density);
  visitor(context, "spheres", (double)r->spheres);
  visitor(context, "rattlers", (double)r->rattlers);
  visitor(context, "contacts", (double)r->contacts);
  visitor(context, "floppy", (double)r->floppy);
  visitor(context, "unbalanced", r->unbalanced);
  visitor(context, "residual", r->residual);
}

static void visit_averages(const moduli_averages *a, const char *ending, moduli_visitor *visitor, void *context)
{
  const struct {
    const char *name;
    double value;
  } list[] = {{"bulk", a->bulk},
              {"shear", a->shear},
              {"young", a->young},
              {"poisson", a->poisson},
              {"anisotropy", a->anisotropy}};
  char name[NAME_SIZE];
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    snprintf(name, sizeof name, "%s%s", list[k].name, ending);
    visitor(context, name, list[k].value);
  }
}

static void visit_waves(const moduli_waves *waves, moduli_visitor *visitor, void *context)
{
  char name[NAME_SIZE];
  for (int i = 0; i < 3; i++) {
    snprintf(name, sizeof name, "vp_%c", 'x' + i);
    visitor(context, name, waves->p[i]);
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (i != j) {
        snprintf(name, sizeof name, "vs_%c%c", 'x' + i, 'x' + j);
        visitor(context, name, waves->s[i][j]);
      }
}

void moduli_table_visit(const moduli_result *r, moduli_visitor *visitor, void *context)
{
  char name[NAME_SIZE];
  visit_state(r, visitor, context);
  for (int kind = 0; kind < MODULI_KINDS; kind++)
    visit_averages(&r->averages[kind], endings[kind], visitor, context);
  visit_waves(&r->waves, visitor, context);
  for (int kind = 0; kind < MODULI_KINDS; kind++)
    for (int i = 0; i < MODULI_VOIGT; i++)
      for (int j = 0; j < MODULI_VOIGT; j++) {
        snprintf(name, sizeof name, "c%d%d%s", i + 1, j + 1, endings[kind]);
        visitor(context, name, r->stiffness[kind][i][j]);
      }
}
