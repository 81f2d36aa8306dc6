/* SPDX-License-Identifier: MIT */
/* The reference of case files, docs/case.md, against the tables of keys: every key is there, with its range. */
#define _GNU_SOURCE
#include "case/keys.h"
#include "scratch.h"
#include "support.h"

#include <stdbool.h>

static char *docs, missing[4000];
static int key_count, range_count;

/* A row or paragraph that has the key in backticks, and the text. In a table a bar has a backslash before it. */
static bool is_documented(const char *name, const char *text)
{
  char quoted[100];
  bool has_bars = name[0] == '|';
  snprintf(quoted, sizeof quoted, has_bars ? "`\\|%.*s\\|`" : "`%.*s`", (int)strlen(name) - (has_bars ? 2 : 0),
           name + has_bars);
  for (const char *at = docs; (at = strstr(at, quoted)) != NULL; at++) {
    const char *start = at, *end = at;
    while (start > docs && strncmp(start, "\n|", 2) != 0 && strncmp(start, "\n\n", 2) != 0)
      start--;
    while (*end && strncmp(end, "\n|", 2) != 0 && strncmp(end, "\n\n", 2) != 0)
      end++;
    const char *found = memmem(start, (size_t)(end - start), text, strlen(text));
    if (found)
      return true;
  }
  return false;
}

static void look_up(const char *name, const char *text)
{
  size_t used = strlen(missing);
  if (!is_documented(name, text))
    snprintf(missing + used, sizeof missing - used, "`%s` %s\n", name, text);
}

static void look_up_block(const dem_block *block)
{
  for (size_t i = 0; i < block->count; i++) {
    const dem_key *key = &block->keys[i];
    char min[NUMBER_PRINT_SIZE], max[NUMBER_PRINT_SIZE], range[100];
    key_count++;
    look_up(key->name, "");
    if (key->block)
      look_up_block(key->block);
    if (!(key->range.max > key->range.min) || key->kind == KEY_TEXT)
      continue;
    range_count++;
    snprintf(range, sizeof range, "%c%s, %s%c", key->range.min_is_open ? '(' : '[',
             number_print_shortest(key->range.min, min), number_print_shortest(key->range.max, max),
             key->range.max_is_open ? ')' : ']');
    look_up(key->name, range);
  }
}

TEST(the_documentation_has_all_keys_and_ranges)
{
  docs = scratch_read(JAGER_SOURCE_DIR, "docs/case.md", NULL);
  look_up_block(&dem_case_block);
  look_up_block(&case_output_block);
  look_up_block(&case_checkpoint_block);
  look_up_block(&case_reduction_block);
  look_up_block(&case_decades_block);
  ck_assert_msg(!*missing, "docs/case.md should have these keys and ranges, in a row of a table or a paragraph:\n%s",
                missing);
  ck_assert_msg(key_count > 150 && range_count > 120, "only %d keys and %d ranges found", key_count, range_count);
  free(docs);
}
