/* SPDX-License-Identifier: MIT */
/*
 * The block `modulus_reduction` of a stage, which stands for many stages: for each amplitude one that comes to rest,
 * and one with cycles of shear strain.
 *
 * Cycles are waves: at reversals of a constant strain rate inertia would be seen in the smallest loops. A cycle takes
 * at least steps_per_cycle steps, so that waves in the assembly die away even at the smallest amplitudes, and more if
 * the inertial number asks for it.
 */
#include "case/parts.h"
#include "base/portable_math.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { AMPLITUDES_MAX = DEM_STAGES_MAX / 2 };

/* The block as it is written. */
typedef struct reduction_block {
  int component;
  int count;
  double amplitudes[AMPLITUDES_MAX]; /* of γ, rising */
  long cycles;                       /* with the full amplitude */
  double unbalanced;
  long rest_steps, steps_per_cycle;
  double inertial_number;
} reduction_block;

/* ---- Amplitudes -------------------------------------------------------------------------------------------------- */

#define AMPLITUDE_RANGE                                                                                                \
  {                                                                                                                    \
    1e-9, 0.1, false, false                                                                                            \
  }

typedef struct decades_block {
  double from, to;
  long per_decade;
} decades_block;

static void read_decades(case_reading *reading, const yaml_node *node, reduction_block *block)
{
  static const case_field fields[] = {
      {"from", offsetof(decades_block, from), CASE_QUANTITY, .range = AMPLITUDE_RANGE, .example = "1e-6"},
      {"to", offsetof(decades_block, to), CASE_QUANTITY, .range = AMPLITUDE_RANGE, .example = "1e-3"},
      {"per_decade", offsetof(decades_block, per_decade), CASE_INTEGER, .range = {1.0, 20.0, false, false}},
  };
  const double ln10 = 2.30258509299404568402;
  decades_block decades = {.per_decade = 3};
  size_t problems_before = reading->problems.count;
  case_read_map(reading, node, fields, CASE_FIELDS(fields), &decades);
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

static void read_amplitudes(case_reading *reading, const yaml_node *node, void *target)
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
  block->count = case_read_quantities(reading, node, DIMENSION_NONE, (case_range)AMPLITUDE_RANGE, 1, AMPLITUDES_MAX,
                                      block->amplitudes);
  for (int i = 1; i < block->count; i++)
    if (!(block->amplitudes[i] > block->amplitudes[i - 1])) {
      case_report(&reading->problems, yaml_item(node, (size_t)i)->at,
                  "amplitudes must rise: the assembly would remember the larger ones");
      return;
    }
}

static void read_component(case_reading *reading, const yaml_node *node, void *target)
{
  int choice = case_read_choice(reading, node, &case_component_names[DEM_XY], DEM_COMPONENTS - DEM_XY);
  if (choice >= 0)
    ((reduction_block *)target)->component = DEM_XY + choice;
}

/* ---- The stages -------------------------------------------------------------------------------------------------- */

enum { NAME_MAX_LENGTH = 50 }; /* the names of the stages are longer */

/* The number is that of the amplitude, from 1; it has two digits at most. */
static void name_stage(dem_stage *stage, const char *of, const char *kind, int number)
{
  snprintf(stage->name, sizeof stage->name, "%.*s-%s%d", NAME_MAX_LENGTH, of, kind, number % 100);
}

static dem_stage rest_stage(const dem_stage *of, const reduction_block *block, int number)
{
  dem_stage stage = *of;
  name_stage(&stage, of->name, "rest-", number);
  stage.control[block->component] = (dem_control){.kind = DEM_CONTROL_STRAIN_RATE};
  stage.until = (dem_until){.unbalanced = block->unbalanced, .steps = block->rest_steps};
  stage.stops_spheres = true;
  return stage;
}

