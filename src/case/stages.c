/* SPDX-License-Identifier: MIT */
/* The blocks `stages` and `trace` of a case. */
#include "keys.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Controls ---------------------------------------------------------------------------------------------------- */

static bool is_normal(const yaml_node *component)
{
  return component->key[0] == component->key[1]; /* xx, yy or zz */
}

/* The number of keys in the node that choose a kind of control, and the last one of them. */
static int find_choice(const yaml_node *node, const dem_block *block, const dem_key **choice)
{
  int count = 0;
  for (size_t i = 0; i < block->count; i++)
    if (block->keys[i].choice != KEY_NO_CHOICE && yaml_entry(node, block->keys[i].name)) {
      *choice = &block->keys[i];
      count++;
    }
  return count;
}

static void read_constant(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const char *const words[] = {"constant"};
  (void)key, (void)target;
  (void)case_read_word(reading, node, words, 1);
}

static void read_control(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const case_special specials[] = {{"volume", read_constant}, {NULL, NULL}};
  dem_control control = {.ramp = 0};
  size_t problems_before = reading->problems.count;
  case_read_block(reading, node, key->block, specials, &control);
  if (reading->problems.count != problems_before)
    return;
  const dem_key *choice = NULL;
  int count = find_choice(node, key->block, &choice);
  const yaml_node *ramp = yaml_entry(node, "ramp");
  if (count != 1) {
    case_report(&reading->problems, yaml_place(node),
                "'%s' must have one of the keys strain_rate, strain_step, strain, stress, volume%s, not %s", node->key,
                is_normal(node) ? "" : ", gamma_rate, gamma_step, gamma", count > 0 ? "more" : "none");
    return;
  }
  const yaml_node *chosen = yaml_entry(node, choice->name);
  control.kind = (dem_control_kind)choice->choice;
  if (choice->divide > 0.0 && is_normal(node))
    case_report(&reading->problems, yaml_place(node->first),
                "'%s' is a shear angle, for xy, xz and yz: normal components have a strain", node->first->key);
  else if (ramp && control.kind != DEM_CONTROL_STRESS)
    case_report(&reading->problems, yaml_place(ramp), "'ramp' goes with 'stress' only");
  else if (is_normal(node) && control.kind == DEM_CONTROL_STRESS && !(control.value > 0.0))
    case_report(&reading->problems, chosen->at,
                "a normal stress must be more than 0: compression is positive, and grains do not hold tension");
  else if (!is_normal(node) && control.kind == DEM_CONTROL_VOLUME)
    case_report(&reading->problems, yaml_place(chosen),
                "'volume' is for xx, yy and zz: shear does not change the volume");
  *(dem_control *)target = control;
}

static void read_controls(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const case_special specials[] = {{"", read_control}, {NULL, NULL}};
  case_read_block(reading, node, key->block, specials, target);
}

static void read_mean_stress(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  dem_control *mean_stress = target;
  mean_stress->kind = DEM_CONTROL_STRESS;
  case_read_block(reading, node, key->block, NULL, mean_stress);
}

/* ---- Cycles: reversals ------------------------------------------------------------------------------------------- */

/* Members of dem_cyclic in the stage that is being read. */
static dem_cyclic *cyclic_at(void *member, const dem_key *key)
{
  return (dem_cyclic *)(void *)((char *)member - key->offset + offsetof(dem_stage, cyclic));
}

/* Strains, stresses, p and q; then shear angles, which are twice a strain. */
static void read_of(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  enum { QUANTITIES = DEM_DEVIATOR + 1, GAMMAS = 3 };
  const char *names[QUANTITIES + GAMMAS];
  for (int i = 0; i < QUANTITIES; i++)
    names[i] = dem_quantity_name((dem_quantity)i);
  for (int i = 0; i < GAMMAS; i++)
    names[QUANTITIES + i] = dem_quantity_name((dem_quantity)(DEM_GAMMA + i));
  int choice = case_read_word(reading, node, names, QUANTITIES + GAMMAS);
  if (choice < 0)
    return;
  *(dem_quantity *)target = (dem_quantity)(choice < QUANTITIES ? choice : DEM_STRAIN + DEM_XY + choice - QUANTITIES);
  cyclic_at(target, key)->on = true;
}

