/* SPDX-License-Identifier: MIT */
/*
 * Closed forms of the moduli of lattices of equal spheres, from sums over the contacts of one sphere.
 *
 * With the distance d = 2R(1 - overlap), Fn = Ē √R ζ^(3/2), the normal stiffness kn = dFn/d(2ζ) = (3/4) Ē √(Rζ) and the
 * tangential one kt = kn/κ of a contact that has only been pressed:
 *
 *     simple cubic, V = d³:    p = Fn/d²        C11 = kn/d           C12 = 0                 C44 = kt/(2d)
 *     fcc, V = d³/√2:          p = 2√2 Fn/d²    C11 = √2(kn + kt)/d  C12 = (kn - kt)/(√2 d)  C44 = (kn + kt)/(√2 d)
 *     diamond, V = 8d³/(3√3):  p = √3 Fn/(4d²), and with a = √3/(12 d)
 *                              C11 = a (kn + 2kt)    C12 = a (kn - kt)    C44 = (9/2) a kn kt/(kn + 2kt)
 *
 * for strains without rotation. In the first two, every sphere is a centre of symmetry and moves with the cell. The
 * diamond has four contacts along (1,1,1), (1,-1,-1), (-1,1,-1), (-1,-1,1), two spheres in a primitive cell of volume
 * 2V, and under the shear γ_yz one sublattice moves against the other by u along x: the forces Σ D (εn d + u) vanish
 * for u = -(kn - kt) d γ/(√3 (kn + 2kt)), D = kn nn + kt (1 - nn). By symmetry no sphere rotates.
 *
 * The initial stress: with t = Fn/d, a contact that turns has the stiffness kt - t against lateral movements, Σ F ⊗ dl
 * takes p from C11 and p/2 from C44, and the smaller volume adds p to C11 and C12. So C is as with kt - t in place of
 * kt, with p added to C12 and p/2 taken from C44.
 */
#ifndef TEST_LATTICE_FORMS_H
#define TEST_LATTICE_FORMS_H

#include "dem/case.h"

#include <math.h>

typedef struct stiff {
  double d, fn, kn, kt;
} stiff;

/* The contacts of equal spheres of this radius and overlap: by Hertz, or linear springs. */
static inline stiff stiff_of_spheres(const dem_case *run, double radius, double overlap)
{
  double g = run->material.shear_modulus, nu = run->material.poisson, zeta = overlap * radius;
  double modulus = 8.0 * g / (3.0 * (1.0 - nu)), kappa = (2.0 - nu) / (2.0 * (1.0 - nu));
  stiff s = {.d = 2.0 * radius * (1.0 - overlap), .fn = modulus * sqrt(radius) * pow(zeta, 1.5)};
  s.kn = run->contact.model == JAGER_MODEL_LINEAR ? run->contact.linear_kn : 0.75 * modulus * sqrt(radius * zeta);
  s.fn = run->contact.model == JAGER_MODEL_LINEAR ? 2.0 * s.kn * zeta : s.fn;
  s.kt = run->contact.model == JAGER_MODEL_LINEAR ? run->contact.linear_kt : s.kn / kappa;
  return s;
}

static inline stiff stiff_of(const dem_case *run)
{
  return stiff_of_spheres(run, run->assembly.lattice.radius, run->assembly.lattice.overlap);
}

typedef struct lattice_moduli {
  double c11, c12, c44;
} lattice_moduli;

typedef lattice_moduli lattice_form(stiff c);

static inline lattice_moduli lattice_form_sc(stiff c)
{
  return (lattice_moduli){c.kn / c.d, 0.0, 0.5 * c.kt / c.d};
}

static inline lattice_moduli lattice_form_fcc(stiff c)
{
  return (lattice_moduli){sqrt(2.0) * (c.kn + c.kt) / c.d, (c.kn - c.kt) / (sqrt(2.0) * c.d),
                          (c.kn + c.kt) / (sqrt(2.0) * c.d)};
}

static inline lattice_moduli lattice_form_diamond(stiff c)
{
  double a = sqrt(3.0) / (12.0 * c.d);
  return (lattice_moduli){a * (c.kn + 2.0 * c.kt), a * (c.kn - c.kt), 4.5 * a * c.kn * c.kt / (c.kn + 2.0 * c.kt)};
}

static inline double lattice_pressure_sc(stiff c)
{
  return c.fn / (c.d * c.d);
}

static inline double lattice_pressure_fcc(stiff c)
{
  return 2.0 * sqrt(2.0) * c.fn / (c.d * c.d);
}

static inline double lattice_pressure_diamond(stiff c)
{
  return sqrt(3.0) * c.fn / (4.0 * c.d * c.d);
}

/* The same with the initial stress. */
static inline lattice_moduli lattice_with_stress(lattice_form *form, stiff c, double p)
{
  stiff turned = c;
  turned.kt = c.kt - c.fn / c.d;
  lattice_moduli m = form(turned);
  return (lattice_moduli){m.c11, m.c12 + p, m.c44 - 0.5 * p};
}

#endif