static dem_stage cycle_stage(const dem_stage *of, const reduction_block *block, int number)
{
  dem_stage stage = *of;
  name_stage(&stage, of->name, "", number);
  stage.control[block->component] = (dem_control){.kind = DEM_CONTROL_STRAIN_PATH,
                                                  .value = 0.5 * block->amplitudes[number - 1],
                                                  .wave = {.frequency = 1.0, .center = NAN}};
  stage.cyclic = (dem_cyclic){.on = true,
                              .has_paths = true,
                              .of = (dem_quantity)(DEM_STRAIN + block->component),
                              .center = NAN,
                              .steps_per_cycle = block->steps_per_cycle,
                              .run_in = 1.0};
  stage.inertial_number = block->inertial_number;
  stage.stops_spheres = true;
  stage.until = (dem_until){.cycles = 1.0 + (double)block->cycles};
  return stage;
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
  const yaml_node *control = yaml_entry(yaml_entry(stage, "control"), case_component_names[block->component]);
  if (control)
    case_report(&reading->problems, yaml_place(control), "'%s' is sheared by 'modulus_reduction'", control->key);
}

static const case_field fields[] = {
    {"component", 0, CASE_OTHER, .read = read_component},
    {"amplitudes", 0, CASE_OTHER, .read = read_amplitudes, .example = "{from: 1e-6, to: 1e-3, per_decade: 3}"},
    {"cycles", offsetof(reduction_block, cycles), CASE_INTEGER, .range = {2.0, 1e6, false, false}},
    {"unbalanced", offsetof(reduction_block, unbalanced), CASE_QUANTITY, .range = CASE_SHARE_RANGE},
    {"rest_steps", offsetof(reduction_block, rest_steps), CASE_INTEGER, .range = CASE_STEPS_FROM_1_RANGE},
    {"steps_per_cycle", offsetof(reduction_block, steps_per_cycle), CASE_INTEGER, .range = {4.0, 1e12, false, false}},
    {"inertial_number", offsetof(reduction_block, inertial_number), CASE_QUANTITY, .range = {1e-9, 0.1, false, false}},
};

static void note_reduction(case_reading *reading, int first, const reduction_block *block)
{
  run_reductions *all = &reading->output->reductions;
  all->list[all->count++] =
      (run_reduction){.first_stage = first, .count = block->count, .component = (dem_component)block->component};
}

int case_read_reduction(case_reading *reading, const yaml_node *node, const dem_stage *stage, dem_stage stages[],
                        int room)
{
  reduction_block block = {.component = DEM_XZ,
                           .cycles = 2,
                           .unbalanced = 1e-6,
                           .rest_steps = 100000,
                           .steps_per_cycle = 2000,
                           .inertial_number = 1e-4};
  size_t problems_before = reading->problems.count;
  case_read_map(reading, node, fields, CASE_FIELDS(fields), &block);
  check_keys(reading, node, &block);
  if (strlen(stage->name) > NAME_MAX_LENGTH)
    case_report(&reading->problems, yaml_entry(node->parent, "name")->at,
                "the name of a stage with 'modulus_reduction' may have at most %d characters", NAME_MAX_LENGTH);
  if (2 * block.count > room)
    case_report(&reading->problems, yaml_place(node),
                "%d amplitudes are %d stages, and there is room for %d: a case may have %d in all", block.count,
                2 * block.count, room, DEM_STAGES_MAX);
  if (reading->output->reductions.count == RUN_REDUCTIONS_MAX)
    case_report(&reading->problems, yaml_place(node), "there may be at most %d modulus reductions", RUN_REDUCTIONS_MAX);
  if (reading->problems.count != problems_before)
    return 0;
  for (int i = 0; i < block.count; i++) {
    stages[2 * i] = rest_stage(stage, &block, i + 1);
    stages[2 * i + 1] = cycle_stage(stage, &block, i + 1);
  }
  note_reduction(reading, reading->run->stage_count + 1, &block);
  return 2 * block.count;
}
