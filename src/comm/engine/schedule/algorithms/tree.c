/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees. In k-nomial trees, with indices in base k, the parent of an index has its lowest nonzero
 * digit set to 0. N-ary trees are filled level by level, so the children of an index i are n i + 1
 * to n i + n. */
#include "comm/engine/schedule/algorithms/algorithms.h"

#include <stdint.h>

/* An index's place in its k-nomial tree. */
typedef struct node {
  int64_t index, size, k; /* 64 bits: size * k must not overflow */
  int64_t reach; /* weight of the lowest nonzero digit: children differ in lower ones; for index 0 a
                    power of k that is not below size */
} node;

static node node_of(const ovk__builder *b, int k)
{
  node n = {.index = b->group.index, .size = b->group.size, .k = k, .reach = 1};
  while (n.reach < n.size && n.index / n.reach % k == 0) n.reach *= k;
  return n;
}

static int parent_of(const node *n)
{
  return (int)(n->index - n->index / n->reach % n->k * n->reach);
}

static bool is_child(const node *n, int64_t child, int64_t weight)
{
  return child < n->size && child < n->index + n->k * weight;
}

/* Small subtrees first: their results arrive first. */
static size_t receive_from_children(ovk__builder *b, const node *n, ovk_place scratch, size_t count)
{
  size_t children = 0;
  for (int64_t weight = 1; weight < n->reach; weight *= n->k) {
    for (int64_t child = n->index + weight; is_child(n, child, weight); child += weight) {
      ovk__build_receive(b, (int)child, ovk__place_after(scratch, children++ * count), count);
    }
  }
  return children;
}

/* Combines the vectors of the children and sends the result to the parent. */
static void pass_on(ovk__builder *b, int parent, size_t children, ovk_place from, ovk_place to,
                    ovk_place scratch, size_t count)
{
  if (children) ovk__build_copy(b, from, to, count);
  for (size_t child = 0; child < children; child++) {
    ovk__build_combine(b, ovk__place_after(scratch, child * count), to, count);
  }
  if (b->group.index == 0) return;
  ovk__build_round(b);
  ovk__build_send(b, parent, children ? to : from, count);
}

void ovk__build_tree_reduce(ovk__builder *b, int k, ovk_place from, ovk_place to, ovk_place scratch,
                            size_t count)
{
  const node n = node_of(b, k);
  ovk__build_round(b);
  const size_t children = receive_from_children(b, &n, scratch, count);
  pass_on(b, parent_of(&n), children, from, to, scratch, count);
}

void ovk__build_tree_bcast(ovk__builder *b, int k, ovk_place at, size_t count)
{
  const node n = node_of(b, k);
  if (n.index > 0) {
    ovk__build_round(b);
    ovk__build_receive(b, parent_of(&n), at, count);
  }
  ovk__build_round(b);
  for (int64_t weight = n.reach / k; weight >= 1; weight /= k) { /* the largest subtree first */
    for (int64_t child = n.index + weight; is_child(&n, child, weight); child += weight) {
      ovk__build_send(b, (int)child, at, count);
    }
  }
}

/* The children of this index in an N-ary tree: the indices from `first` to `end` - 1. */
typedef struct brood {
  int64_t first, end; /* 64 bits: n i must not overflow */
} brood;

static brood children_of(const ovk__group *g, int n)
{
  const int64_t first = (int64_t)n * g->index + 1;
  if (first >= g->size) return (brood){0, 0};
  return (brood){first, first + n < g->size ? first + n : g->size};
}

void ovk__build_nary_reduce(ovk__builder *b, int n, ovk_place from, ovk_place to, ovk_place scratch,
                            size_t count)
{
  const brood c = children_of(&b->group, n);
  ovk__build_round(b);
  for (int64_t child = c.first; child < c.end; child++) {
    ovk__build_receive(b, (int)child, ovk__place_after(scratch, (size_t)(child - c.first) * count),
                       count);
  }
  pass_on(b, (b->group.index - 1) / n, (size_t)(c.end - c.first), from, to, scratch, count);
}

void ovk__build_nary_bcast(ovk__builder *b, int n, ovk_place at, size_t count)
{
  const brood c = children_of(&b->group, n);
  if (b->group.index > 0) {
    ovk__build_round(b);
    ovk__build_receive(b, (b->group.index - 1) / n, at, count);
  }
  ovk__build_round(b);
  for (int64_t child = c.first; child < c.end; child++) ovk__build_send(b, (int)child, at, count);
}
