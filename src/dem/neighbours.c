/* SPDX-License-Identifier: MIT */
/*
 * Neighbour lists, and their skin. The cell is divided into bins no smaller than the reach (two radii and the skin).
 * Each sphere searches its own bin and the 26 around it, and keeps the pairs with spheres of higher number within
 * reach, by rising number. The list is valid until a sphere may have travelled half the skin.
 *
 * The moment of listing changes no result: sums over contacts run in the order of their spheres, whatever other pairs
 * the list holds.
 */
#include "neighbours.h"
#include "base/clock.h"
#include "base/portable_math.h"
#include "contacts.h"
#include "grains.h"
#include "setup.h"

#include <assert.h>
#include <string.h>

/* The image of a neighbour as a code, until images are numbered: -15 ... 15 edges in 5 bits each. */
enum { EDGES_MAX = 15, EDGE_BITS = 5, IMAGE_CODES = 1 << (3 * EDGE_BITS) };
_Static_assert(IMAGE_CODES <= UINT16_MAX, "a code fits into candidate.image, and UINT16_MAX is none");

/* A sphere where it is searched. */
typedef struct binned {
  vec3 x; /* inside the cell */
  double radius;
} binned;

/* Bins of the cell, those along x next to each other. Bin k holds the elements start[k] ... start[k + 1] - 1. */
typedef struct bins {
  int number[3];
  size_t total;
  uint32_t *start;
  uint32_t *order; /* numbers of the spheres, bin by bin; the search runs through copies in the same order */
  binned *binned;
  vec3 *place;     /* of each sphere, in fractions [0, 1) of the edges */
  int (*wraps)[3]; /* of each sphere, whole edges between its position and that place */
} bins;

typedef struct listing {
  dem_simulation *simulation;
  bins bins;
  double skin;
} listing;

/* ---- Bins -------------------------------------------------------------------------------------------------------- */

static int bins_along(double width, double reach, size_t spheres)
{
  double most = portable_cube_root((double)spheres) + 1.0; /* not many more bins than spheres */
  double number = fmin(floor(width / reach), fmax(most, 3.0));
  return number < 1.0 ? 1 : (int)number;
}

static size_t bin_number(const bins *b, int x, int y, int z)
{
  return ((size_t)z * (size_t)b->number[1] + (size_t)y) * (size_t)b->number[0] + (size_t)x;
}

/* The bin at a fraction of the edge; rounding must not lead out of the cell. */
static int bin_along(double fraction, int number)
{
  int k = (int)(fraction * number);
  return k < number ? k : number - 1;
}

static size_t bin_of(const bins *b, vec3 place)
{
  return bin_number(b, bin_along(place.x, b->number[0]), bin_along(place.y, b->number[1]),
                    bin_along(place.z, b->number[2]));
}

static bool report_lost(const dem_simulation *s, error_info *error)
{
  return error_set(
      error,
      "step %ld: a sphere has left all bounds (a position is NaN or far away): the time step or the speed of "
      "loading is too large",
      s->step + 1);
}

static bool report_memory(const dem_simulation *s, error_info *error)
{
  return error_set_memory(error, "out of memory for the neighbours of %zu spheres", s->count);
}

static vec3 edges_times(upper_matrix cell, const int edges[3])
{
  return upper_matrix_times(cell, (vec3){(double)edges[0], (double)edges[1], (double)edges[2]});
}

/* The position of a sphere, moved into the cell. */
static vec3 position_inside(const dem_simulation *s, const bins *b, uint32_t i)
{
  return vec3_subtract(vec3_load(s->bodies[i].x), edges_times(s->cell, b->wraps[i]));
}

