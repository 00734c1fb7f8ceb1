/* SPDX-License-Identifier: BSD-2-Clause */
/* A fixed reordering within windows, computed by a formula rather than a table: a Feistel network
 * permutes the 12 bits of the position in a window, and is applied again where the result lies
 * beyond the end of the last window. */
#include "shuffle.h"
#include "hash.h"

enum { HALF_BITS = 6, HALF = 1 << HALF_BITS, WINDOW = HALF * HALF, ROUNDS = 4 };

static unsigned round_key(uint64_t window, int round, unsigned half)
{
  return (unsigned)(hash_pair(window * ROUNDS + (unsigned)round, half) % HALF);
}

static unsigned permute(uint64_t window, unsigned place)
{
  unsigned left = place / HALF, right = place % HALF;
  for (int round = 0; round < ROUNDS; round++) {
    const unsigned next = left ^ round_key(window, round, right);
    left = right;
    right = next;
  }
  return left * HALF + right;
}

static unsigned permute_back(uint64_t window, unsigned place)
{
  unsigned left = place / HALF, right = place % HALF;
  for (int round = ROUNDS - 1; round >= 0; round--) {
    const unsigned before = right ^ round_key(window, round, left);
    right = left;
    left = before;
  }
  return left * HALF + right;
}

static ovk_gidx move(ovk_gidx i, ovk_gidx size, unsigned (*step)(uint64_t, unsigned))
{
  const ovk_gidx window = i / WINDOW, start = window * WINDOW;
  unsigned place = (unsigned)(i - start);
  do {
    place = step((uint64_t)window, place);
  } while (start + place >= size);
  return start + place;
}

ovk_gidx shuffle_row(ovk_gidx i, ovk_gidx size)
{
  return move(i, size, permute);
}

ovk_gidx shuffle_point(ovk_gidx row, ovk_gidx size)
{
  return move(row, size, permute_back);
}
