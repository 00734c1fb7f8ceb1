/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines to blocks and back. A block between the ranks a, where lines are split, and b, where they
 * are gathered, is ordered by layers, then a's share of the gathered direction, then b's share of
 * the split one. */
#include "bench/fft/transpose.h"
#include "bench/support/share.h"

#include <string.h>

/* Where the part of a rank begins in the gathered direction. */
static int transpose_first(const transpose *t, int rank)
{
  const int share = share_of(t->gathered, t->nranks, rank);
  return share_begin(t->gathered, t->nranks, rank) + share_begin(share, t->parts, t->part);
}

int transpose_length(const transpose *t, int rank)
{
  return share_of(share_of(t->gathered, t->nranks, rank), t->parts, t->part);
}

size_t transpose_block(const transpose *t)
{
  const int most = share_most(share_most(t->gathered, t->nranks), t->parts);
  return (size_t)t->layers * (size_t)most * (size_t)share_most(t->split, t->nranks);
}

void transpose_split(const transpose *t, copying way, double complex *lines, double complex *blocks)
{
  const int nlines = t->layers * transpose_length(t, t->rank);
  for (int peer = 0; peer < t->nranks; peer++) {
    double complex *block = blocks + (size_t)peer * transpose_block(t);
    const size_t n = (size_t)share_of(t->split, t->nranks, peer);
    for (int k = 0; k < nlines; k++, block += n) {
      double complex *segment =
          lines + (ptrdiff_t)k * t->split + share_begin(t->split, t->nranks, peer);
      if (way == INTO_BLOCKS) {
        memcpy(block, segment, n * sizeof *segment);
      } else {
        memcpy(segment, block, n * sizeof *segment);
      }
    }
  }
}

void transpose_gathered(const transpose *t, copying way, double complex *lines,
                        double complex *blocks)
{
  const int nlines = share_of(t->split, t->nranks, t->rank);
  for (int peer = 0; peer < t->nranks; peer++) {
    double complex *block = blocks + (size_t)peer * transpose_block(t);
    const int n = transpose_length(t, peer);
    double complex *segment = lines + transpose_first(t, peer);
    for (int layer = 0; layer < t->layers; layer++) {
      for (int i = 0; i < n; i++) {
        for (int line = 0; line < nlines; line++, block++) {
          double complex *at = segment + layer * t->layer_stride + line * t->line_stride + i;
          if (way == INTO_BLOCKS) {
            *block = *at;
          } else {
            *at = *block;
          }
        }
      }
    }
  }
}