static bool bins_fill(const dem_simulation *s, bins *b, double reach, error_info *error)
{
  vec3 widths = dem_cell_widths(s->cell);
  b->number[0] = bins_along(widths.x, reach, s->count);
  b->number[1] = bins_along(widths.y, reach, s->count);
  b->number[2] = bins_along(widths.z, reach, s->count);
  b->total = (size_t)b->number[0] * (size_t)b->number[1] * (size_t)b->number[2];
  b->start = calloc(b->total + 2, sizeof *b->start);
  b->order = malloc(s->count * sizeof *b->order);
  b->binned = malloc(s->count * sizeof *b->binned);
  b->place = malloc(s->count * sizeof *b->place);
  b->wraps = malloc(s->count * sizeof *b->wraps);
  if (!b->start || !b->order || !b->binned || !b->place || !b->wraps)
    return report_memory(s, error);
  for (size_t i = 0; i < s->count; i++) {
    vec3 place = upper_matrix_solve(s->cell, vec3_load(s->bodies[i].x));
    double whole[3] = {floor(place.x), floor(place.y), floor(place.z)};
    for (int k = 0; k < 3; k++) {
      if (!(fabs(whole[k]) < 1e6))
        return report_lost(s, error);
      b->wraps[i][k] = (int)whole[k];
    }
    b->place[i] = (vec3){place.x - whole[0], place.y - whole[1], place.z - whole[2]};
    b->start[bin_of(b, b->place[i]) + 1]++; /* the spheres of each bin are counted, and summed up below */
  }
  for (size_t k = 0; k < b->total; k++)
    b->start[k + 1] += b->start[k];
  for (size_t i = s->count; i-- > 0;) /* backwards: each bin then holds its spheres by rising number */
    b->order[--b->start[bin_of(b, b->place[i]) + 1]] = (uint32_t)i;
  for (size_t k = 0; k < b->total; k++)
    b->start[k] = b->start[k + 1];
  b->start[b->total] = (uint32_t)s->count;
  for (size_t k = 0; k < s->count; k++) /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): all have their order */
    b->binned[k] = (binned){.x = position_inside(s, b, b->order[k]), .radius = s->bodies[b->order[k]].radius};
  return true;
}

/* ---- The pairs of a block ---------------------------------------------------------------------------------------- */

typedef struct pair_list {
  candidate *pairs;
  size_t count, room;
  bool is_lost; /* a sphere is more than EDGES_MAX cells away */
} pair_list;

/* The bin at an offset from another; `wrap` is 1 or -1 if it lies across the boundary of the cell, else 0. */
static int bin_beside(int bin, int offset, int number, int *wrap)
{
  int k = bin + offset;
  *wrap = k < 0 ? -1 : k >= number ? 1 : 0;
  return k - *wrap * number;
}

/* A sphere that searches for its neighbours. */
typedef struct searcher {
  uint32_t number, last; /* the last sphere of its grain; spheres of one grain are no neighbours */
  int bin[3];
  vec3 x;       /* inside the cell */
  double reach; /* its radius and the skin */
} searcher;

/* Elements that are tested together, without branches: whether two spheres are near is hard to predict. */
enum { RUN = 64 };

/* Finds the elements that are near a point, behind the last sphere of p's grain. Returns how many. */
static inline size_t find_near(const binned *elements, const uint32_t *numbers, size_t count, const searcher *p,
                               vec3 point, uint8_t found[RUN])
{
  size_t near = 0;
  for (size_t k = 0; k < count; k++) {
    vec3 branch = vec3_subtract(elements[k].x, point);
    double reach = p->reach + elements[k].radius;
    found[near] = (uint8_t)k;
    near += (size_t)((vec3_dot(branch, branch) < reach * reach) & (numbers[k] > p->last));
  }
  return near;
}