/* Unit and meaning depend on `of`, which has been read before. */
static void read_amplitude(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const dem_key stress = {"amplitude", 0, KEY_NUMBER, DIMENSION_PRESSURE, .range = PRESSURE_RANGE};
  const dem_cyclic *cyclic = cyclic_at(target, key);
  const yaml_node *of = yaml_entry(node->parent, "of");
  double *amplitude = target;
  if (cyclic->on && case_read_number(reading, node, cyclic->of >= DEM_STRESS ? &stress : key, amplitude) &&
      strncmp(of->text, "gamma", strlen("gamma")) == 0)
    *amplitude *= 0.5;
}

static void read_center(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  const dem_cyclic *cyclic = cyclic_at(target, key);
  if (cyclic->on && cyclic->of < DEM_STRESS)
    case_report(&reading->problems, yaml_place(node),
                "'center' is for cycles of a stress, p or q: strains cycle around the start of the stage");
  else if (cyclic->on)
    (void)case_read_number(reading, node, key, target);
}

/* A ratio, or a list: each ratio then has its own run. */
static void read_stress_ratio(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  const dem_cyclic *cyclic = cyclic_at(target, key);
  run_variants *variants = &reading->output->variants;
  bool is_shear = cyclic->of >= DEM_STRESS + DEM_XY && cyclic->of <= DEM_STRESS + DEM_YZ;
  if (!cyclic->on)
    return;
  if (!is_shear && cyclic->of != DEM_DEVIATOR)
    case_report(&reading->problems, yaml_place(node),
                "'csr' is for cycles of stress_xy, stress_xz, stress_yz or q: give 'amplitude'");
  else if (node->kind != YAML_LIST)
    (void)case_read_number(reading, node, key, target);
  else if (variants->csr_count > 0)
    case_report(&reading->problems, yaml_place(node), "only one stage may have a list of 'csr'");
  else {
    variants->csr_stage = reading->run->stage_count;
    variants->csr_count = case_read_numbers(reading, node, key, 1, RUN_CSR_MAX, variants->csr);
    *(double *)target = variants->csr[0];
    for (int i = 1; i < variants->csr_count; i++)
      if (!(variants->csr[i] > variants->csr[i - 1])) {
        case_report(&reading->problems, yaml_item(node, (size_t)i)->at, "the ratios must rise");
        return;
      }
  }
}

/* ---- Cycles: paths ----------------------------------------------------------------------------------------------- */

/* Angles have no units in cases. */
static void read_phase(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  if (!case_is_scalar(reading, node))
    return;
  if (strstr(node->text, "deg") || strstr(node->text, "rad") || strstr(node->text, "°"))
    case_report(&reading->problems, yaml_value_place(node),
                "'phase' is a number of degrees without a unit, such as 'phase: 90'");
  else
    (void)case_read_number(reading, node, key, target);
}

static void read_wave(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const case_special specials[] = {{"phase", read_phase}, {NULL, NULL}};
  dem_control control = {.ramp = 0};
  const dem_key *choice = NULL;
  size_t problems_before = reading->problems.count;
  dem_block_set_standards(key->block, &control);
  case_read_block(reading, node, key->block, specials, &control);
  if (reading->problems.count != problems_before)
    return;
  if (find_choice(node, key->block, &choice) != 1) {
    case_report(&reading->problems, yaml_place(node),
                "'%s' must have one of the keys strain, gamma, stress: the amplitude of its wave", node->key);
    return;
  }
  control.kind = (dem_control_kind)choice->choice;
  if (choice->divide > 0.0 && is_normal(node))
    case_report(&reading->problems, yaml_place(yaml_entry(node, "gamma")),
                "'gamma' is a shear angle, for xy, xz and yz: give 'strain'");
  else if (control.kind != DEM_CONTROL_STRESS_PATH && !isnan(control.wave.center))
    case_report(&reading->problems, yaml_place(yaml_entry(node, "center")),
                "'center' is for paths of a stress: strains start in their centre");
  *(dem_control *)target = control;
}

