/* SPDX-License-Identifier: MIT */
/* What the program was built from and with, for the provenance of results. */
#ifndef JAGER_BASE_BUILD_INFO_H
#define JAGER_BASE_BUILD_INFO_H

const char *build_version(void);
const char *build_compiler(void);
const char *build_flags(void);

#endif