/* Adds the pairs of p with the spheres of the bins `first` ... `last`, as they are seen across a boundary. */
static bool search_bins(const listing *l, pair_list *list, const searcher *p, size_t first, size_t last,
                        const int wrap[3])
{
  const bins *b = &l->bins;
  uint8_t found[RUN];
  vec3 point = vec3_subtract(p->x, edges_times(l->simulation->cell, wrap));
  for (uint32_t k = b->start[first], end = b->start[last + 1]; k < end; k += RUN) {
    size_t near = find_near(b->binned + k, b->order + k, end - k < RUN ? end - k : RUN, p, point, found);
    for (size_t i = 0; i < near; i++) {
      /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): find_near has found so many */
      uint32_t q = b->order[k + found[i]];
      unsigned code = 0;
      for (int e = 0; e < 3; e++) {
        int edges = wrap[e] - b->wraps[q][e] + b->wraps[p->number][e];
        list->is_lost = list->is_lost || edges < -EDGES_MAX || edges > EDGES_MAX;
        code = (code << EDGE_BITS) | (unsigned)(edges + EDGES_MAX);
      }
      if (list->is_lost)
        return false;
      if (list->count == list->room) {
        size_t room = list->room + list->room / 2 + 256;
        candidate *pairs = realloc(list->pairs, room * sizeof *pairs);
        if (!pairs)
          return false;
        list->pairs = pairs;
        list->room = room;
      }
      list->pairs[list->count++] = (candidate){.q = q, .image = (uint16_t)code, .slot = NO_SLOT};
    }
  }
  return true;
}

/* Adds the pairs of p with spheres of its bin and the bins around it. */
static bool search_around(const listing *l, pair_list *list, uint32_t number)
{
  const bins *b = &l->bins;
  const dem_simulation *s = l->simulation;
  vec3 place = b->place[number];
  searcher p = {
      .number = number,
      .last = s->grains ? dem_grain_of_sphere(s, number)->first + dem_grain_of_sphere(s, number)->count - 1 : number,
      .bin = {bin_along(place.x, b->number[0]), bin_along(place.y, b->number[1]), bin_along(place.z, b->number[2])},
      .x = position_inside(s, b, number),
      .reach = s->bodies[number].radius + l->skin};
  int last = b->number[0] - 1, from = p.bin[0] > 0 ? p.bin[0] - 1 : 0, to = p.bin[0] < last ? p.bin[0] + 1 : last;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++) { /* up to three bins along x, which lie next to each other */
      int wrap[3];
      int y = bin_beside(p.bin[1], dy, b->number[1], &wrap[1]);
      int z = bin_beside(p.bin[2], dz, b->number[2], &wrap[2]);
      size_t row = bin_number(b, 0, y, z);
      wrap[0] = 0;
      if (!search_bins(l, list, &p, row + (size_t)from, row + (size_t)to, wrap))
        return false;
      wrap[0] = -1;
      if (p.bin[0] == 0 && !search_bins(l, list, &p, row + (size_t)last, row + (size_t)last, wrap))
        return false;
      wrap[0] = 1;
      if (p.bin[0] == last && !search_bins(l, list, &p, row, row, wrap))
        return false;
    }
  return true;
}

/*
 * Gives the candidates of the new list the existing contacts, and renumbers these, with their traces, in the order in
 * which the contact phase takes them, inner ones first.
 */
static bool take_over_contacts(const dem_simulation *s, block *b, pair_list *list, const uint32_t *start)
{
  uint32_t *order = malloc((list->count + 1) * sizeof *order), *traces = malloc((list->count + 1) * sizeof *traces);
  bool done = order && traces;
  if (done) {
    for (uint32_t local = 0; local < b->count; local++) {
      uint32_t k = start[local];
      for (uint32_t old = b->start[local]; old < b->start[local + 1]; old++) {
        candidate *was = &b->candidates[old];
        if (was->slot == NO_SLOT)
          continue;
        while (k < start[local + 1] && list->pairs[k].q < was->q)
          k++;
        if (k < start[local + 1] && list->pairs[k].q == was->q)
          list->pairs[k].slot = was->slot;
        else
          dem_slot_clear(s, b, was); /* the spheres have left each other's reach within one step */
      }
    }
    size_t count = 0;
    for (int outer = 0; outer < 2; outer++)
      for (size_t k = 0; k < list->count; k++)
        if (list->pairs[k].slot != NO_SLOT && is_inner(b, &list->pairs[k]) != outer) {
          traces[count] = b->traces[list->pairs[k].slot];
          order[count++] = list->pairs[k].slot;
        }
    done = jager_pairs_arrange(b->contacts, order, count) == JAGER_OK;
    if (done && count > 0)
      memcpy(b->traces, traces, count * sizeof *traces);
    count = 0;
    for (int outer = 0; done && outer < 2; outer++)
      for (size_t k = 0; k < list->count; k++)
        if (list->pairs[k].slot != NO_SLOT && is_inner(b, &list->pairs[k]) != outer)
          list->pairs[k].slot = (uint16_t)count++;
  }
  free(order);
  free(traces);
  return done;
}

