/* SPDX-License-Identifier: MIT */
/* The list of variants: as the build compiles them (CMakeLists.txt) */
#include "variant.h"

#include <string.h>

#define X(name) extern const compact_variant compact_variant_##name;
COMPACT_VARIANTS
#undef X

const compact_variant *const compact_variants[] = {
#define X(name) &compact_variant_##name,
    COMPACT_VARIANTS
#undef X
};

const int compact_variant_count = sizeof compact_variants / sizeof compact_variants[0];

const compact_variant *compact_variant_named(const char *name)
{
  for (int k = 0; k < compact_variant_count; k++)
    if (strcmp(compact_variants[k]->name, name) == 0)
      return compact_variants[k];
  return NULL;
}
