/* SPDX-License-Identifier: MIT */
/* Reads blocks of a case file by their tables of keys. */
#include "keys.h"
#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const char *case_name(const yaml_node *node, char name[YAML_PATH_SIZE])
{
  if (!node->key)
    return yaml_path(node, name);
  snprintf(name, YAML_PATH_SIZE, "%s", node->key);
  return name;
}

/* ---- Similar words ----------------------------------------------------------------------------------------------- */

static size_t least_of(size_t a, size_t b)
{
  return a < b ? a : b;
}

enum { WORD_MAX = 32 };

/* The Damerau-Levenshtein distance of two words; large if a word is too long. */
static size_t distance(const char *a, const char *b)
{
  size_t row[3][WORD_MAX + 1];
  size_t length_a = strlen(a), length_b = strlen(b);
  if (length_a > WORD_MAX || length_b > WORD_MAX)
    return WORD_MAX;
  size_t *two_above = row[0], *above = row[1], *now = row[2];
  for (size_t j = 0; j <= length_b; j++)
    above[j] = j;
  for (size_t i = 1; i <= length_a; i++) {
    now[0] = i;
    for (size_t j = 1; j <= length_b; j++) {
      now[j] = least_of(least_of(above[j], now[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = least_of(now[j], two_above[j - 2] + 1);
    }
    size_t *last = two_above;
    two_above = above, above = now, now = last;
  }
  return above[length_b];
}

const char *case_most_like(const char *word, const char *const words[], size_t count)
{
  const char *best = NULL;
  size_t tolerated = strlen(word) <= 3 ? 1 : 2, best_distance = tolerated + 1;
  for (size_t i = 0; i < count; i++) {
    size_t away = distance(word, words[i]);
    if (away < best_distance && away < strlen(words[i])) {
      best = words[i];
      best_distance = away;
    }
  }
  enum { PREFIX_LEAST = 3 };
  for (size_t i = 0; !best && i < count && strlen(word) >= PREFIX_LEAST; i++)
    if (strncmp(words[i], word, strlen(word)) == 0)
      best = words[i];
  return best;
}

void case_suggest(const char *word, const char *const words[], size_t count, char text[CASE_LIST_SIZE])
{
  const char *like = case_most_like(word, words, count);
  size_t used;
  if (like)
    used = (size_t)snprintf(text, CASE_LIST_SIZE, "did you mean '%s'? one of: ", like);
  else
    used = (size_t)snprintf(text, CASE_LIST_SIZE, "it must be one of: ");
  for (size_t i = 0; i < count && used < CASE_LIST_SIZE; i++)
    used += (size_t)snprintf(text + used, CASE_LIST_SIZE - used, "%s%s", i > 0 ? ", " : "", words[i]);
}

/* ---- Single values ----------------------------------------------------------------------------------------------- */

bool case_is_scalar(case_reading *reading, const yaml_node *node)
{
  char name[YAML_PATH_SIZE];
  if (node->kind == YAML_SCALAR)
    return true;
  if (node->kind == YAML_NOTHING)
    case_report(&reading->problems, yaml_place(node), "'%s' has no value", case_name(node, name));
  else
    case_report(&reading->problems, node->at, "'%s' must be a single value, not a %s", case_name(node, name),
                node->kind == YAML_LIST ? "list" : "block");
  return false;
}

static bool is_within(double value, dem_range range)
{
  return (range.min_is_open ? value > range.min : value >= range.min) &&
         (range.max_is_open ? value < range.max : value <= range.max);
}

static void refuse_range(case_reading *reading, const yaml_node *node, const char *what, dem_range range,
                         const char *unit)
{
  char name[YAML_PATH_SIZE], min[QUANTITY_TEXT_SIZE], max[QUANTITY_TEXT_SIZE], quoted[TEXT_QUOTE_SIZE];
  case_report(&reading->problems, node->at, "'%s' must %s %c%s, %s%c%s%s, not %s", case_name(node, name), what,
              range.min_is_open ? '(' : '[', number_print_shortest(range.min, min),
              number_print_shortest(range.max, max), range.max_is_open ? ')' : ']', *unit ? " " : "", unit,
              text_quote(node->text, quoted));
}

bool case_read_number(case_reading *reading, const yaml_node *node, const dem_key *key, double *value)
{
  char message[QUANTITY_MESSAGE_SIZE], name[YAML_PATH_SIZE];
  double read;
  if (!case_is_scalar(reading, node))
    return false;
  if (!quantity_parse(node->text, case_name(node, name), key->dimension, &read, message)) {
    case_report(&reading->problems, node->at, "%s", message);
    return false;
  }
  if (!is_within(read, key->range)) {
    refuse_range(reading, node, "lie in", key->range, dimension_unit(key->dimension));
    return false;
  }
  *value = read / (key->divide > 0.0 ? key->divide : 1.0) + 0.0; /* no -0 */
  return true;
}

bool case_read_whole(case_reading *reading, const yaml_node *node, dem_range range, long *value)
{
  int64_t read;
  if (!case_is_scalar(reading, node))
    return false;
  if (!integer_parse(node->text, &read) || !is_within((double)read, range)) {
    refuse_range(reading, node, "be a whole number in", range, "");
    return false;
  }
  *value = (long)read;
  return true;
}

/* A text of at most `bytes_max` bytes, to be freed */
static void read_text(case_reading *reading, const yaml_node *node, double bytes_max, char **text)
{
  char name[YAML_PATH_SIZE];
  if (!case_is_scalar(reading, node))
    return;
  if ((double)strlen(node->text) > bytes_max) {
    case_report(&reading->problems, node->at, "'%s' must not be longer than %.0f bytes", case_name(node, name),
                bytes_max);
    return;
  }
  *text = strdup(node->text);
  if (!*text)
    reading->problems.out_of_memory = true;
}

int case_read_word(case_reading *reading, const yaml_node *node, const char *const words[], int count)
{
  char text[CASE_LIST_SIZE], quoted[TEXT_QUOTE_SIZE], name[YAML_PATH_SIZE];
  if (!case_is_scalar(reading, node))
    return -1;
  for (int i = 0; i < count; i++)
    if (strcmp(node->text, words[i]) == 0)
      return i;
  case_suggest(node->text, words, (size_t)count, text);
  case_report(&reading->problems, node->at, "'%s' cannot be %s: %s", case_name(node, name),
              text_quote(node->text, quoted), text);
  return -1;
}

int case_read_numbers(case_reading *reading, const yaml_node *node, const dem_key *key, int least, int most,
                      double values[])
{
  char name[YAML_PATH_SIZE], limits[64];
  if (least == most)
    snprintf(limits, sizeof limits, "%d", least);
  else
    snprintf(limits, sizeof limits, "%d to %d", least, most);
  if (node->kind != YAML_LIST || node->count < (size_t)least || node->count > (size_t)most) {
    case_report(&reading->problems, yaml_value_place(node), "'%s' must be a list of %s numbers: [..., ...]",
                case_name(node, name), limits);
    return 0;
  }
  int count = 0;
  bool all_good = true;
  for (const yaml_node *item = node->first; item; item = item->next)
    all_good = case_read_number(reading, item, key, &values[count++]) && all_good;
  return all_good ? count : 0;
}

/* ---- Keys that name what there is not ---------------------------------------------------------------------------- */

/* What users of other programs look for, and the way out. Words have a blank on both sides. */
typedef struct absent_subject {
  const char *words, *way_out;
} absent_subject;

static const absent_subject absent_subjects[] = {
    {" wall walls plate plates platen platens container membrane boundary boundaries boundary_condition "
     "boundary_conditions ",
     "the cell is periodic and has no walls; for walls take LAMMPS with 'fix wall/gran/jager' (docs/lammps.md)"},
    {" clump clumps shape particle_shape polyhedron polyhedra ellipsoid ellipsoids superquadric superquadrics ",
     "grains are spheres or rigid clumps of spheres, 'assembly: {packing: {shapes: ...}}' (docs/case.md)"},
    {" rolling rolling_friction rolling_resistance twisting twisting_friction twisting_resistance torsion "
     "torsional_resistance spin_friction ",
     "contacts have no rolling or twisting resistance; take LAMMPS' 'pair_style granular' with 'tangential jager', "
     "which "
     "adds both (docs/lammps.md)"},
    {" materials ",
     "all spheres are of one 'material'; for several take LAMMPS with a 'pair_coeff' for each pair of types "
     "(docs/lammps.md)"},
    {" fluid fluids water pore_fluid pore_water pore_pressure saturation permeability drainage drained undrained ",
     "there is no pore fluid; an undrained test is one at constant volume, 'volume: constant' in its stage "
     "(docs/case.md)"},
    {" cohesion adhesion jkr dmt surface_energy capillary bond bonds bonding cement cementation ",
     "contacts have no cohesion in this version; LAMMPS' 'pair_style granular' has 'jkr' and 'dmt', without partial "
     "slip"},
    {" temperature heat thermal conductivity thermal_conductivity ",
     "there is no heat in this version; take LAMMPS' 'pair_style granular' with 'tangential jager' and 'heat' "
     "(docs/lammps.md)"},
    {" plasticity yield_stress breakage crushing fragmentation wear ",
     "grains are elastic and do not break: not in this version (docs/theory.md)"},
    {" E young youngs_modulus young_modulus elastic_modulus ",
     "give the shear modulus of the grains, 'shear_modulus' = E / (2 (1 + poisson)) (docs/coming-from.md)"},
    {" restitution restitution_coefficient coefficient_of_restitution ",
     "give a share of critical damping, 'damping: {viscous: ...}' (docs/coming-from.md)"},
};

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

static bool is_known(const char *name, const dem_block *block)
{
  for (size_t i = 0; i < block->count; i++)
    if (strcmp(name, block->keys[i].name) == 0)
      return true;
  return false;
}

static void refuse_key(case_reading *reading, const yaml_node *entry, const dem_block *block)
{
  enum { KEYS_MAX = 64 };
  const char *names[KEYS_MAX];
  char text[CASE_LIST_SIZE], quoted[TEXT_QUOTE_SIZE], path[YAML_PATH_SIZE];
  assert(block->count <= KEYS_MAX);
  for (size_t i = 0; i < block->count; i++)
    names[i] = block->keys[i].name;
  const char *way_out = NULL;
  char word[WORD_MAX + 3] = "";
  if (strlen(entry->key) <= WORD_MAX && !strpbrk(entry->key, " ")) /* words, not parts of the list */
    snprintf(word, sizeof word, " %s ", entry->key);
  for (size_t i = 0; *word && i < sizeof absent_subjects / sizeof *absent_subjects; i++)
    if (!way_out && strstr(absent_subjects[i].words, word))
      way_out = absent_subjects[i].way_out;
  case_suggest(entry->key, names, block->count, text);
  yaml_path(entry->parent, path);
  if (way_out)
    snprintf(text, sizeof text, "%s", way_out);
  else if (strcmp(entry->key, "<<") == 0)
    snprintf(text, sizeof text, "maps cannot be merged: write the values out");
  else if (strchr(entry->key, ':'))
    snprintf(text, sizeof text, "a space must follow ':'");
  case_report(&reading->problems, entry->key_at, "unknown key %s%s%s%s: %s", text_quote(entry->key, quoted),
              *path ? " in '" : "", path, *path ? "'" : "", text);
}

/* Reads a value by the kind of its key. */
static void read_value(case_reading *reading, const yaml_node *node, const dem_key *key, void *member)
{
  static const char *const truths[] = {"false", "true"};
  int count = 0, choice;
  switch (key->kind) {
  case KEY_NUMBER:
    if (key->count > 0)
      (void)case_read_numbers(reading, node, key, key->count, key->count, member);
    else
      (void)case_read_number(reading, node, key, member);
    break;
  case KEY_WHOLE:
    (void)case_read_whole(reading, node, key->range, member);
    break;
  case KEY_FLAG:
    choice = case_read_word(reading, node, truths, 2);
    if (choice >= 0)
      *(bool *)member = choice == 1;
    break;
  case KEY_TEXT:
    read_text(reading, node, key->range.max, member);
    break;
  case KEY_WORD:
    while (key->words[count])
      count++;
    choice = case_read_word(reading, node, key->words, count);
    if (choice >= 0)
      *(int *)member = choice;
    break;
  case KEY_BLOCK:
    case_read_block(reading, node, key->block, NULL, member);
    break;
  case KEY_OTHER:
    assert(key->kind != KEY_OTHER); /* has a reader of its own */
    break;
  }
}

static void report_missing(case_reading *reading, const yaml_node *map, const dem_block *block, const dem_key *key)
{
  char path[YAML_PATH_SIZE];
  for (const yaml_node *entry = map->first; entry; entry = entry->next) /* reported, with this key as a suggestion */
    if (!is_known(entry->key, block) && case_most_like(entry->key, &key->name, 1))
      return;
  yaml_path(map, path);
  case_report(&reading->problems, yaml_place(map), "'%s' is missing%s%s%s: write it like '%s: %s'", key->name,
              *path ? " in '" : "", path, *path ? "'" : "", key->name, key->example);
}

void case_read_block(case_reading *reading, const yaml_node *node, const dem_block *block,
                     const case_special specials[], void *target)
{
  char name[YAML_PATH_SIZE];
  if (node->kind != YAML_MAP) {
    case_report(&reading->problems, yaml_value_place(node), "'%s' must be a block with keys, such as '%s'",
                case_name(node, name), block->keys[0].name);
    return;
  }
  case_problems *problems = &reading->problems;
  for (const yaml_node *entry = node->first; entry; entry = entry->next) {
    const yaml_node *first = yaml_entry(node, entry->key);
    text_place place = text_find_place(problems->text, problems->size, first->key_at.offset);
    if (!is_known(entry->key, block))
      refuse_key(reading, entry, block);
    else if (first != entry && first->key_at.setting == CASE_FILE)
      case_report(problems, entry->key_at, "'%s' is given twice, first in line %zu", entry->key, place.line);
    else if (first != entry)
      case_report(problems, entry->key_at, "'%s' is given twice", entry->key);
  }
  for (size_t i = 0; i < block->count; i++) {
    const dem_key *key = &block->keys[i];
    const yaml_node *entry = yaml_entry(node, key->name);
    void *member = (char *)target + key->offset;
    const case_special *special = specials;
    while (special && special->name && strcmp(special->name, key->name) != 0 &&
           !(*special->name == '\0' && key->kind >= KEY_BLOCK))
      special++;
    if (entry && special && special->read)
      special->read(reading, entry, key, member);
    else if (entry)
      read_value(reading, entry, key, member);
    else if (key->example)
      report_missing(reading, node, block, key);
  }
}

const dem_key *case_read_one_of(case_reading *reading, const yaml_node *node, const dem_block *block,
                                const case_special specials[], void *target)
{
  char name[YAML_PATH_SIZE], list[CASE_LIST_SIZE];
  const dem_key *found = NULL;
  size_t count = 0, used = 0;
  case_read_block(reading, node, block, specials, target);
  for (size_t i = 0; i < block->count && used < sizeof list; i++) {
    if (yaml_entry(node, block->keys[i].name)) {
      found = &block->keys[i];
      count++;
    }
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", block->keys[i].name);
  }
  if (node->kind != YAML_MAP || count == 1)
    return found;
  if (count > 1 || node->count == 0) /* else the keys are unknown, which has been reported */
    case_report(&reading->problems, yaml_place(node), "'%s' must have one of the keys %s, not %s",
                case_name(node, name), list, count > 1 ? "more" : "none");
  return NULL;
}