/* Replaces the old list by the new one. On failure the old one stays. */
static bool replace_list(const dem_simulation *s, block *b, pair_list *list, const uint32_t *start)
{
  candidate *fewer = list->count < list->room ? realloc(list->pairs, (list->count + 1) * sizeof *fewer) : NULL;
  if (fewer) { /* gives back the memory behind the last pair */
    list->pairs = fewer;
    list->room = list->count + 1;
  }
  uint8_t *owners = malloc(list->count + 1);
  uint16_t *order = malloc((list->count + 1) * sizeof *order);
  uint16_t *wrench_number = malloc((list->count + 1) * sizeof *wrench_number);
  if (!owners || !order || !wrench_number || !take_over_contacts(s, b, list, start)) {
    free(owners);
    free(order);
    free(wrench_number);
    return false;
  }
  for (uint32_t local = 0; local < b->count; local++)
    memset(owners + start[local], (int)local, start[local + 1] - start[local]);
  free(b->owners);
  free(b->order);
  free(b->wrench_number);
  free(b->candidates);
  b->owners = owners;
  b->order = order;
  b->wrench_number = wrench_number;
  b->partition_is_stale = true;
  b->candidates = list->pairs;
  b->candidate_room = list->room;
  memcpy(b->start, start, sizeof b->start);
  return true;
}

static void list_block(void *context, size_t index)
{
  const listing *l = context;
  dem_simulation *s = l->simulation;
  block *b = &s->blocks[index];
  uint32_t start[BLOCK_SPHERES + 1] = {0};
  pair_list list = {.room = b->candidate_room};
  list.pairs = malloc(list.room * sizeof *list.pairs);
  bool done = list.pairs || list.room == 0;
  for (uint32_t local = 0; local < b->count && done; local++) {
    done = search_around(l, &list, b->first + local);
    start[local + 1] = (uint32_t)list.count;
    for (size_t i = start[local] + 1; i < list.count; i++) { /* sorts by q */
      candidate moving = list.pairs[i];
      size_t k = i;
      for (; k > start[local] && list.pairs[k - 1].q > moving.q; k--)
        list.pairs[k] = list.pairs[k - 1];
      list.pairs[k] = moving;
    }
  }
  bool is_too_long = list.count >= UINT16_MAX; /* block.order has 16 bits */
  if (!done || is_too_long || !replace_list(s, b, &list, start)) {
    free(list.pairs);
    b->status = list.is_lost ? JAGER_ERROR_TOO_LARGE : is_too_long ? JAGER_ERROR_CAPACITY : JAGER_ERROR_MEMORY;
    return;
  }
  for (uint32_t local = 0; local < b->count; local++)
    s->travels[b->first + local] = (travel){0.0f, 0.0f, 0.0f};
  for (uint32_t i = b->first_grain; s->grains && i < b->first_grain + b->grain_count; i++)
    dem_clump_start_travel(s, i);
}

/* ---- Lists over all blocks --------------------------------------------------------------------------------------- */

