/* SPDX-License-Identifier: MIT */
/*
 * Neighbour lists in tilted cells, with spheres of different sizes, and with positions far outside the cell.
 *
 * Oracle: a search over all pairs and all images within reach.
 */
#include "dem_support.h"

#include "dem/neighbours.h"
#include "dem/setup.h"

#include "dem/trace.h"

FIXTURE_ONCE(make_directory, remove_directory)

/* ---- Random cells ------------------------------------------------------------------------------------------------ */

static upper_matrix random_cell(uint64_t *seed)
{
  upper_matrix h = {.xx = random_in(seed, 2.0, 6.0), .yy = random_in(seed, 2.0, 6.0), .zz = random_in(seed, 2.0, 6.0)};
  h.xy = random_in(seed, -0.55, 0.55) * h.xx;
  h.xz = random_in(seed, -0.55, 0.55) * h.xx;
  h.yz = random_in(seed, -0.55, 0.55) * h.yy;
  return h;
}

/* Spheres anywhere, some of them cells away; no contacts yet. */
static dem_simulation *random_spheres(const dem_case *run, uint64_t *seed, int threads)
{
  error_info error = {.text = ""};
  size_t count = 1 + random_bits(seed) % 150;
  double largest = random_in(seed, 0.05, 0.4);
  dem_simulation *s = dem_simulation_allocate(run, &(dem_layout){.spheres = count}, threads, &error);
  ck_assert_msg(s != NULL, "%s", error.text);
  do
    s->cell = random_cell(seed);
  while (dem_cell_width(s->cell) < 2.0 * (2.0 * largest * (1.0 + run->skin)));
  s->cell_before = s->cell;
  for (size_t i = 0; i < count; i++) {
    vec3 share = {random_in(seed, 0.0, 1.0), random_in(seed, 0.0, 1.0), random_in(seed, 0.0, 1.0)};
    vec3 away = {(double)(random_bits(seed) % 5) - 2.0, (double)(random_bits(seed) % 5) - 2.0,
                 (double)(random_bits(seed) % 5) - 2.0};
    if (random_bits(seed) % 20 == 0) /* on a face, to the bit */
      share.x = share.y = 0.0;
    double radius = i == 0 ? largest : largest * random_in(seed, 0.2, 1.0);
    s->bodies[i] = (jager_particle){.radius = radius, .mass = 1.0};
    vec3_store(s->bodies[i].x, upper_matrix_times(s->cell, vec3_add(share, away)));
    s->motions[i] = (motion){.v = {0.0, 0.0, 0.0}};
    s->ids[i] = (uint32_t)i;
  }
  dem_simulation_update_sizes(s);
  return s;
}

/* The image of q that is nearest to p, and whether it is within reach. Positions are at most four cells apart. */
static bool is_near(const dem_simulation *s, size_t p, size_t q, double skin, int edges[3])
{
  double reach = s->bodies[p].radius + s->bodies[q].radius + skin;
  vec3 apart = vec3_subtract(vec3_load(s->bodies[q].x), vec3_load(s->bodies[p].x));
  vec3 share = upper_matrix_solve(s->cell, apart);
  int middle[3] = {-(int)nearbyint(share.x), -(int)nearbyint(share.y), -(int)nearbyint(share.z)};
  for (int k = 0; k < 125; k++) {
    int e[3] = {middle[0] + k % 5 - 2, middle[1] + k / 5 % 5 - 2, middle[2] + k / 25 - 2};
    vec3 branch = vec3_add(apart, upper_matrix_times(s->cell, (vec3){e[0], e[1], e[2]}));
    if (vec3_length(branch) < reach) {
      memcpy(edges, e, sizeof e);
      return true;
    }
  }
  return false;
}

/* The candidate of a pair, or NULL. There may be one at most. */
static const candidate *find_candidate(const dem_simulation *s, size_t p, size_t q)
{
  const block *b = &s->blocks[p / BLOCK_SPHERES];
  const candidate *found = NULL;
  for (uint32_t k = b->start[p - b->first]; k < b->start[p - b->first + 1]; k++)
    if (b->candidates[k].q == q) {
      ck_assert_ptr_null(found);
      found = &b->candidates[k];
    }
  return found;
}

