/* SPDX-License-Identifier: BSD-2-Clause */
/* Polls of kernels that process rows in chunks of a fixed height. */
#ifndef OVK_MATRIX_FORMATS_CHUNKS_H
#define OVK_MATRIX_FORMATS_CHUNKS_H

#include <ovkrylov/plugin/poll.h>

/* The row at which a kernel that is at row `from` should stop and poll: the end of a chunk. */
static inline ovk_lidx ovk__chunks_until(ovk_lidx rows, ovk_lidx chunk_height, ovk_poll poll,
                                         ovk_lidx from)
{
  const ovk_lidx end = ovk_poll_until(poll, from, rows);
  const ovk_lidx over = end % chunk_height;
  if (over == 0) return end;
  return rows - end < chunk_height - over ? rows : end + (chunk_height - over);
}

/* Calls the hook once for each `every` rows in the range `from` to `to`. */
static inline void ovk__chunks_poll(ovk_lidx rows, ovk_poll poll, ovk_lidx from, ovk_lidx to)
{
  if (!poll.progress) return;
  ovk_lidx calls = to / poll.every - from / poll.every;
  if (to == rows && to % poll.every) calls++;
  for (; calls > 0; calls--) poll.progress(poll.arg);
}

#endif
