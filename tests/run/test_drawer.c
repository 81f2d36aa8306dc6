/* SPDX-License-Identifier: MIT */
/* Scripts that draw in place of Python: one hangs, one's exit code is lost, one reads nothing. */
#include "dem_support.h"

#include "run/drawer.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A script in place of the interpreter, and a package that exists. */
static drawer make_drawer(char *dir, const char *commands)
{
  char text[500], *python = strdup(scratch_path(dir, "python"));
  mkdir(scratch_path(dir, "jager"), 0777);
  mkdir(scratch_path(dir, "jager/_pictures"), 0777);
  fclose(fopen(scratch_path(dir, "jager/_pictures/__main__.py"), "w"));
  snprintf(text, sizeof text, "#!/bin/sh\n%s\n", commands);
  FILE *script = fopen(python, "w");
  fputs(text, script);
  fclose(script);
  chmod(python, 0777);
  return (drawer){.python = python, .package = dir, .seconds_max = 1};
}

static bool draws(const drawer *of, const char *path, const char *numbers, error_info *error)
{
  whole_file file;
  ck_assert(whole_file_open(&file, path));
  bool is_drawn = drawer_draw(of, "contact", numbers, strlen(numbers), &file, path, error);
  whole_file_discard(&file);
  return is_drawn;
}

TEST(a_child_that_hangs_is_ended)
{
  error_info error = {.text = ""};
  char *dir = scratch_make(), *path = strdup(scratch_path(dir, "a.svg")), expected[1000];
  drawer of = make_drawer(dir, "exec sleep 1000");
  ck_assert(!draws(&of, path, "{}", &error));
  snprintf(expected, sizeof expected, "cannot draw %s: Python had not drawn it within 1 s", path);
  ck_assert_str_eq(error.text, expected);
  ck_assert_int_ne(access(path, F_OK), 0);
  free(path);
  free((char *)of.python);
  scratch_remove(dir);
}

/* If the calling program ignores its children, their exit codes are lost, but not their last lines. */
TEST(the_last_words_count)
{
  error_info error = {.text = ""};
  char *dir = scratch_make(), *path = strdup(scratch_path(dir, "a.svg"));
  size_t size, many = 1000000;
  char *numbers = malloc(many + 1);
  memset(numbers, ' ', many);
  numbers[many] = '\0';
  drawer of = make_drawer(dir, "printf 'picture\\njager: drawn 1\\n'");
  signal(SIGCHLD, SIG_IGN);
  ck_assert_msg(draws(&of, path, numbers, &error), "%s", error.text);
  signal(SIGCHLD, SIG_DFL);
  char *bytes = scratch_read(dir, "a.svg", &size);
  ck_assert(size == strlen("picture") && memcmp(bytes, "picture", size) == 0);
  free(bytes);
  free(numbers);
  free(path);
  free((char *)of.python);
  scratch_remove(dir);
}

TEST(formats_are_known_by_their_endings)
{
  ck_assert(drawer_knows_format("a.png") && drawer_knows_format("b/a.SVG") && drawer_knows_format(".pdf"));
  ck_assert(!drawer_knows_format("a.jpg") && !drawer_knows_format("png") && !drawer_knows_format("a.png.txt"));
}