/* Every pair within reach is in the list with its image, and no other. */
static size_t assert_list_is_right(const dem_simulation *s)
{
  size_t pairs = 0, listed = 0;
  for (size_t p = 0; p < s->count; p++)
    for (size_t q = p + 1; q < s->count; q++) {
      int edges[3];
      bool near = is_near(s, p, q, s->skin, edges);
      const candidate *c = find_candidate(s, p, q);
      if (near != (c != NULL))
        ck_abort_msg("%zu and %zu: %s", p, q, near ? "missing" : "too many");
      if (c)
        ck_assert_mem_eq(s->images[c->image].edges, edges, sizeof edges);
      pairs += near;
    }
  for (size_t k = 0; k < s->block_count; k++)
    listed += s->blocks[k].start[s->blocks[k].count];
  ck_assert_uint_eq(listed, pairs);
  return pairs;
}

/* The candidate of a block that has this outer wrench */
static uint32_t candidate_of_push(const block *b, uint32_t number)
{
  uint32_t at = 0;
  while (b->wrench_number[at] != number)
    ck_assert_uint_lt(++at, b->start[b->count]);
  return at;
}

/* Outer candidates of a block are numbered in their order. Returns how many there are. */
static size_t assert_pushes_are_right(const block *b)
{
  uint16_t outer = 0;
  for (uint32_t i = 0; i < b->start[b->count]; i++) {
    bool inner = b->candidates[i].q / BLOCK_SPHERES == b->first / BLOCK_SPHERES;
    ck_assert_uint_eq(b->wrench_number[i], inner ? NO_WRENCH : outer);
    outer += !inner;
  }
  return outer;
}

/*
 * Each sphere has room for the wrenches of all outer candidates in which it is q, and lists those of touching pairs,
 * by their number.
 */
static void assert_incoming_is_right(const dem_simulation *s)
{
  size_t touching = 0, listed = 0;
  for (size_t k = 0; k < s->block_count; k++) {
    const block *b = &s->blocks[k];
    for (uint32_t i = 0; i < b->start[b->count]; i++)
      touching += b->wrench_number[i] != NO_WRENCH && b->candidates[i].slot != NO_SLOT;
  }
  for (size_t i = 0; i < s->count; i++) {
    ck_assert_uint_le(s->incoming_start[i], s->incoming_end[i]);
    ck_assert_uint_le(s->incoming_end[i], s->incoming_start[i + 1]);
    listed += s->incoming_end[i] - s->incoming_start[i];
    for (uint32_t k = s->incoming_start[i]; k < s->incoming_end[i]; k++) {
      uint32_t number = s->incoming[k];
      size_t at = 0;
      while (at + 1 < s->block_count && s->blocks[at + 1].first_wrench <= number)
        at++;
      const block *b = &s->blocks[at];
      const candidate *c = &b->candidates[candidate_of_push(b, number - (uint32_t)b->first_wrench)];
      ck_assert_uint_eq(c->q, i);
      ck_assert_uint_ne(c->slot, NO_SLOT);
      ck_assert(k == s->incoming_start[i] || s->incoming[k - 1] < number);
    }
  }
  ck_assert_uint_eq(listed, touching);
}

/* Candidates are sorted by q, and each sphere has room for the wrenches of the outer ones in which it is q. */
static void assert_order_is_right(const dem_simulation *s)
{
  size_t total = 0;
  for (size_t k = 0; k < s->block_count; k++) {
    const block *b = &s->blocks[k];
    ck_assert_uint_eq(b->first_wrench, total);
    total += assert_pushes_are_right(b);
    for (uint32_t local = 0; local < b->count; local++)
      for (uint32_t i = b->start[local] + 1; i < b->start[local + 1]; i++)
        ck_assert_uint_lt(b->candidates[i - 1].q, b->candidates[i].q);
  }
  ck_assert_uint_eq(s->incoming_start[0], 0);
  ck_assert_uint_eq(s->incoming_start[s->count], total);
  for (size_t i = 0; i < s->count; i++) {
    size_t candidates = 0;
    for (size_t k = 0; k < s->block_count; k++)
      for (uint32_t at = 0; at < s->blocks[k].start[s->blocks[k].count]; at++)
        candidates += s->blocks[k].wrench_number[at] != NO_WRENCH && s->blocks[k].candidates[at].q == i;
    ck_assert_uint_eq(s->incoming_start[i + 1] - s->incoming_start[i], candidates);
  }
  assert_incoming_is_right(s);
}