/* Memory on a cache line for at least `needed` elements; the contents are lost if it moves. */
static bool make_room(void **memory, size_t *room, size_t needed, size_t size)
{
  if (needed <= *room)
    return true;
  size_t larger = needed + needed / 32;
  void *bigger = dem_lines_allocate(larger * size);
  if (!bigger)
    return false;
  free(*memory);
  *memory = bigger;
  *room = larger;
  return true;
}

/* Replaces the codes of images by numbers of those in use; number 0 is the cell itself. */
static bool number_images(dem_simulation *s)
{
  static const unsigned own = (EDGES_MAX << 2 * EDGE_BITS) | (EDGES_MAX << EDGE_BITS) | EDGES_MAX;
  uint16_t *number = malloc(IMAGE_CODES * sizeof *number);
  image *images = malloc(IMAGE_CODES * sizeof *images);
  if (!number || !images) {
    free(number);
    free(images);
    return false;
  }
  memset(number, 0xFF, IMAGE_CODES * sizeof *number);
  images[0] = (image){.edges = {0, 0, 0}};
  number[own] = 0;
  size_t count = 1;
  for (size_t k = 0; k < s->block_count; k++) {
    block *b = &s->blocks[k];
    for (uint32_t i = 0; i < b->start[b->count]; i++) {
      unsigned code = b->candidates[i].image;
      if (number[code] == UINT16_MAX) {
        images[count] = (image){.edges = {(int)(code >> 2 * EDGE_BITS) - EDGES_MAX,
                                          (int)(code >> EDGE_BITS & 31u) - EDGES_MAX, (int)(code & 31u) - EDGES_MAX}};
        number[code] = (uint16_t)count++;
      }
      b->candidates[i].image = number[code];
    }
  }
  free(number);
  image *fewer = realloc(images, count * sizeof *images);
  free(s->images);
  s->images = fewer ? fewer : images;
  s->image_count = count;
  free(s->shifts);
  s->shifts = malloc(count * sizeof *s->shifts);
  return s->shifts;
}

/* Takes the wrench of a contact that has ended, or begun, from or to those that act on sphere q, by rising number. */
static bool update_incoming(const dem_simulation *s, uint32_t q, uint32_t wrench, bool touches)
{
  uint32_t k = s->incoming_start[q], *end = &s->incoming_end[q];
  while (k < *end && s->incoming[k] < wrench)
    k++;
  bool is_there = k < *end && s->incoming[k] == wrench;
  if (is_there == touches)
    return false;
  uint32_t *at = s->incoming + k;
  if (touches) {
    memmove(at + 1, at, (*end - k) * sizeof *at);
    *at = wrench;
    (*end)++;
  } else {
    (*end)--;
    memmove(at, at + 1, (*end - k) * sizeof *at);
  }
  return true;
}

void dem_incoming_update(dem_simulation *s)
{
  for (size_t number = 0; number < s->block_count; number++) {
    block *b = &s->blocks[number];
    for (uint32_t k = 0; b->incoming_is_stale && k < b->start[b->count]; k++)
      if (b->wrench_number[k] != NO_WRENCH &&
          update_incoming(s, b->candidates[k].q, (uint32_t)(b->first_wrench + b->wrench_number[k]),
                          b->candidates[k].slot != NO_SLOT))
        dem_block_of(s, b->candidates[k].q)->loaded_is_stale = true;
    b->loaded_is_stale = b->loaded_is_stale || b->incoming_is_stale;
    b->incoming_is_stale = false;
  }
}

/*
 * Makes room for the outer wrenches that act on each sphere, of candidates of other blocks in which it is q, and lists
 * those of touching pairs.
 */
