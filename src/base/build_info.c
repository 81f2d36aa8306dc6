/* SPDX-License-Identifier: MIT */
/* Version, compiler and compiler flags of the program. */
#include "build_info.h"

#include "jager/jager.h"

#ifndef JAGER_BUILD_FLAGS
#define JAGER_BUILD_FLAGS "unknown flags"
#endif

const char *build_version(void)
{
  return JAGER_VERSION;
}

const char *build_compiler(void)
{
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "unknown compiler";
#endif
}

const char *build_flags(void)
{
  return JAGER_BUILD_FLAGS;
}