TEST(lists_are_those_of_brute_force)
{
  uint64_t seed = 11;
  size_t pairs = 0, spheres = 0;
  error_info error = {.text = ""};
  for (int k = 0; k < 300; k++) {
    dem_case run = dem_still_case(1e-7);
    run.skin = random_in(&seed, 0.0, 0.3);
    SCOPED_SIMULATION s = random_spheres(&run, &seed, 1 + k % 3);
    ck_assert_msg(dem_neighbours_list(s, &error), "%s", error.text);
    pairs += assert_list_is_right(s);
    assert_order_is_right(s);
    spheres += s->count;
  }
  printf("300 cells, %zu spheres: all %zu pairs within reach found, and no other\n", spheres, pairs);
  ck_assert_uint_gt(pairs, 5000);
}

/* ---- Lists that are kept for a while ----------------------------------------------------------------------------- */

/* All overlapping pairs are contacts, and all contacts overlap; the spheres gather the wrenches of these. */
static void assert_contacts_are_right(const dem_simulation *s)
{
  assert_incoming_is_right(s);
  for (size_t p = 0; p < s->count; p++)
    for (size_t q = p + 1; q < s->count; q++) {
      int edges[3];
      const candidate *c = find_candidate(s, p, q);
      if (is_near(s, p, q, 0.0, edges) != (c && c->slot != NO_SLOT))
        ck_abort_msg("step %ld: %zu and %zu %s", s->step, p, q, c ? "touch or not" : "are not in the list");
    }
}

TEST(no_contact_is_missed_in_fast_flow)
{
  dem_spheres packed = dem_pack(100);
  dem_write_spheres(directory, "packed", packed.cell, packed.count, packed.x, packed.radius, NULL);
  for (int kind = 0; kind < 3; kind++) {
    SCOPED_CASE run = dem_still_case(1e-7);
    uint64_t seed = 5;
    dem_take_file(&run, directory, "packed");
    run.skin = kind == 0 ? 0.02 : 0.1;
    run.overlap_limit = 1.0;
    run.stages[0].control[kind == 2 ? DEM_ZZ : DEM_XY] =
        (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = kind == 2 ? -4e-4 : 8e-4};
    SCOPED_SIMULATION s = dem_create(&run, 1);
    for (size_t i = 0; i < s->count; i++) /* each with its own velocity */
      s->motions[i].v = (vec3){random_in(&seed, -5.0, 5.0), random_in(&seed, -5.0, 5.0), random_in(&seed, -5.0, 5.0)};
    int lists = 0;
    for (int k = 0; k < 400; k++) {
      upper_matrix listed = s->cell_at_listing;
      dem_steps(s, 1);
      lists += memcmp(&listed, &s->cell_at_listing, sizeof listed) != 0;
      if (k % 5 == 0)
        assert_contacts_are_right(s);
    }
    printf("fast flow: no contact missed in 400 steps, %d lists\n", lists);
    ck_assert_int_ge(lists, 3);
    ck_assert_int_lt(lists, 400);
  }
  dem_spheres_free(&packed);
}

/* A gas of separate spheres with a thin skin: the movement of each sphere triggers a new list in time. */
TEST(no_contact_is_missed_in_a_gas)
{
  dem_case run = dem_still_case(1e-7);
  run.assembly.source = DEM_SOURCE_LATTICE;
  run.assembly.lattice = (dem_lattice){.kind = DEM_LATTICE_SC, .cells = {4, 4, 4}, .radius = 1e-3, .overlap = -0.1};
  run.skin = 0.01;
  run.overlap_limit = 1.0;
  SCOPED_SIMULATION s = dem_create(&run, 1);
  uint64_t seed = 6;
  for (size_t i = 0; i < s->count; i++)
    s->motions[i].v =
        (vec3){random_in(&seed, -40.0, 40.0), random_in(&seed, -40.0, 40.0), random_in(&seed, -40.0, 40.0)};
  size_t contacts = 0;
  for (int k = 0; k < 300; k++) {
    dem_steps(s, 1);
    assert_contacts_are_right(s);
    contacts += dem_simulation_contacts(s);
  }
  printf("gas: no contact missed in 300 steps; %.2f contacts at a time\n", (double)contacts / 300.0);
  ck_assert_uint_gt(contacts, 300);
}

