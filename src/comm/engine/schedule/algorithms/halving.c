/* SPDX-License-Identifier: BSD-2-Clause */
/* Recursive halving and doubling (Rabenseifner, ICCS 2004; Thakur, Rabenseifner, Gropp, Int. J.
 * High Perform. Comput. Appl. 19, 2005), for vectors of middle length: 2 log2 m rounds, in which an
 * index sends 2 (m - 1) / m of the vector. m is the largest power of 2 that does not exceed the
 * size of the group. An index i from m on sends its vector to index i - m before, and receives the
 * total from it afterwards. Each sum is computed by one index, so all get the same bits. */
#include "comm/engine/schedule/algorithms/algorithms.h"

/* In each round, this index and the one at distance n keep one half each of 2 n segments. */
static void halve(ovk__builder *b, int m, ovk_place at, ovk_place scratch, size_t count)
{
  const int index = b->group.index;
  for (int n = m / 2; n >= 1; n /= 2) {
    const int peer = index ^ n;
    const ovk__segment kept = ovk__segments_of(count, index / n * n, n, m);
    ovk__build_round(b);
    ovk__build_send_segment(b, peer, at, ovk__segments_of(count, peer / n * n, n, m));
    ovk__build_receive_segment(b, peer, scratch, (ovk__segment){0, kept.count});
    ovk__build_combine(b, scratch, ovk__place_after(at, kept.first), kept.count);
  }
}

/* The same rounds backwards: n segments become 2 n. */
static void double_again(ovk__builder *b, int m, ovk_place at, size_t count)
{
  const int index = b->group.index;
  for (int n = 1; n < m; n *= 2) {
    const int peer = index ^ n;
    ovk__build_round(b);
    ovk__build_send_segment(b, peer, at, ovk__segments_of(count, index / n * n, n, m));
    ovk__build_receive_segment(b, peer, at, ovk__segments_of(count, peer / n * n, n, m));
  }
}

void ovk__build_halving_allreduce(ovk__builder *b, ovk_place at, ovk_place scratch, size_t count)
{
  const int index = b->group.index, size = b->group.size;
  int m = 1;
  while (m <= size / 2) m *= 2;
  const int partner = index < m ? index + m : index - m; /* may be none */
  if (index >= m) {
    ovk__build_round(b);
    ovk__build_send(b, partner, at, count);
    ovk__build_round(b);
    ovk__build_receive(b, partner, at, count);
    return;
  }
  if (partner < size) {
    ovk__build_round(b);
    ovk__build_receive(b, partner, scratch, count);
    ovk__build_combine(b, scratch, at, count);
  }
  halve(b, m, at, scratch, count);
  double_again(b, m, at, count);
  if (partner < size) {
    ovk__build_round(b);
    ovk__build_send(b, partner, at, count);
  }
}
