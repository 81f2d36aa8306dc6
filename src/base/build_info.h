/* SPDX-License-Identifier: MIT */
/* What the program was built from and with, for the provenance of results. */
#ifndef JAGER_BASE_BUILD_INFO_H
#define JAGER_BASE_BUILD_INFO_H

const char *dem_build_version(void);
const char *dem_build_compiler(void);
const char *dem_build_flags(void);

#endif
