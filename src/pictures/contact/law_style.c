/* SPDX-License-Identifier: MIT */
/* How curves of several laws look in one picture. */
#include "law_style.h"

enum { STYLES = 6 };

const char *law_style(int k)
{
  static const char *const styles[STYLES] = {"lw 2.4 lc rgb '#7a0c2e'",
                                             "lw 1.8 dt (8,4) lc rgb '#2f87c9'",
                                             "lw 1.8 dt (3,3) lc rgb '#8a4a00'",
                                             "lw 1.8 dt (10,3,2,3) lc rgb '#2a7a2a'",
                                             "lw 1.8 dt (5,3,1,3,1,3) lc rgb '#6a3d9a'",
                                             "lw 1.8 dt (2,2) lc rgb '#333333'"};
  return styles[k % STYLES];
}

int law_mark(int k)
{
  static const int marks[STYLES] = {7, 5, 9, 11, 13, 6};
  return marks[k % STYLES];
}
