/* SPDX-License-Identifier: MIT */
/* Version, compiler and compiler flags of the program, for the provenance of results. */
#ifndef JAGER_BASE_BUILD_INFO_H
#define JAGER_BASE_BUILD_INFO_H

const char *build_version(void);
const char *build_compiler(void);
const char *build_flags(void);

#endif
