/* SPDX-License-Identifier: MIT */
/* Describes the contents of a checkpoint. */
#include "checkpoint_describe.h"
#include "base/json.h"
#include "dem/checkpoint/checkpoint.h"

#include <inttypes.h>

static void print_text(const dem_checkpoint_facts *f, FILE *out)
{
  fprintf(out, "checkpoint of jager %s (%s; %s)\n", f->version, f->compiler, f->flags);
  fprintf(out, "step       %" PRId64 ", time %.6g s, stage %d of %d\n", f->step, f->time, f->stage, f->stage_count);
  fprintf(out, "spheres    %" PRIu64 "\n", f->spheres);
  fprintf(out, "contacts   %" PRIu64 ", model %s\n", f->contacts, f->model);
  fprintf(out, "material   G %.6g Pa, nu %g, friction %g, density %g kg/m3\n", f->material.shear_modulus,
          f->material.poisson, f->material.friction, f->material.density);
  fprintf(out, "seed       %" PRIu64 ", threads %d, %.1f s so far\n", f->seed, f->threads, f->seconds);
}

static void print_string(const char *key, const char *text, FILE *out)
{
  fprintf(out, ", \"%s\": ", key);
  json_print_string(text, out);
}

static void print_number(const char *key, double value, FILE *out)
{
  fprintf(out, ", \"%s\": ", key);
  json_print_number(value, out);
}

static void print_json(const char *path, const dem_checkpoint_facts *f, FILE *out)
{
  fputs("{\"kind\": \"checkpoint\"", out);
  print_string("file", path, out);
  print_string("version", f->version, out);
  print_string("compiler", f->compiler, out);
  print_string("flags", f->flags, out);
  fprintf(out, ", \"step\": %" PRId64, f->step);
  print_number("time", f->time, out);
  fprintf(out, ", \"stage\": %d, \"stage_count\": %d", f->stage, f->stage_count);
  fprintf(out, ", \"spheres\": %" PRIu64 ", \"contacts\": %" PRIu64, f->spheres, f->contacts);
  print_string("model", f->model, out);
  fputs(", \"material\": {\"shear_modulus\": ", out);
  json_print_number(f->material.shear_modulus, out);
  print_number("poisson", f->material.poisson, out);
  print_number("friction", f->material.friction, out);
  print_number("density", f->material.density, out);
  fprintf(out, "}, \"seed\": %" PRIu64 ", \"threads\": %d", f->seed, f->threads);
  print_number("seconds", f->seconds, out);
  fputs("}\n", out);
}

bool checkpoint_describe(const char *path, bool as_json, FILE *out, error_info *error)
{
  dem_checkpoint_facts facts;
  dem_checkpoint *checkpoint = dem_checkpoint_open(path, error);
  bool is_whole = checkpoint && dem_checkpoint_describe(checkpoint, &facts, error);
  if (is_whole && as_json)
    print_json(path, &facts, out);
  else if (is_whole)
    print_text(&facts, out);
  dem_checkpoint_close(checkpoint);
  return is_whole;
}