static void read_paths(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const case_special specials[] = {{"", read_wave}, {NULL, NULL}};
  dem_stage *stage = target;
  const yaml_node *control = yaml_entry(node->parent->parent, "control");
  for (const yaml_node *entry = node->kind == YAML_MAP ? node->first : NULL; entry; entry = entry->next)
    if (yaml_entry(control, entry->key))
      case_report(&reading->problems, yaml_place(entry), "'%s' is also given in 'control': leave it out there",
                  entry->key);
  size_t problems_before = reading->problems.count;
  case_read_block(reading, node, key->block, specials, stage);
  if (node->count == 0 && reading->problems.count == problems_before)
    case_report(&reading->problems, yaml_place(node),
                "'paths' must name the components that follow a wave, such as 'xz: {gamma: 0.1 %%}'");
  int main = -1; /* the component whose loops are accounted for: the largest strain, else the largest stress */
  for (int k = 0; k < DEM_COMPONENTS; k++) {
    const dem_control *wave = &stage->control[k], *best = main < 0 ? NULL : &stage->control[main];
    if (wave->kind >= DEM_CONTROL_STRAIN_PATH &&
        (!best || wave->kind < best->kind || (wave->kind == best->kind && wave->value > best->value)))
      main = k;
  }
  bool is_stress = main >= 0 && stage->control[main].kind == DEM_CONTROL_STRESS_PATH;
  stage->cyclic.on = stage->cyclic.has_paths = true;
  stage->cyclic.of = (dem_quantity)((is_stress ? DEM_STRESS : DEM_STRAIN) + (main < 0 ? 0 : main));
}

/* ---- Cycles ------------------------------------------------------------------------------------------------------ */

/* `control` must have been read before. */
static void read_cyclic(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const case_special specials[] = {{"of", read_of},         {"amplitude", read_amplitude},
                                          {"center", read_center}, {"csr", read_stress_ratio},
                                          {"paths", read_paths},   {NULL, NULL}};
  size_t problems_before = reading->problems.count;
  ((dem_stage *)target)->cyclic.run_in = 1.0;
  case_read_block(reading, node, key->block, specials, target);
  bool of = yaml_entry(node, "of"), amplitude = yaml_entry(node, "amplitude"), csr = yaml_entry(node, "csr");
  bool paths = yaml_entry(node, "paths"), is_reversal = of || amplitude || csr || yaml_entry(node, "center");
  bool is_path =
      paths || yaml_entry(node, "steps_per_cycle") || yaml_entry(node, "period") || yaml_entry(node, "run_in");
  const char *fault = NULL;
  if (is_reversal && is_path)
    fault = "reversals and paths exclude each other: give 'of' and 'amplitude', or 'paths'";
  else if (is_path && !paths)
    fault = "'paths' is missing: it says which components follow waves, such as 'paths: {xz: {gamma: 0.1 %}}'";
  else if (!is_path && !of)
    fault = "'of' is missing in 'cyclic': write it like 'of: strain_zz', or give 'paths'";
  else if (of && !amplitude && !csr)
    fault = "'amplitude' is missing in 'cyclic': write it like 'amplitude: 0.1 %'";
  else if (amplitude && csr)
    fault = "either 'amplitude' or 'csr', not both";
  if (fault && reading->problems.count == problems_before)
    case_report(&reading->problems, yaml_place(node), "%s", fault);
}

/* ---- The end ----------------------------------------------------------------------------------------------------- */

static void read_criterion(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  dem_until *until = target;
  dem_quantity of = (dem_quantity)key->choice;
  bool is_of_stage = of < DEM_STRESS || of == DEM_VOLUMETRIC_STRAIN || (of >= DEM_GAMMA && of < DEM_GAMMA_SIZE);
  double value;
  if (!case_read_number(reading, node, key, &value))
    return;
  if (is_of_stage && value == 0.0)
    case_report(&reading->problems, node->at, "'%s' must not be 0: strains count from the start of the stage",
                node->key);
  else if (until->count == DEM_CRITERIA_MAX)
    case_report(&reading->problems, yaml_place(node), "a stage may end by at most %d strains, stresses and ratios",
                DEM_CRITERIA_MAX);
  else
    until->criteria[until->count++] = (dem_criterion){.of = of, .value = value};
}

