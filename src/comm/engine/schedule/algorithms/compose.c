/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules of whole hierarchies (Gorentla Venkata et al., CLUSTER 2013): reduce to the leaders
 * level by level, combine at the first level whose group contains all participants, and broadcast
 * back. */
#include "comm/engine/schedule/algorithm_spec.h"
#include "comm/engine/schedule/algorithms/algorithms.h"
#include "core/context/mem.h"

#include <stdlib.h>

static const ovk_place input = {OVK_INPUT, 0}, output = {OVK_OUTPUT, 0}, work = {OVK_WORK, 0};

/* A schedule under construction, and its arguments. */
typedef struct composition {
  const ovk__algorithm_spec *algorithms;
  const ovk__hierarchy *hierarchy;
  int rank, root;
  size_t count, size; /* elements, and the bytes of one */
  int *ranks;         /* storage for the ranks of the builder's group */
  ovk__builder builder;
} composition;

static ovk_err begin_schedule(ovk_ctx *ctx, composition *p, ovk__schedule *out)
{
  p->builder = ovk__build_begin(ctx, (ovk__group){0}, out);
  OVK_NEW_ARRAY(ctx, p->ranks, p->hierarchy->nranks);
  return OVK_OK;
}

static ovk_err end_schedule(composition *p)
{
  free(p->ranks);
  return ovk__build_end(&p->builder);
}

/* Switches to a level; false if this rank has no peers there. */
static bool enter(composition *p, int level)
{
  ovk__builder *b = &p->builder;
  b->channel = p->algorithms->level[level].channel;
  if (!p->hierarchy->ngroupings && p->root == 0) { /* indices are ranks: no list is needed */
    b->group = (ovk__group){.size = p->hierarchy->nranks, .index = p->rank};
    return b->group.size > 1;
  }
  return ovk__hierarchy_group(p->hierarchy, level, p->rank, p->root, p->ranks, &b->group) &&
         b->group.size > 1;
}

/* alg=flat is a tree, or kary, whose degree is the size of the group. */
static int degree(const composition *p, const ovk__level *level, int given)
{
  return level->algorithm == OVK__FLAT ? p->builder.group.size : given;
}

static void reduce(composition *p, const ovk__level *level, ovk_place from, ovk_place to,
                   ovk_place scratch)
{
  (level->algorithm == OVK__NARY ? ovk__build_nary_reduce : ovk__build_tree_reduce)(
      &p->builder, degree(p, level, level->reduce), from, to, scratch, p->count);
}

static void bcast(composition *p, const ovk__level *level)
{
  (level->algorithm == OVK__NARY ? ovk__build_nary_bcast : ovk__build_tree_bcast)(
      &p->builder, degree(p, level, level->bcast), output, p->count);
}

/* The bytes of a segment from which on alg=auto uses the ring. Measured on two cores of an AMD EPYC
 * (Zen 5), shared with other work, with `ovk bench overlap --operations allreduce` on 2 and 4
 * ranks, OVK__RDMA on the emulated NIC: at two to four times this length the ring took 0.5 to 0.95
 * of the time of doubling (least times), at a quarter of it 1.1 to 1.4 times that. */
static const size_t ring_from[OVK__NCHANNELS] = {
    [OVK__P2P] = 262144, [OVK__SHM] = 131072, [OVK__RDMA] = 131072};

static bool takes_ring(const composition *p, const ovk__level *level)
{
  const size_t segment = p->count / (size_t)p->builder.group.size * p->size;
  return level->algorithm == OVK__RING ||
         (level->algorithm == OVK__AUTO && segment >= ring_from[level->channel]);
}

static void allreduce(composition *p, const ovk__level *level)
{
  if (takes_ring(p, level)) {
    ovk__build_ring_allreduce(&p->builder, output, work, p->count);
  } else if (level->algorithm == OVK__HALVING) {
    ovk__build_halving_allreduce(&p->builder, output, work, p->count);
  } else if (level->algorithm == OVK__TREE || level->algorithm == OVK__NARY) {
    reduce(p, level, output, output, work);
    bcast(p, level);
  } else {
    ovk__build_kary_allreduce(&p->builder, degree(p, level, level->reduce), output, work, p->count);
  }
}

/* Reduces to the leaders of the groups below `top`, level by level, and broadcasts back from them.
 */
static void ascend(composition *p, int top)
{
  for (int level = 0; level < top; level++) {
    if (enter(p, level)) reduce(p, &p->algorithms->level[level], output, output, work);
  }
}

