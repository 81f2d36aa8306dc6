/* SPDX-License-Identifier: MIT */
/*
 * The block `modulus_reduction` of a stage, which stands for many stages: for each amplitude one that comes to rest,
 * and one with cycles of shear strain.
 *
 * Cycles are waves: reversals of a constant strain rate would show inertia in the smallest loops. A cycle takes
 * at least steps_per_cycle steps, so that waves in the assembly die away even at the smallest amplitudes, and more if
 * the inertial number asks for it.
 *
 * Damping dissipates a fraction of W that is proportional to 1/N², with N steps per cycle, at any amplitude; friction
 * dissipates a fraction proportional to γ. The numerical part of D is therefore proportional to 1/(N²γ). With the
 * default N² = 36/γ it is some percent, and D differs from D in slower cycles by less than one percent
 * (docs/performance.md).
 */
#include "keys.h"
#include "base/portable_math.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { AMPLITUDES_MAX = DEM_STAGES_MAX / 2 };

/* The block as it is written. */
typedef struct reduction_block {
  int component; /* while it is read: counted from xy */
  int count;
  double amplitudes[AMPLITUDES_MAX]; /* of γ, rising */
  long cycles;                       /* with the full amplitude; 0: by the amplitude */
  double unbalanced;
  long rest_steps, steps_per_cycle; /* steps_per_cycle 0: by the amplitude */
  double inertial_number;
} reduction_block;

/* ---- Amplitudes -------------------------------------------------------------------------------------------------- */

#define AMPLITUDE_RANGE IN(1e-9, 0.1)

typedef struct decades_block {
  double from, to;
  long per_decade;
} decades_block;

static const dem_key decades_keys[] = {
    {"from", offsetof(decades_block, from), .range = AMPLITUDE_RANGE, .example = "1e-6"},
    {"to", offsetof(decades_block, to), .range = AMPLITUDE_RANGE, .example = "1e-3"},
    {"per_decade", offsetof(decades_block, per_decade), KEY_WHOLE, .range = IN(1.0, 20.0), .standard = 3.0},
};
const dem_block case_decades_block = BLOCK(decades_keys);

static void read_decades(case_reading *reading, const yaml_node *node, reduction_block *block)
{
  const double ln10 = 2.30258509299404568402;
  decades_block decades;
  size_t problems_before = reading->problems.count;
  dem_block_set_standards(&case_decades_block, &decades);
  case_read_block(reading, node, &case_decades_block, NULL, &decades);
  if (reading->problems.count != problems_before)
    return;
  if (!(decades.to > decades.from)) {
    case_report(&reading->problems, yaml_place(node), "'to' must be larger than 'from'");
    return;
  }
  double steps = portable_log(decades.to / decades.from) / ln10 * (double)decades.per_decade;
  double count = floor(steps + 1e-6) + 1.0;
  if (count > AMPLITUDES_MAX) {
    case_report(&reading->problems, yaml_place(node), "these are %.0f amplitudes; at most %d are possible", count,
                AMPLITUDES_MAX);
    return;
  }
  block->count = (int)count;
  for (int i = 0; i < block->count; i++)
    block->amplitudes[i] = decades.from * portable_exp(i * ln10 / (double)decades.per_decade);
}

static void read_amplitudes(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  reduction_block *block = target;
  if (node->kind == YAML_MAP) {
    read_decades(reading, node, block);
    return;
  }
  if (node->kind != YAML_LIST) {
    case_report(&reading->problems, yaml_value_place(node),
                "'amplitudes' must be a list of numbers, [1e-5, 1e-4], or {from: 1e-6, to: 1e-3, per_decade: 3}");
    return;
  }
  block->count = case_read_numbers(reading, node, key, 1, AMPLITUDES_MAX, block->amplitudes);
  for (int i = 1; i < block->count; i++)
    if (!(block->amplitudes[i] > block->amplitudes[i - 1])) {
      case_report(&reading->problems, yaml_item(node, (size_t)i)->at,
                  "amplitudes must rise: the assembly would remember the larger ones");
      return;
    }
}

/* ---- The stages -------------------------------------------------------------------------------------------------- */

enum { NAME_MAX_LENGTH = 50 }; /* the names of the stages are longer */

/* The number counts the amplitudes, from 1; it has two digits at most. */
static void name_stage(dem_stage *stage, const char *of, const char *kind, int number)
{
  snprintf(stage->name, sizeof stage->name, "%.*s-%s%d", NAME_MAX_LENGTH, of, kind, number % 100);
}

