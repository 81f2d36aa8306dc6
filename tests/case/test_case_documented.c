/* SPDX-License-Identifier: MIT */
/* The reference of case files, docs/case.md: it has every key. The keys are read from the tables in src/case. */
#define _GNU_SOURCE
#include "scratch.h"
#include "support.h"

#include <stdbool.h>

static char *docs, missing[2000];
static int key_count;

/* Notes a key that is nowhere in backticks. In a table a bar has a backslash before it. */
static void look_up(const char *file, const char *key, size_t length)
{
  char quoted[100];
  size_t used = strlen(missing);
  bool has_bars = key[0] == '|';
  snprintf(quoted, sizeof quoted, has_bars ? "`\\|%.*s\\|`" : "`%.*s`", (int)length - (has_bars ? 2 : 0),
           key + has_bars);
  key_count++;
  if (!strstr(docs, quoted))
    snprintf(missing + used, sizeof missing - used, "%s of %s\n", quoted, file);
}

/* A key is a text directly after the bracket that opens its row, {"key", ...} or COMPONENT("xx", ...). */
static void look_up_table(const char *file, const char *from, const char *end)
{
  for (const char *at = from; (at = strchr(at, '"')) != NULL && at < end;) {
    size_t length = strcspn(at + 1, "\"");
    if (at[-1] == '{' || at[-1] == '(')
      look_up(file, at + 1, length);
    at += length + 2;
  }
}

static void look_up_file(const char *dir, const char *file)
{
  char *source = scratch_read(dir, file, NULL);
  for (char *at = source; (at = strstr(at, "static const case_field ")) != NULL;) {
    char *end = strstr(at, "};");
    ck_assert_msg(end != NULL, "%s: a table without an end", file);
    look_up_table(file, at, end);
    at = end;
  }
  free(source);
}

static void look_up_folder(const char *dir)
{
  DIR *sources = opendir(dir);
  ck_assert_ptr_nonnull(sources);
  for (const struct dirent *entry; (entry = readdir(sources)) != NULL;) {
    const char *ending = strrchr(entry->d_name, '.');
    if (ending && strcmp(ending, ".c") == 0)
      look_up_file(dir, entry->d_name);
  }
  closedir(sources);
}

START_TEST(the_documentation_has_all_keys)
{
  docs = scratch_read(JAGER_SOURCE_DIR, "docs/case.md", NULL);
  look_up_folder(JAGER_SOURCE_DIR "/src/case");
  look_up_folder(JAGER_SOURCE_DIR "/src/case/stage");
  ck_assert_msg(!*missing, "docs/case.md should have these keys, each as a row of the table of its block:\n%s",
                missing);
  ck_assert_msg(key_count > 90, "only %d keys found in src/case: has the form of the tables changed?", key_count);
  free(docs);
}
END_TEST

static void add_tests(TCase *tests)
{
  tcase_add_test(tests, the_documentation_has_all_keys);
}

int main(void)
{
  return run_tests("case_documented", add_tests);
}
