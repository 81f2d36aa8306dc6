/* SPDX-License-Identifier: MIT */
/* Shared by the tests of the interface for other languages. Include it before any other header. */
#ifndef TEST_BINDING_SUPPORT_H
#define TEST_BINDING_SUPPORT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "binding/binding.h"

#include "scratch.h"
#include "support.h"

#define MATERIAL "material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}\n"

#define PACKING_HEAD                                                                                                   \
  "jager: 1\n" MATERIAL "title: a small packing\n"                                                                     \
  "assembly:\n"                                                                                                        \
  "  packing: {spheres: 60, sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}, pressure: 10 MPa, friction: 0,\n"            \
  "            unbalanced: 5e-3}\n"                                                                                    \
  "output: {series: 20, plots: false}\n"

/* Packing, rest and shear: some thousand steps in a tenth of a second. */
static const char small_text[] =
    PACKING_HEAD "stages:\n"
                 "  - name: rest\n"
                 "    control: {xx: {stress: 10 MPa}, yy: {stress: 10 MPa}, zz: {stress: 10 MPa}}\n"
                 "    until: {steps: 100}\n"
                 "  - name: shear\n"
                 "    control: {xx: {stress: 10 MPa}, yy: {stress: 10 MPa}, zz: {strain_rate: 10 1/s}}\n"
                 "    until: {steps: 200}\n";

/* A lattice, which needs no packing. */
static const char lattice_text[] =
    "jager: 1\n" MATERIAL "assembly: {lattice: {kind: fcc, cells: [3, 3, 3], radius: 1 mm, overlap: 1e-3}}\n"
    "output: {series: 10, plots: false}\n"
    "stages:\n"
    "  - name: load\n"
    "    control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_step: 1e-6}, xy: {strain_step: 5e-7}}\n"
    "    until: {steps: 200}\n";

#define assert_done(error) ck_assert_msg((error).fault == BINDING_DONE && !(error).text, "%s", (error).text)

/* Compares the fault, looks for a part of its text, and frees the text. */
static inline void assert_fault(binding_error *error, binding_fault fault, const char *part)
{
  ck_assert_msg(error->fault == fault, "fault %d instead of %d: %s", error->fault, fault, error->text);
  ck_assert_msg(error->text && strstr(error->text, part), "'%s' has not '%s'", error->text, part);
  binding_text_free(error->text);
  error->text = NULL;
}

static inline binding_case *case_of_with(const char *text, const char *const *settings, size_t count)
{
  binding_error error;
  char *messages;
  binding_case *of = binding_case_read("case.yaml", text, strlen(text), settings, count, &messages, &error);
  assert_done(error);
  ck_assert_ptr_nonnull(of);
  binding_text_free(messages);
  return of;
}

static inline binding_case *case_of(const char *text)
{
  return case_of_with(text, NULL, 0);
}

static inline binding_simulation *simulation_of_case(const binding_case *of)
{
  binding_error error;
  binding_simulation *s = binding_simulation_create(of, 1, &error);
  assert_done(error);
  ck_assert_ptr_nonnull(s);
  return s;
}

/* A simulation of the case in a text; it keeps a copy of the case. */
static inline binding_simulation *simulation_of(const char *text)
{
  binding_case *of = case_of(text);
  binding_simulation *s = simulation_of_case(of);
  binding_case_destroy(of);
  return s;
}

static inline void case_destroy(binding_case **of)
{
  binding_case_destroy(*of);
}

static inline void handle_destroy(binding_simulation **s)
{
  binding_simulation_destroy(*s);
}

/* Variables that are destroyed at the end of their scope */
#define SCOPED_BINDING_CASE __attribute__((cleanup(case_destroy))) binding_case *
#define SCOPED_BINDING __attribute__((cleanup(handle_destroy))) binding_simulation *

/* Up to so many steps, none of which may fail. */
static inline long steps_of(binding_simulation *s, long count, bool ends_with_stage)
{
  binding_error error;
  long made;
  ck_assert(binding_simulation_step(s, count, INFINITY, ends_with_stage, &made, &error));
  assert_done(error);
  return made;
}

static inline bool change_by(binding_simulation *s, const char *setting, binding_error *error)
{
  return binding_simulation_change(s, &setting, 1, error);
}

#endif
