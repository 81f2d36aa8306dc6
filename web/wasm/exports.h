/* SPDX-License-Identifier: MIT */
/* Marks the functions that engine.js calls; all others may be left out of the module. */
#ifndef JAGER_WEB_EXPORTS_H
#define JAGER_WEB_EXPORTS_H

#define WEB_EXPORT __attribute__((used, visibility("default")))

#endif
