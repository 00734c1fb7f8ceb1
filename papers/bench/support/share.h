/* SPDX-License-Identifier: BSD-2-Clause */
/* n things distributed in order, for example over ranks; shares differ by one at most. */
#ifndef OVK_TOOL_SHARE_H
#define OVK_TOOL_SHARE_H

#include <stdint.h>

/* The start of the share of number `which`. */
static inline int share_begin(int n, int nshares, int which)
{
  return (int)((int64_t)n * which / nshares);
}

/* The size of share `which`, and the size of the largest share. */
static inline int share_of(int n, int nshares, int which)
{
  return share_begin(n, nshares, which + 1) - share_begin(n, nshares, which);
}

static inline int share_most(int n, int nshares)
{
  return n / nshares + (n % nshares > 0);
}

#endif
