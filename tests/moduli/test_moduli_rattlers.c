/* SPDX-License-Identifier: MIT */
/*
 * Rattlers, floppy movements, and assemblies without stiffness.
 *
 * Oracles: networks made by hand, in which it is plain which spheres can carry load; an fcc lattice, whose stiffness
 * must not change when spheres without load are added.
 */
#include "moduli_support.h"

#include "moduli/operator.h"
#include "moduli/network.h"

enum { ROOM = 400 };

/* A network made by hand; its contacts have kn = 1e6, kt = 8e5 and Fn = 1. */
typedef struct made {
  moduli_network network;
  double radius[ROOM];
  moduli_contact contacts[ROOM];
} made;

static void make(made *m, size_t spheres, double friction)
{
  *m = (made){.network = {.grain_count = spheres, .volume = 1e-6, .density = 2000.0, .friction = friction}};
  for (size_t i = 0; i < spheres; i++)
    m->radius[i] = 1e-3;
  m->network.radius = m->radius;
  m->network.contacts = m->contacts;
}

static void touch(made *m, uint32_t p, uint32_t q, vec3 direction)
{
  double kt = m->network.friction > 0.0 ? 8e5 : 0.0;
  m->contacts[m->network.contact_count++] = (moduli_contact){.p = p,
                                                             .q = q,
                                                             .n = vec3_scale(1.0 / vec3_length(direction), direction),
                                                             .distance = 2e-3,
                                                             .arm_p = 1e-3,
                                                             .arm_q = 1e-3,
                                                             .fn = 1.0,
                                                             .kn = 1e6,
                                                             .kt = kt};
}

static size_t rattlers_of(made *m)
{
  size_t count;
  error_info error = {.text = ""};
  ck_assert(moduli_rattlers_remove(&m->network, &count, &error));
  return count;
}

/* Spheres 0 and 1 have many contacts with each other; sphere 2 touches both, at this angle from a straight line. */
static size_t strut(double friction, double angle)
{
  made m;
  make(&m, 3, friction);
  for (int i = 0; i < 6; i++)
    touch(&m, 0, 1, (vec3){cos(i), sin(i), i % 2 == 0 ? 1.0 : -1.0});
  touch(&m, 0, 2, (vec3){1.0, 0.0, 0.0});
  touch(&m, 1, 2, (vec3){-cos(angle), sin(angle), 0.0});
  return rattlers_of(&m);
}

/* The normals include π - angle: the line through the contact points makes half the angle with both. */
TEST(two_contacts_carry_load_within_the_friction_cone)
{
  ck_assert_uint_eq(strut(0.5, 2.0 * atan(0.49)), 0);
  ck_assert_uint_eq(strut(0.5, 2.0 * atan(0.51)), 1);
  ck_assert_uint_eq(strut(0.5, 0.0), 0);
}

TEST(chains_of_rattlers_go_one_after_the_other)
{
  made m;
  make(&m, 20, 0.5);
  for (int i = 0; i < 6; i++)
    touch(&m, 0, 1, (vec3){cos(i), sin(i), i % 2 == 0 ? 1.0 : -1.0});
  for (uint32_t i = 1; i < 18; i++) /* a chain that hangs on sphere 1, and a sphere alone */
    touch(&m, i, i + 1, (vec3){1.0, 0.0, 0.0});
  ck_assert_uint_eq(rattlers_of(&m), 18);
  ck_assert_uint_eq(m.network.grain_count, 2);
  ck_assert_uint_eq(m.network.contact_count, 6);
}

/* Sphere 2 touches the others in these directions. */
static size_t with_directions(double friction, const vec3 *directions, size_t count)
{
  made m;
  make(&m, 3, friction);
  for (int k = 0; k < 3; k++) { /* 0 and 1 hold each other from all sides */
    vec3 axis = {k == 0, k == 1, k == 2};
    touch(&m, 0, 1, axis);
    touch(&m, 0, 1, vec3_scale(-1.0, axis));
  }
  for (size_t i = 0; i < count; i++)
    touch(&m, i % 2, 2, vec3_scale(-1.0, directions[i]));
  return rattlers_of(&m);
}

TEST(without_friction_contacts_must_surround)
{
  static const vec3 bowl[] = {{1, 0, -1}, {-1, 1, -1}, {-1, -1, -1}, {0, 0, -1}};
  static const vec3 tetrahedron[] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  static const vec3 plane[] = {{1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}};
  static const vec3 opposite[] = {{1, 0, 0}, {-1, 0, 0}};
  ck_assert_uint_eq(with_directions(0.0, bowl, 4), 1);
  ck_assert_uint_eq(with_directions(0.0, bowl, 3), 1);
  ck_assert_uint_eq(with_directions(0.0, tetrahedron, 4), 0);
  ck_assert_uint_eq(with_directions(0.0, plane, 3), 0);
  ck_assert_uint_eq(with_directions(0.0, opposite, 2), 0);
  ck_assert_uint_eq(with_directions(0.5, bowl, 4), 0); /* friction can hold it */
}

/* ---- In a lattice ------------------------------------------------------------------------------------------------ */

