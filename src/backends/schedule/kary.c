/* SPDX-License-Identifier: BSD-2-Clause */
/* Recursive k-ing: with m the largest power of k that is not above the number of ranks, ranks below
 * m are numbered in base k, and in round j those that differ in digit j only exchange their sums.
 * Each adds up in the order of that digit, so all compute the same bits. Ranks from m on hand their
 * part to rank (own - m) % m before, and get the total from it after. */
#include "backends/schedule/builder.h"

/* The extras that `proxy` serves are proxy + m, proxy + 2 m, ... */
static void take_extras(ovk__builder *b, int m)
{
  int to = 1;
  ovk__build_round(b);
  for (int extra = b->rank + m; extra < b->nranks; extra += m) ovk__build_receive(b, extra, to++);
  for (int from = 1; from < to; from++) ovk__build_combine(b, from, 0);
}

static void serve_extras(ovk__builder *b, int m)
{
  ovk__build_round(b);
  for (int extra = b->rank + m; extra < b->nranks; extra += m) ovk__build_send(b, extra, 0);
}

/* One exchange with the ranks that differ in the digit of weight `weight`. */
static void exchange(ovk__builder *b, int k, int weight)
{
  const int own = b->rank / weight % k, base = b->rank - own * weight;
  ovk__build_round(b);
  for (int step = 1; step < k; step++) {
    ovk__build_send(b, base + (own + step) % k * weight, 0);
  }
  for (int digit = 0; digit < k; digit++) { /* buffer 0 has the own sum, digit + 1 another's */
    if (digit != own) ovk__build_receive(b, base + digit * weight, digit + 1);
  }
  const int total = own == 0 ? 0 : 1; /* where digit 0 is */
  for (int digit = 1; digit < k; digit++) {
    ovk__build_combine(b, digit == own ? 0 : digit + 1, total);
  }
  ovk__build_copy(b, total, 0);
}

void ovk__build_kary(ovk__builder *b, int k)
{
  int m = 1;
  while (m <= b->nranks / k) m *= k;
  if (b->rank >= m) { /* an extra */
    const int proxy = b->rank % m;
    ovk__build_round(b);
    ovk__build_send(b, proxy, 0);
    ovk__build_round(b);
    ovk__build_receive(b, proxy, 0);
    return;
  }
  take_extras(b, m);
  for (int weight = 1; weight < m; weight *= k) exchange(b, k, weight);
  serve_extras(b, m);
}