static void read_until(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const case_special specials[] = {{"", read_criterion}, {NULL, NULL}};
  size_t problems_before = reading->problems.count;
  case_read_block(reading, node, key->block, specials, target);
  if (reading->problems.count == problems_before && node->count == 0)
    case_report(&reading->problems, yaml_place(node), "'until' must say when the stage ends, such as 'steps: 40000'");
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static const char name_characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static void read_name(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  char quoted[TEXT_QUOTE_SIZE];
  const dem_case *run = reading->run;
  (void)key;
  if (!case_is_scalar(reading, node))
    return;
  size_t length = strlen(node->text);
  const char *fault = NULL;
  if (length == 0 || length >= DEM_NAME_MAX)
    fault = "it must have 1 to 63 characters";
  else if (strspn(node->text, name_characters) != length)
    fault = "only letters, digits, - and _ are allowed";
  else if (strspn(node->text, "0123456789") == length)
    fault = "it needs a letter, since a number means the position in the list";
  else if (strcmp(node->text, "packing") == 0)
    fault = "this is the name of the stage that makes the assembly";
  if (fault) {
    case_report(&reading->problems, node->at, "a stage cannot have the name %s: %s", text_quote(node->text, quoted),
                fault);
    return;
  }
  snprintf(target, DEM_NAME_MAX, "%s", node->text);
  for (int i = 0; i < run->stage_count; i++)
    if (strcmp(run->stages[i].name, node->text) == 0) {
      case_report(&reading->problems, node->at, "there is another stage '%s': names must differ", node->text);
      return;
    }
}

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

/* The block of one stage: what is done, and what is written. */
typedef struct stage_block {
  dem_stage stage; /* first, as in the table */
  output_intervals output;
  const yaml_node *reduction; /* the block `modulus_reduction`; NULL: none */
} stage_block;

static void note_reduction(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  (void)reading, (void)key;
  ((stage_block *)target)->reduction = node;
}

static void read_intervals(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  dem_block intervals = {case_output_block.keys, case_output_block.count - 1}; /* without pictures */
  (void)key;
  case_read_block(reading, node, &intervals, NULL, &((stage_block *)target)->output);
}

static void read_stage(case_reading *reading, const yaml_node *node, const dem_block *table, stage_block *block)
{
  static const case_special specials[] = {{"name", read_name},
                                          {"control", read_controls},
                                          {"mean_stress", read_mean_stress},
                                          {"cyclic", read_cyclic},
                                          {"modulus_reduction", note_reduction},
                                          {"until", read_until},
                                          {"output", read_intervals},
                                          {NULL, NULL}};
  char name[YAML_PATH_SIZE];
  size_t problems_before = reading->problems.count;
  block->stage.mean_stress_is_held = yaml_entry(node, "mean_stress");
  case_read_block(reading, node, table, specials, block);
  if (reading->problems.count == problems_before && !block->reduction && !yaml_entry(node, "until"))
    case_report(&reading->problems, yaml_place(node),
                "'until' is missing in '%s': write it like 'until: {steps: 40000}'", case_name(node, name));
  if (reading->problems.count == problems_before)
    case_check_stage(reading, node, &block->stage);
}

/* Adds the stages that a block stands for. */
static void add_stages(case_reading *reading, const yaml_node *node, const stage_block *block)
{
  dem_case *run = reading->run;
  int room = DEM_STAGES_MAX - run->stage_count, count = room > 0;
  dem_stage *stages = &run->stages[run->stage_count];
  if (block->reduction)
    count = case_read_reduction(reading, block->reduction, &block->stage, stages, room);
  else if (room > 0)
    *stages = block->stage;
  else
    case_report(&reading->problems, yaml_place(node), "there may be at most %d stages", DEM_STAGES_MAX);
  for (int i = run->stage_count; i < run->stage_count + count; i++) {
    reading->output->stages[i] = block->output;
    reading->stage_nodes[i] = node;
  }
  run->stage_count += count;
}

void case_read_stages(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  (void)target;
  if (node->kind != YAML_LIST || node->count == 0) {
    case_report(&reading->problems, node->kind == YAML_LIST ? yaml_place(node) : yaml_value_place(node),
                "'stages' must be a list of blocks, each beginning with '- name: ...'");
    return;
  }
  if (node->count > DEM_STAGES_MAX) {
    case_report(&reading->problems, yaml_item(node, DEM_STAGES_MAX)->at, "there may be at most %d stages",
                DEM_STAGES_MAX);
    return;
  }
  for (const yaml_node *item = node->first; item; item = item->next) {
    stage_block block = {.stage = dem_stage_default(reading->run), .output = reading->intervals};
    read_stage(reading, item, key->block, &block);
    add_stages(reading, item, &block);
  }
}

/* ---- Traces ------------------------------------------------------------------------------------------------------ */

/* Ids count from 0. The number of spheres in a file, or of the grains of a packing, is not known yet. */
static void read_pair(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  uint32_t *ids = target;
  long spheres = reading->run->assembly.packing.shapes ? 0 : case_sphere_count(reading->run);
  (void)key;
  if (node->kind != YAML_LIST || node->count != 2) {
    case_report(&reading->problems, yaml_value_place(node), "'pair' must be a list of the ids of 2 spheres: [12, 345]");
    return;
  }
  for (size_t i = 0; i < 2; i++) {
    long id;
    if (!case_read_whole(reading, yaml_item(node, i),
                         (dem_range)IN(0.0, spheres > 0 ? (double)(spheres - 1) : UINT32_MAX), &id))
      return;
    ids[i] = (uint32_t)id;
  }
  if (ids[0] == ids[1])
    case_report(&reading->problems, node->at, "'pair' must be two different spheres");
}

static void read_birth(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  dem_trace *trace = target;
  trace->kind = DEM_TRACE_BORN;
  const dem_key *found = case_read_one_of(reading, node, key->block, NULL, trace);
  if (found)
    trace->component = (dem_component)found->choice;
}

static void read_stage_name(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  const char *names[DEM_STAGES_MAX];
  const dem_case *run = reading->run;
  (void)key;
  for (int i = 0; i < run->stage_count; i++)
    names[i] = run->stages[i].name;
  int choice = case_read_word(reading, node, names, run->stage_count);
  if (choice >= 0)
    snprintf(target, DEM_NAME_MAX, "%s", names[choice]);
}

void case_read_traces(case_reading *reading, const yaml_node *node, const dem_key *key, void *target)
{
  static const case_special specials[] = {
      {"pair", read_pair}, {"born", read_birth}, {"stage", read_stage_name}, {NULL, NULL}};
  dem_trace *trace = target;
  if (node->kind != YAML_LIST) {
    case_report(&reading->problems, yaml_value_place(node),
                "'trace' must be a list of blocks, such as '- {pair: [12, 345]}'");
    return;
  }
  if (node->count > DEM_TRACES_MAX) {
    case_report(&reading->problems, yaml_item(node, DEM_TRACES_MAX)->at, "there may be at most %d traces",
                DEM_TRACES_MAX);
    return;
  }
  for (const yaml_node *item = node->first; item; item = item->next, trace++) {
    size_t problems_before = reading->problems.count;
    *trace = (dem_trace){.component = DEM_ZZ}; /* the strain that is written with a pair */
    dem_block_set_standards(key->block, trace);
    case_read_block(reading, item, key->block, specials, trace);
    if (reading->problems.count != problems_before)
      continue;
    const yaml_node *pair = yaml_entry(item, "pair"), *born = yaml_entry(item, "born");
    const yaml_node *stage = yaml_entry(item, "stage"), *window = yaml_entry(item, "window");
    if (!pair == !born)
      case_report(&reading->problems, item->at, "a trace must have 'pair: [12, 345]' or 'born: {strain_zz: 0.03}'%s",
                  pair ? ", not both" : "");
    else if (pair && (stage || window))
      case_report(&reading->problems, stage ? yaml_place(stage) : yaml_place(window),
                  "'%s' goes with 'born', not with 'pair'", stage ? "stage" : "window");
    else if (born && !window)
      case_report(
          &reading->problems, yaml_place(born),
          "'born' needs 'window', the range of strain before and after it in which contacts are considered: 'window: "
          "0.002'");
  }
  reading->run->trace_count = (int)node->count;
}
