/* SPDX-License-Identifier: BSD-2-Clause */
/* Recursive k-ing (Gorentla Venkata et al., CLUSTER 2013): m is the largest power of k that does
 * not exceed the size of the group. Indices below m are numbered in base k. In round j the indices
 * that differ only in digit j exchange their sums. Each adds them in the order of that digit, so
 * that all compute the same bits. An index i from m on sends its values to index (i - m) % m
 * before, and receives the total from it afterwards. */
#include "comm/engine/schedule/algorithms/algorithms.h"

/* The extra indices of a proxy are its index + m, + 2 m, ... */
static void receive_from_extras(ovk__builder *b, int m, ovk_place at, ovk_place scratch,
                                size_t count)
{
  size_t n = 0;
  ovk__build_round(b);
  for (int extra = b->group.index + m; extra < b->group.size; extra += m) {
    ovk__build_receive(b, extra, ovk__place_after(scratch, n++ * count), count);
  }
  for (size_t k = 0; k < n; k++) {
    ovk__build_combine(b, ovk__place_after(scratch, k * count), at, count);
  }
}

static void send_to_extras(ovk__builder *b, int m, ovk_place at, size_t count)
{
  ovk__build_round(b);
  for (int extra = b->group.index + m; extra < b->group.size; extra += m) {
    ovk__build_send(b, extra, at, count);
  }
}

/* The place of the sum of a digit: that of the rank itself in place, the others in sequence. */
static ovk_place place_of(int digit, int own, ovk_place at, ovk_place scratch, size_t count)
{
  if (digit == own) return at;
  return ovk__place_after(scratch, (size_t)(digit < own ? digit : digit - 1) * count);
}

/* One exchange with those that differ in the digit of weight `weight`. */
static void exchange(ovk__builder *b, int k, int weight, ovk_place at, ovk_place scratch,
                     size_t count)
{
  const int own = b->group.index / weight % k, base = b->group.index - own * weight;
  ovk__build_round(b);
  for (int step = 1; step < k; step++) { /* staggered: not all send to the same index first */
    ovk__build_send(b, base + (own + step) % k * weight, at, count);
  }
  for (int digit = 0; digit < k; digit++) {
    if (digit == own) continue;
    ovk__build_receive(b, base + digit * weight, place_of(digit, own, at, scratch, count), count);
  }
  const ovk_place total = place_of(0, own, at, scratch, count);
  for (int digit = 1; digit < k; digit++) {
    ovk__build_combine(b, place_of(digit, own, at, scratch, count), total, count);
  }
  ovk__build_copy(b, total, at, count);
}

void ovk__build_kary_allreduce(ovk__builder *b, int k, ovk_place at, ovk_place scratch,
                               size_t count)
{
  int m = 1;
  while (m <= b->group.size / k) m *= k;
  if (b->group.index >= m) { /* an extra */
    const int proxy = b->group.index % m;
    ovk__build_round(b);
    ovk__build_send(b, proxy, at, count);
    ovk__build_round(b);
    ovk__build_receive(b, proxy, at, count);
    return;
  }
  receive_from_extras(b, m, at, scratch, count);
  for (int weight = 1; weight < m; weight *= k) exchange(b, k, weight, at, scratch, count);
  send_to_extras(b, m, at, count);
}