static moduli_result lattice_with(size_t rattlers, bool has_strut)
{
  dem_case run = dem_still_case(1e-8);
  run.assembly.source = DEM_SOURCE_LATTICE;
  run.assembly.lattice = (dem_lattice){.kind = DEM_LATTICE_FCC, .cells = {3, 3, 3}, .radius = 1e-3, .overlap = 1e-3};
  SCOPED_SIMULATION s = dem_create(&run, 1);
  moduli_network network = network_of(s);
  size_t spheres = network.grain_count, contacts = network.contact_count;
  network.radius = realloc(network.radius, (spheres + rattlers + 1) * sizeof *network.radius);
  network.contacts = realloc(network.contacts, (contacts + rattlers + 2) * sizeof *network.contacts);
  ck_assert(network.radius && network.contacts);
  for (size_t i = 0; i < rattlers + has_strut; i++) {
    network.radius[spheres + i] = 1e-3;
    moduli_contact c = network.contacts[0];
    c.p = (uint32_t)i;
    c.q = (uint32_t)(spheres + i);
    network.contacts[network.contact_count++] = c;
    if (i == rattlers) { /* a second contact, nearly opposite and without force */
      network.contacts[network.contact_count - 1].fn = 0.0;
      c.p = (uint32_t)i + 50;
      c.n = vec3_scale(-1.0, c.n);
      c.fn = 0.0;
      c.kn = c.kt = 1e-3 * c.kn;
      network.contacts[network.contact_count++] = c;
    }
  }
  network.grain_count = spheres + rattlers + has_strut;
  return moduli_of_network(network, 1);
}

TEST(rattlers_do_not_count)
{
  moduli_result plain = lattice_with(0, false), more = lattice_with(7, false);
  ck_assert_uint_eq(plain.rattlers, 0);
  ck_assert_uint_eq(more.rattlers, 7);
  ck_assert_uint_eq(more.contacts, plain.contacts);
  for (int kind = 0; kind < MODULI_KINDS; kind++)
    ck_assert(memcmp(more.stiffness[kind], plain.stiffness[kind], sizeof plain.stiffness[kind]) == 0);
}

/* A sphere between two others can spin about the line through its contacts, and the equations are still solved. */
TEST(a_strut_may_spin)
{
  moduli_result r = lattice_with(0, true);
  ck_assert_uint_eq(r.rattlers, 0);
  ck_assert_uint_eq(r.floppy, 1);
  ck_assert_int_eq(r.resisted, 6);
  for (int i = 0; i < VOIGT; i++)
    for (int j = 0; j < VOIGT; j++)
      ck_assert(isfinite(r.stiffness[MODULI_STRESSED][i][j]));
}

/* The movement is the rotation about the axis: contact points on it do not move. */
TEST(the_floppy_movement_is_a_spin)
{
  made m;
  error_info error = {.text = ""};
  moduli_floppy floppy;
  make(&m, 3, 0.5);
  for (int k = 0; k < 3; k++)
    touch(&m, 0, 1, (vec3){k == 0, k == 1, k == 2});
  touch(&m, 0, 2, (vec3){0.0, 1.0, 2.0});
  touch(&m, 1, 2, (vec3){0.0, -1.0, -2.0});
  moduli_operator k = moduli_operator_of(&m.network, false);
  ck_assert(moduli_floppy_find(&floppy, &k, &error));
  ck_assert_uint_eq(floppy.count, 1);
  ck_assert_uint_eq(floppy.list[0].grain, 2);
  double along = (floppy.list[0].v[4] + 2.0 * floppy.list[0].v[5]) / sqrt(5.0), square = 0.0;
  for (int i = 0; i < 6; i++)
    square += floppy.list[0].v[i] * floppy.list[0].v[i];
  assert_within(fabs(along), sqrt(square), 1e-12);
  moduli_floppy_free(&floppy);
}

/* Spheres in a plane square without friction: all can leave the plane. */
TEST(a_layer_without_friction_has_finite_moduli)
{
  made m;
  error_info error = {.text = ""};
  moduli_settings settings = {.threads = 1};
  moduli_result r;
  make(&m, 4, 0.0);
  for (uint32_t i = 0; i < 4; i += 2) { /* each pair twice: over both sides of the periodic cell */
    touch(&m, i, i + 1, (vec3){1.0, 0.0, 0.0});
    touch(&m, i, i + 1, (vec3){-1.0, 0.0, 0.0});
    touch(&m, i / 2, 2 + i / 2, (vec3){0.0, 1.0, 0.0});
    touch(&m, i / 2, 2 + i / 2, (vec3){0.0, -1.0, 0.0});
  }
  ck_assert_msg(moduli_compute(&r, &m.network, &settings, &error), "%s", error.text);
  ck_assert_uint_eq(r.floppy, 4);
  for (int i = 0; i < MODULI_VOIGT; i++)
    for (int j = 0; j < MODULI_VOIGT; j++)
      ck_assert(isfinite(r.stiffness[MODULI_STRESSED][i][j]) && isfinite(r.stiffness[MODULI_SPRINGS][i][j]));
  ck_assert_int_eq(r.resisted, 2);
}

TEST(an_assembly_without_load_is_refused)
{
  made m;
  error_info error = {.text = ""};
  moduli_result result;
  moduli_settings settings = {.threads = 1};
  make(&m, 5, 0.5);
  touch(&m, 0, 1, (vec3){1.0, 0.0, 0.0});
  ck_assert(!moduli_compute(&result, &m.network, &settings, &error));
  ck_assert_str_eq(error.text, "no contact carries load: the assembly has no stiffness");
  ck_assert(!error.out_of_memory);
}
