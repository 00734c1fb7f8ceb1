/* SPDX-License-Identifier: BSD-2-Clause */
/* Tree: a k-nomial reduction to rank 0, and a broadcast over a k-nomial tree of another degree.
 * With ranks written in base k, a rank's parent has the lowest digit that is not 0 set to 0. */
#include "backends/schedule/builder.h"

/* The weight of the lowest digit that is not 0; for rank 0 a power of k that no rank reaches. */
static int lowest_weight(int nranks, int rank, int k)
{
  int weight = 1;
  while (weight < nranks && rank / weight % k == 0) weight *= k;
  return weight;
}

static int parent(int nranks, int rank, int k)
{
  const int weight = lowest_weight(nranks, rank, k);
  return rank - rank / weight % k * weight;
}

/* Children, small subtrees first. */
static void receive_from_children(ovk__builder *b, int k)
{
  const int below = lowest_weight(b->nranks, b->rank, k);
  int to = 1;
  ovk__build_round(b);
  for (int weight = 1; weight < below; weight *= k) {
    for (int child = b->rank + weight; child < b->nranks && child < b->rank + k * weight;
         child += weight) {
      ovk__build_receive(b, child, to++);
    }
  }
  for (int from = 1; from < to; from++) ovk__build_combine(b, from, 0);
}

/* Children, large subtrees first: they have the longest way to go. */
static void send_to_children(ovk__builder *b, int k)
{
  const int below = lowest_weight(b->nranks, b->rank, k);
  ovk__build_round(b);
  for (int weight = below / k; weight >= 1; weight /= k) {
    for (int child = b->rank + weight; child < b->nranks && child < b->rank + k * weight;
         child += weight) {
      ovk__build_send(b, child, 0);
    }
  }
}

void ovk__build_tree(ovk__builder *b, int reduce, int bcast)
{
  receive_from_children(b, reduce);
  if (b->rank > 0) {
    ovk__build_round(b);
    ovk__build_send(b, parent(b->nranks, b->rank, reduce), 0);
    ovk__build_round(b); /* not before the send is through: both use buffer 0 */
    ovk__build_receive(b, parent(b->nranks, b->rank, bcast), 0);
  }
  send_to_children(b, bcast);
}