/* Spheres that only move with the cell: its strain triggers a new list in time. */
TEST(no_contact_is_missed_when_only_the_cell_moves)
{
  for (int kind = 0; kind < 3; kind++) {
    dem_case run = dem_still_case(1e-9);
    run.assembly.source = DEM_SOURCE_LATTICE;
    run.assembly.lattice = (dem_lattice){.kind = DEM_LATTICE_SC, .cells = {4, 4, 4}, .radius = 1e-3, .overlap = -0.03};
    run.skin = 0.01;
    run.overlap_limit = 1.0;
    dem_control *control = run.stages[0].control;
    control[kind == 1 ? DEM_XX : DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1e-3};
    if (kind == 2) /* in the end each row lies over the next one */
      control[DEM_XZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = -0.5 / 60.0};
    SCOPED_SIMULATION s = dem_create(&run, 1);
    ck_assert_uint_eq(dem_simulation_contacts(s), 0);
    for (int k = 0; k < 60; k++) {
      dem_steps(s, 1);
      assert_contacts_are_right(s);
    }
    ck_assert_uint_eq(dem_simulation_contacts(s), 64);
  }
}

/* A contact may separate and leave the skin in one step: it ends, and no other pair inherits its slot. */
TEST(a_contact_may_leave_in_one_step)
{
  for (size_t others = 0; others < 3; others++) {
    double d = 2e-3 - 1e-6, radius[4] = {1e-3, 1e-3, 1e-3, 1e-3};
    vec3 x[4] = {{5e-3, 5e-3, 5e-3}, {5e-3 + d, 5e-3, 5e-3}, {5e-3, 5e-3 + d, 5e-3}, {5e-3, 5e-3, 5e-3 + d}};
    dem_write_spheres(directory, "fast", (upper_matrix){.xx = 1e-2, .yy = 1e-2, .zz = 1e-2}, 2 + others, x, radius,
                      NULL);
    SCOPED_CASE run = dem_still_case(1e-7);
    run.skin = 0.01;
    run.trace_count = 1;
    run.traces[0] = (dem_trace){.kind = DEM_TRACE_PAIR, .ids = {0, 1}, .every = 1};
    dem_take_file(&run, directory, "fast");
    SCOPED_SIMULATION s = dem_create(&run, 1);
    ck_assert_uint_eq(dem_simulation_contacts(s), 1 + others);
    dem_steps(s, 1);
    s->motions[dem_sphere(s, 1)].v.x = 2000.0; /* 0.1 diameters in a step */
    dem_steps(s, 1);
    ck_assert_uint_eq(dem_simulation_contacts(s), others);
    assert_contacts_are_right(s);
    size_t next = 0;
    const dem_trace_life *life = dem_trace_book_life(dem_simulation_traces(s), 0, &next);
    ck_assert_ptr_nonnull(life);
    ck_assert_int_eq(life->death, 2);
    contact_walk at = contact_walk_start(s);
    while (contact_walk_next(&at)) {
      ck_assert_uint_eq(*at.trace, 0);
      assert_within(vec3_length(at.frame.branch), d, 1e-3 * d);
    }
  }
}

/* A million cells away, in any direction, ends the run; an edge before that does not. */
TEST(spheres_far_away_end_the_run)
{
  const double edge = 1e-2, radius[2] = {1e-3, 1e-3}, near[2] = {999999.5, -999998.5}, far[2] = {1000000.5, -999999.5};
  for (int direction = 0; direction < 3; direction++)
    for (int k = 0; k < 4; k++) {
      double place[3] = {0.5, 0.5, 0.5};
      place[direction] = k < 2 ? near[k] : far[k - 2];
      vec3 x[2] = {{0.0, 0.0, 0.0}, {edge * place[0], edge * place[1], edge * place[2]}};
      dem_write_spheres(directory, "far", (upper_matrix){.xx = edge, .yy = edge, .zz = edge}, 2, x, radius, NULL);
      SCOPED_CASE run = dem_still_case(1e-7);
      dem_take_file(&run, directory, "far");
      error_info error = {.text = ""};
      SCOPED_SIMULATION s = dem_simulation_create(&run, 1, &error);
      ck_assert_msg((s != NULL) == (k < 2), "direction %d, place %d: %s", direction, k, error.text);
      if (k >= 2)
        ck_assert_str_eq(error.text,
                         "step 1: a sphere has left all bounds (a position is NaN or far away): the time step "
                         "or the speed of loading is too large");
      ck_assert(!error.out_of_memory);
    }
}