static bool list_incoming(dem_simulation *s)
{
  size_t total = 0;
  uint32_t *start = s->incoming_start;
  memset(start, 0, (s->count + 1) * sizeof *start);
  for (size_t k = 0; k < s->block_count; k++) {
    block *b = &s->blocks[k];
    uint16_t outer = 0;
    for (uint32_t i = 0; i < b->start[b->count]; i++) {
      bool inner = is_inner(b, &b->candidates[i]);
      b->wrench_number[i] = inner ? NO_WRENCH : outer++;
      start[b->candidates[i].q + 1] += !inner;
    }
    b->incoming_is_stale = false;
    b->loaded_is_stale = true;
    b->first_wrench = total;
    total += outer;
  }
  if (total > UINT32_MAX ||
      !make_room((void **)&s->outer_wrenches, &s->outer_wrench_room, total, sizeof *s->outer_wrenches) ||
      !make_room((void **)&s->incoming, &s->incoming_room, total, sizeof *s->incoming))
    return false;
  for (size_t i = 1; i <= s->count; i++)
    start[i] += start[i - 1];
  memcpy(s->incoming_end, start, s->count * sizeof *start);
  for (size_t k = 0; k < s->block_count; k++) {
    const block *b = &s->blocks[k];
    for (uint32_t i = 0; i < b->start[b->count]; i++)
      if (b->wrench_number[i] != NO_WRENCH && b->candidates[i].slot != NO_SLOT)
        s->incoming[s->incoming_end[b->candidates[i].q]++] = (uint32_t)(b->first_wrench + b->wrench_number[i]);
  }
  assert(start[s->count] == total);
  if (total > 0)
    memset(s->outer_wrenches, 0, total * sizeof *s->outer_wrenches);
  return true;
}

void dem_images_update(dem_simulation *s)
{
  for (size_t k = 0; k < s->image_count; k++) {
    image *im = &s->images[k];
    vec3 edges = {(double)im->edges[0], (double)im->edges[1], (double)im->edges[2]};
    im->shift_before = upper_matrix_times(s->cell_before, edges);
    im->shift = upper_matrix_times(s->cell, edges);
    vec3_store(s->shifts[k], im->shift);
    s->shifts[k][3] = 0.0;
  }
}

