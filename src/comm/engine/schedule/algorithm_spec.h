/* SPDX-License-Identifier: BSD-2-Clause */
/* Algorithm specs: the algorithm and the channel of each level of a hierarchy, as read from a spec.
 */
#ifndef OVK_COMM_ENGINE_SCHEDULE_ALGORITHM_SPEC_H
#define OVK_COMM_ENGINE_SCHEDULE_ALGORITHM_SPEC_H

#include "comm/engine/schedule/hierarchy.h"

#include <ovkrylov/list.h>
#include <ovkrylov/plugin/spec.h>

typedef enum ovk__algorithm {
  /* All ranks send to all, or to the root, in one round. */
  OVK__FLAT,
  /* Recursive k-ing: in each round groups of k exchange; ranks beyond the largest power of k
   * exchange through proxies. k = 2 is recursive doubling. With a root, a k-nomial tree. */
  OVK__KARY,
  /* A k-nomial tree to the root, and another one back. */
  OVK__TREE,
  /* The same with N-ary trees. */
  OVK__NARY,
  /* A ring in segments, for long all-reduces; only at the outermost level. */
  OVK__RING,
  /* Recursive halving and doubling, for all-reduces of middle length; only at the outermost level.
   */
  OVK__HALVING,
  /* All-reduces with long segments use the ring at the level that unites all ranks. All others use
   * recursive doubling. The choice depends only on the vector, the number of ranks and the channel,
   * so it is the same on all ranks and in all runs. */
  OVK__AUTO
} ovk__algorithm;

typedef struct ovk__level {
  ovk__algorithm algorithm;
  ovk__channel channel;
  int reduce, bcast; /* degrees of the trees; kary and auto: both are k; unused by others */
} ovk__level;

/* Their names in specs. */
extern const char *const ovk__channel_names[OVK__NCHANNELS];

/* Groupings of ranks by the machine, from inside out. */
typedef enum ovk__grouping { OVK__NUMA, OVK__SOCKET, OVK__NODE } ovk__grouping;

typedef struct ovk__algorithm_spec {
  ovk__level level[OVK__MAX_LEVELS]; /* innermost first */
  int ngroupings;                    /* the number of levels minus one */
  bool by_size;                      /* groups by `size`, else by `grouping` */
  union {
    int size[OVK__MAX_LEVELS];
    ovk__grouping grouping[OVK__MAX_LEVELS];
  };
} ovk__algorithm_spec;

/* The keys of specs that select the algorithms, for the list of keys of a plug-in:
 * - levels: flat (one), sizes of groups (4x2), or some of numa+socket+node+net in this order, where
 *   net is the level around all others
 * - alg: flat, doubling (kary with k=2; the default), kary, tree, nary, ring, halving or auto
 * - k: of kary, or both degrees of tree or nary, 2 to 8
 * - reduce, bcast: of tree and nary, to the root and back, 2 to 8
 * - channel: p2p, shm or verbs. If the spec has the name of a channel, this is the default of the
 *   outermost level, and shm that of the inner levels, unless the spec has an agent; otherwise p2p
 *   is the default of all levels
 *
 * With several levels, all keys except `levels` may be lists, as in alg=flat+kary,channel=shm+p2p:
 * innermost first, the last entry for all further levels. It is an error if no level uses k, reduce
 * or bcast. */
#define OVK__ALGORITHM_OPTIONS                                                                     \
  OVK__LEVELS_OPTION,                                                                              \
      OVK_TEXT("alg", "flat|doubling|kary|tree|nary|ring|halving|auto, a list by level",           \
               "doubling", "algorithm of the reduction"),                                          \
      OVK_TEXT("k", "2 to 8, a list by level", NULL, "degree of kary, tree and nary"),             \
      OVK_TEXT("reduce", "2 to 8, a list by level", NULL, "degree of the tree to the root"),       \
      OVK_TEXT("bcast", "2 to 8, a list by level", NULL, "degree of the tree from the root"),      \
      OVK__CHANNEL_OPTION
#define OVK__LEVELS_OPTION                                                                         \
  OVK_TEXT("levels", "flat|NxM...|numa+socket+node+net", "flat", "groups of ranks, inside out")
#define OVK__CHANNEL_OPTION                                                                        \
  OVK_TEXT("channel", "p2p|shm|verbs, a list by level", NULL, "transport of messages")

/* Read the algorithms from a spec; keys that are not given have defaults. Not collective. */
ovk_err ovk__algorithm_spec_read(ovk_ctx *ctx, const ovk_spec *spec,
                                 ovk__algorithm_spec *algorithms);

/* The following build the schedule of `rank` of the hierarchy for `count` elements, in place in
 * OVK_OUTPUT. With `count` 0 the schedule is empty, and not a barrier. ovk__schedule_free() must be
 * called also after an error.
 *
 * An all-reduce of elements of `size` bytes; all ranks get the same bits. */
ovk_err ovk__schedule_allreduce(ovk_ctx *ctx, const ovk__algorithm_spec *algorithms,
                                const ovk__hierarchy *hierarchy, int rank, size_t count,
                                size_t size, ovk__schedule *out);
/* A reduction from OVK_INPUT to OVK_OUTPUT of `root`; OVK_OUTPUT of other ranks is unchanged. */
ovk_err ovk__schedule_reduce(ovk_ctx *ctx, const ovk__algorithm_spec *algorithms,
                             const ovk__hierarchy *hierarchy, int rank, int root, size_t count,
                             ovk__schedule *out);
/* A broadcast of OVK_OUTPUT of `root`. */
ovk_err ovk__schedule_bcast(ovk_ctx *ctx, const ovk__algorithm_spec *algorithms,
                            const ovk__hierarchy *hierarchy, int rank, int root, size_t count,
                            ovk__schedule *out);
/* A barrier: the leaders of groups receive from their members over the trees of the levels, and the
 * outermost leaders from each other by n-way dissemination (Hoefler et al., "Fast barrier
 * synchronization for InfiniBand", IPDPS 2006). Dissemination takes ceil(log_{n+1} of their number)
 * rounds. In each round a rank sends to n = `ways` others. Then the leaders release their members.
 */
ovk_err ovk__schedule_barrier(ovk_ctx *ctx, const ovk__algorithm_spec *algorithms,
                              const ovk__hierarchy *hierarchy, int rank, int ways,
                              ovk__schedule *out);

/* Describes an action in words. */
enum { OVK__ACTION_SIZE = 192 };
void ovk__action_print(const ovk__action *action, char text[OVK__ACTION_SIZE]);

/* Calls `each` for each action of a schedule. Not collective. */
void ovk__schedule_print(const ovk__schedule *schedule, ovk_action_fn each, void *arg);

#endif