/* The two stages of an amplitude. */
static void make_stages(const dem_stage *of, const reduction_block *block, int number, dem_stage stages[2])
{
  double amplitude = block->amplitudes[number - 1];
  dem_stage *rest = &stages[0], *cycles = &stages[1];
  *rest = *cycles = *of;
  name_stage(rest, of->name, "rest-", number);
  rest->control[block->component] = (dem_control){.kind = DEM_CONTROL_STRAIN_RATE};
  rest->until = (dem_until){.unbalanced = block->unbalanced, .steps = block->rest_steps};
  rest->stops_spheres = true;

  name_stage(cycles, of->name, "", number);
  cycles->control[block->component] = (dem_control){
      .kind = DEM_CONTROL_STRAIN_PATH, .value = 0.5 * amplitude, .wave = {.frequency = 1.0, .center = NAN}};
  cycles->cyclic =
      (dem_cyclic){.on = true,
                   .has_paths = true,
                   .of = (dem_quantity)(DEM_STRAIN + block->component),
                   .center = NAN,
                   .steps_per_cycle = block->steps_per_cycle > 0 ? block->steps_per_cycle
                                                                 : lround(fmax(2000.0, 6.0 / sqrt(amplitude))),
                   .run_in = 1.0};
  cycles->inertial_number = block->inertial_number;
  cycles->stops_spheres = true;
  /*
   * A packing may rearrange in its first cycles: at small strains this changes D by more than it changes from cycle to
   * cycle, and cycles are cheap. At large strains D falls with each cycle, and the second one counts.
   */
  cycles->until = (dem_until){.cycles = 1.0 + (block->cycles > 0  ? (double)block->cycles
                                               : amplitude < 2e-5 ? 5.0
                                                                  : 2.0)};
}

/* Keys of the stage that the block replaces. */
static void check_keys(case_reading *reading, const yaml_node *node, const reduction_block *block)
{
  static const char *const others[] = {"cyclic", "until", "inertial_number"};
  const yaml_node *stage = node->parent;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (yaml_entry(stage, others[i]))
      case_report(&reading->problems, yaml_place(yaml_entry(stage, others[i])),
                  "'%s' and 'modulus_reduction' exclude each other: the latter says how to cycle", others[i]);
  const yaml_node *control =
      yaml_entry(yaml_entry(stage, "control"), dem_component_name((dem_component)block->component));
  if (control)
    case_report(&reading->problems, yaml_place(control), "'%s' is sheared by 'modulus_reduction'", control->key);
}

static const char *const component_words[] = {"xy", "xz", "yz", NULL};

static const dem_key reduction_keys[] = {
    {"component", offsetof(reduction_block, component), KEY_WORD, .words = component_words},
    {"amplitudes", 0, KEY_OTHER, .range = AMPLITUDE_RANGE, .example = "{from: 1e-6, to: 1e-3, per_decade: 3}"},
    {"cycles", offsetof(reduction_block, cycles), KEY_WHOLE, .range = IN(2.0, 1e6)},
    {"unbalanced", offsetof(reduction_block, unbalanced), .range = SHARE_RANGE, .standard = 1e-6},
    {"rest_steps", offsetof(reduction_block, rest_steps), KEY_WHOLE, .range = STEPS_FROM_1_RANGE, .standard = 100000.0},
    {"steps_per_cycle", offsetof(reduction_block, steps_per_cycle), KEY_WHOLE, .range = IN(4.0, 1e12)},
    {"inertial_number", offsetof(reduction_block, inertial_number), .range = IN(1e-9, 0.1), .standard = 1e-4},
};
const dem_block case_reduction_block = BLOCK(reduction_keys);

int case_read_reduction(case_reading *reading, const yaml_node *node, const dem_stage *stage, dem_stage stages[],
                        int room)
{
  static const case_special specials[] = {{"amplitudes", read_amplitudes}, {NULL, NULL}};
  run_reductions *all = &reading->output->reductions;
  reduction_block block = {.component = DEM_XZ - DEM_XY};
  size_t problems_before = reading->problems.count;
  dem_block_set_standards(&case_reduction_block, &block);
  case_read_block(reading, node, &case_reduction_block, specials, &block);
  block.component += DEM_XY;
  check_keys(reading, node, &block);
  if (strlen(stage->name) > NAME_MAX_LENGTH)
    case_report(&reading->problems, yaml_entry(node->parent, "name")->at,
                "the name of a stage with 'modulus_reduction' may have at most %d characters", NAME_MAX_LENGTH);
  if (2 * block.count > room)
    case_report(&reading->problems, yaml_place(node),
                "%d amplitudes are %d stages, and there is room for %d: a case may have %d in all", block.count,
                2 * block.count, room, DEM_STAGES_MAX);
  if (all->count == RUN_REDUCTIONS_MAX)
    case_report(&reading->problems, yaml_place(node), "there may be at most %d modulus reductions", RUN_REDUCTIONS_MAX);
  if (reading->problems.count != problems_before)
    return 0;
  for (int i = 0; i < block.count; i++)
    make_stages(stage, &block, i + 1, stages + 2 * i);
  all->list[all->count++] = (run_reduction){
      .first_stage = reading->run->stage_count + 1, .count = block.count, .component = (dem_component)block.component};
  return 2 * block.count;
}
