/* SPDX-License-Identifier: MIT */
/*
 * bench/checkpoint_spheres CHECKPOINT: the spheres of a checkpoint as the text that `assembly: {file: ...}` reads, on
 * standard output, so that other programs can be given the same ones.
 */
#include "case/reader.h"
#include "dem/checkpoint/checkpoint.h"
#include "base/error.h"
#include "dem/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "checkpoint_spheres";

static int print_spheres(const dem_simulation *simulation)
{
  dem_snapshot snapshot;
  if (dem_snapshot_take(simulation, &snapshot) != JAGER_OK) {
    complain(program, "out of memory");
    return EXIT_IO_FAILED;
  }
  printf("# %zu spheres, %zu contacts\n", snapshot.sphere_count, snapshot.contact_count);
  printf("cell %.17g %.17g %.17g %.17g %.17g %.17g\n", snapshot.cell[0][0], snapshot.cell[1][1], snapshot.cell[2][2],
         snapshot.cell[0][1], snapshot.cell[0][2], snapshot.cell[1][2]);
  for (size_t i = 0; i < snapshot.sphere_count; i++) {
    const dem_sphere_view *sphere = &snapshot.spheres[i];
    printf("%.17g %.17g %.17g %.17g\n", sphere->position[0], sphere->position[1], sphere->position[2], sphere->radius);
  }
  dem_snapshot_free(&snapshot);
  return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_DONE : EXIT_IO_FAILED;
}

static int print_checkpoint(const dem_checkpoint *checkpoint, const dem_case *run)
{
  error_info error;
  dem_checkpoint_notes notes;
  dem_simulation *simulation = dem_checkpoint_restore(checkpoint, run, 1, &notes, &error);
  if (!simulation) {
    complain(program, "%s", error.text);
    return EXIT_BAD_INPUT;
  }
  int code = print_spheres(simulation);
  dem_simulation_destroy(simulation);
  return code;
}

int main(int argc, char *argv[])
{
  error_info error;
  if (argc != 2) {
    complain(program, "which checkpoint?");
    return EXIT_BAD_INPUT;
  }
  dem_checkpoint *checkpoint = dem_checkpoint_open(argv[1], &error);
  const char *input = checkpoint ? dem_checkpoint_input(checkpoint, &error) : NULL;
  if (!input) {
    complain(program, "%s", error.text);
    dem_checkpoint_close(checkpoint);
    return EXIT_BAD_INPUT;
  }
  run_case run;
  case_source source = {.path = argv[1]};
  char *messages;
  int code = case_read_text(&run, &source, input, strlen(input), NULL, &messages);
  fputs(messages ? messages : "", stderr);
  free(messages);
  if (code == EXIT_DONE) {
    code = print_checkpoint(checkpoint, &run.simulation);
    run_case_free(&run);
  }
  dem_checkpoint_close(checkpoint);
  return code;
}