static void descend(composition *p, int top)
{
  for (int level = top - 1; level >= 0; level--) {
    if (enter(p, level)) bcast(p, &p->algorithms->level[level]);
  }
}

ovk_err ovk__schedule_allreduce(ovk_ctx *ctx, const ovk__algorithm_spec *algorithms,
                                const ovk__hierarchy *hierarchy, int rank, size_t count,
                                size_t size, ovk__schedule *out)
{
  composition p = {
      .algorithms = algorithms, .hierarchy = hierarchy, .rank = rank, .count = count, .size = size};
  OVK_TRY(begin_schedule(ctx, &p, out));
  if (count == 0) return end_schedule(&p);
  out->barrier = true;
  const int top = ovk__hierarchy_top(hierarchy);
  ascend(&p, top);
  if (enter(&p, top)) allreduce(&p, &algorithms->level[top]);
  descend(&p, top);
  return end_schedule(&p);
}

/* A reduction and a broadcast without data, around the dissemination. */
ovk_err ovk__schedule_barrier(ovk_ctx *ctx, const ovk__algorithm_spec *algorithms,
                              const ovk__hierarchy *hierarchy, int rank, int ways,
                              ovk__schedule *out)
{
  composition p = {.algorithms = algorithms, .hierarchy = hierarchy, .rank = rank};
  OVK_TRY(begin_schedule(ctx, &p, out));
  out->barrier = true;
  const int top = ovk__hierarchy_top(hierarchy);
  ascend(&p, top);
  if (enter(&p, top)) ovk__build_dissemination(&p.builder, ways);
  descend(&p, top);
  return end_schedule(&p);
}

/* These two have no root. */
static ovk_err check_rooted(ovk_ctx *ctx, const ovk__algorithm_spec *algorithms,
                            const char *operation)
{
  for (int level = 0; level <= algorithms->ngroupings; level++) {
    const ovk__algorithm algorithm = algorithms->level[level].algorithm;
    OVK_CHECK(algorithm != OVK__RING && algorithm != OVK__HALVING, ctx, OVK_ERR_ARG,
              "alg=%s is for all-reduces, not for a %s",
              algorithm == OVK__RING ? "ring" : "halving", operation);
  }
  return OVK_OK;
}

ovk_err ovk__schedule_reduce(ovk_ctx *ctx, const ovk__algorithm_spec *algorithms,
                             const ovk__hierarchy *hierarchy, int rank, int root, size_t count,
                             ovk__schedule *out)
{
  *out = (ovk__schedule){0};
  composition p = {
      .algorithms = algorithms, .hierarchy = hierarchy, .rank = rank, .root = root, .count = count};
  OVK_TRY(check_rooted(ctx, algorithms, "reduction to a root"));
  OVK_TRY(begin_schedule(ctx, &p, out));
  if (count == 0) return end_schedule(&p);
  const ovk_place sum = rank == root ? output : work;
  const ovk_place scratch = rank == root ? work : ovk__place_after(work, count);
  ovk_place own = input; /* leaves of the trees send from the input */
  const int top = ovk__hierarchy_top(hierarchy);
  for (int level = 0; level <= top; level++) {
    if (!enter(&p, level)) continue;
    reduce(&p, &algorithms->level[level], own, sum, scratch);
    own = sum;
  }
  if (rank == root && own.buffer == OVK_INPUT) { /* the only rank */
    ovk__build_round(&p.builder);
    ovk__build_copy(&p.builder, own, sum, count);
  }
  return end_schedule(&p);
}

ovk_err ovk__schedule_bcast(ovk_ctx *ctx, const ovk__algorithm_spec *algorithms,
                            const ovk__hierarchy *hierarchy, int rank, int root, size_t count,
                            ovk__schedule *out)
{
  *out = (ovk__schedule){0};
  composition p = {
      .algorithms = algorithms, .hierarchy = hierarchy, .rank = rank, .root = root, .count = count};
  OVK_TRY(check_rooted(ctx, algorithms, "broadcast"));
  OVK_TRY(begin_schedule(ctx, &p, out));
  if (count == 0) return end_schedule(&p);
  for (int level = ovk__hierarchy_top(hierarchy); level >= 0; level--) {
    if (enter(&p, level)) bcast(&p, &algorithms->level[level]);
  }
  return end_schedule(&p);
}