bool dem_neighbours_list(dem_simulation *s, error_info *error)
{
  double reach = 2.0 * s->radius_max + s->skin, width = dem_cell_width(s->cell);
  listing l = {.simulation = s, .skin = s->skin};
  if (!(width >= 2.0 * reach)) /* two images of one sphere must not both be within reach */
    return error_set(
        error,
        "the cell is %g m wide, which is less than two of the largest diameters with their skin (%g m): take more "
        "spheres or a wider cell",
        width, 2.0 * reach);
  if (s->grains && !(width >= 4.0 * s->extent_max))
    return error_set(
        error,
        "the cell is %g m wide, but a grain reaches %g m from its centroid: the cell must be four times as "
        "wide as that: take more grains or a wider cell",
        width, s->extent_max);
  bool is_filled = bins_fill(s, &l.bins, reach, error);
  if (is_filled)
    thread_pool_run(s->workers, list_block, &l, s->block_count);
  free(l.bins.start);
  free(l.bins.order);
  free(l.bins.binned);
  free(l.bins.place);
  free(l.bins.wraps);
  if (!is_filled)
    return false;
  for (size_t k = 0; k < s->block_count; k++) {
    if (s->blocks[k].status == JAGER_ERROR_TOO_LARGE)
      return report_lost(s, error);
    if (s->blocks[k].status == JAGER_ERROR_CAPACITY)
      return error_set(
          error,
          "%d spheres have more than %d near pairs: they overlap, or the smallest are too small beside the "
          "largest",
          BLOCK_SPHERES, UINT16_MAX - 1);
    if (s->blocks[k].status != JAGER_OK)
      return report_memory(s, error);
  }
  if (!number_images(s) || !list_incoming(s))
    return report_memory(s, error);
  dem_images_update(s);
  s->cell_at_listing = s->cell;
  s->neighbours_are_stale = false;
  return true;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* Divides the spheres into blocks of whole grains, and returns their number. With NULL it only counts. */
static size_t divide_spheres(const dem_simulation *s, block *blocks)
{
  size_t number = 0;
  uint32_t first = 0, first_grain = 0;
  while (first < s->count) {
    uint32_t count = 0, taken = 0;
    for (; first_grain + taken < s->grain_count; taken++) {
      uint32_t more = s->grains ? s->grains[first_grain + taken].count : 1;
      if (count + more > BLOCK_SPHERES)
        break;
      count += more;
    }
    if (blocks) {
      blocks[number].first = first;
      blocks[number].count = count;
      blocks[number].first_grain = first_grain;
      blocks[number].grain_count = taken;
    }
    first += count;
    first_grain += taken;
    number++;
  }
  return number;
}

bool dem_neighbours_allocate(dem_simulation *s, error_info *error)
{
  s->block_count = divide_spheres(s, NULL);
  /* NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): there is a sphere, and so a block */
  s->blocks = calloc(s->block_count, sizeof *s->blocks);
  s->incoming_start = calloc(s->count + 1, sizeof *s->incoming_start);
  s->incoming_end = calloc(s->count, sizeof *s->incoming_end);
  s->probe = jager_pool_create(0);
  if (!s->blocks || !s->incoming_start || !s->incoming_end || !s->probe)
    return error_set_memory(error, "out of memory for %zu spheres", s->count);
  (void)divide_spheres(s, s->blocks);
  for (size_t k = 0; k < s->block_count; k++) {
    s->blocks[k].contacts = jager_pairs_create(0);
    if (!s->blocks[k].contacts)
      return error_set_memory(error, "out of memory for %zu spheres", s->count);
  }
  s->neighbours_are_stale = true;
  return true;
}

void dem_neighbours_free(dem_simulation *s)
{
  for (size_t k = 0; s->blocks && k < s->block_count; k++) {
    free(s->blocks[k].candidates);
    free(s->blocks[k].owners);
    free(s->blocks[k].order);
    free(s->blocks[k].wrench_number);
    free(s->blocks[k].touching);
    free(s->blocks[k].traces);
    free(s->blocks[k].motions);
    jager_pairs_destroy(s->blocks[k].contacts);
  }
  jager_pool_destroy(s->probe);
  free(s->blocks);
  free(s->images);
  free(s->shifts);
  free(s->outer_wrenches);
  free(s->incoming);
  free(s->incoming_start);
  free(s->incoming_end);
}

/* ---- The skin, chosen by the clock ------------------------------------------------------------------------------- */

enum {
  RUNG_AT_START = 2,
  RUNG_OF_PACKING = 6, /* spheres travel far */
  WINDOW_STEPS = 24,   /* at least, so that one step that was interrupted does not matter */
  PAUSE_MIN = 4,       /* windows between trials: doubled after each trial in vain, up to ... */
  PAUSE_MAX = 64
};

#define SPIKE 3.0        /* a step that takes so many times the usual time was interrupted: it counts only so much */
#define USUAL_SHARE 0.05 /* of the last step in the usual time of steps */
#define BETTER 0.985     /* cost of the trial over the cost of the present rung: below this it is taken */
#define MUCH_BETTER 0.85 /* ... after the first comparison already */
#define MUCH_WORSE 1.1   /* ... refused after the first comparison already */

double dem_skin_factor(int rung)
{
  static const double factors[SKIN_RUNGS] = {0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0};
  return factors[rung];
}

void dem_skin_tuner_init(skin_tuner *t, int rung)
{
  *t = (skin_tuner){.rung = rung, .top = SKIN_RUNGS - 1, .direction = 1, .pause = PAUSE_MIN};
}

void dem_skin_tuner_add_step(skin_tuner *t, double seconds, bool has_listed)
{
  double *usual = &t->usual[has_listed];
  if (*usual > 0.0)
    seconds = fmin(seconds, SPIKE * *usual);
  *usual = *usual > 0.0 ? *usual + USUAL_SHARE * (seconds - *usual) : seconds;
  t->seconds += seconds;
  t->steps++;
}

static void end_trial(skin_tuner *t, bool is_better)
{
  t->is_trying = false;
  if (is_better) {
    t->rung = t->other;
    t->pause = 1; /* the next rung may be better still; first, one window measures the new rung */
    return;
  }
  t->direction = -t->direction;
  t->pause = t->pause < PAUSE_MIN ? PAUSE_MIN : t->pause < PAUSE_MAX ? 2 * t->pause : PAUSE_MAX;
}

static void close_window(skin_tuner *t)
{
  double cost = t->seconds / (double)t->steps;
  t->seconds = 0.0;
  t->steps = 0;
  if (t->window_is_of_other) {
    t->cost_other = cost;
    return;
  }
  /* Costs of windows come in the order present, other, present, other, ... Each window of the other rung is compared
   * with the mean of those around it, so that costs that rise or fall do not count. */
  if (t->is_trying && t->cost_other > 0.0) {
    double ratio = 2.0 * t->cost_other / (t->cost + cost), *v = t->ratio;
    v[t->ratios++] = ratio;
    if (t->ratios == 1 && (ratio < MUCH_BETTER || ratio > MUCH_WORSE))
      end_trial(t, ratio < 1.0);
    else if (t->ratios == 3) /* the median decides */
      end_trial(t, fmax(fmin(v[0], v[1]), fmin(fmax(v[0], v[1]), v[2])) < BETTER);
  }
  t->cost = cost;
  t->cost_other = 0.0;
  if (t->is_trying || ++t->waited <= t->pause)
    return;
  /* The next trial continues in the direction of the last success; after a failure it takes the other direction. */
  int other = t->rung + t->direction;
  if (other < 0 || other > t->top) {
    t->direction = -t->direction;
    other = t->rung + t->direction;
  }
  t->waited = 0;
  t->ratios = 0;
  t->other = other;
  t->is_trying = other >= 0 && other <= t->top;
}

int dem_skin_tuner_choose(skin_tuner *t)
{
  if (t->steps >= WINDOW_STEPS) {
    close_window(t);
    t->window_is_of_other = t->is_trying && !t->window_is_of_other;
  }
  return t->window_is_of_other ? t->other : t->rung;
}

static bool is_tuned(const dem_simulation *s)
{
  return !(s->run->skin > 0.0);
}

void dem_skin_tuning_begin_step(dem_simulation *s)
{
  if (!is_tuned(s))
    return;
  if (s->tuner.top == 0)
    dem_skin_tuner_init(&s->tuner, s->stage.number == 0 ? RUNG_OF_PACKING : RUNG_AT_START);
  s->tuner.has_listed = false;
  s->tuner.start = clock_seconds();
}

void dem_skin_tuning_end_step(dem_simulation *s)
{
  if (is_tuned(s))
    dem_skin_tuner_add_step(&s->tuner, clock_seconds() - s->tuner.start, s->tuner.has_listed);
}

void dem_skin_tuning_fit(dem_simulation *s)
{
  if (is_tuned(s))
    s->skin = fmax(0.0, fmin(s->skin, 0.999 * (0.5 * dem_cell_width(s->cell) - 2.0 * s->radius_max)));
}

void dem_skin_tuning_choose(dem_simulation *s)
{
  if (!is_tuned(s))
    return;
  s->skin = dem_skin_factor(dem_skin_tuner_choose(&s->tuner)) * SKIN_AT_START * s->mean_diameter;
  s->tuner.has_listed = true;
  dem_skin_tuning_fit(s);
}

bool dem_skin_tuning_retreat(dem_simulation *s)
{
  double at_start = SKIN_AT_START * s->mean_diameter;
  if (!is_tuned(s) || s->skin <= at_start)
    return false;
  dem_skin_tuner_init(&s->tuner, RUNG_AT_START);
  s->tuner.top = RUNG_AT_START;
  s->skin = at_start;
  for (size_t k = 0; k < s->block_count; k++)
    s->blocks[k].status = JAGER_OK;
  return true;
}
