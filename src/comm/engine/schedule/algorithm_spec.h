/* SPDX-License-Identifier: BSD-2-Clause */
/* Algorithm specs: the algorithm and the channel of each level of a hierarchy, as read from a spec.
 */
#ifndef OVK_COMM_ENGINE_SCHEDULE_ALGORITHM_SPEC_H
#define OVK_COMM_ENGINE_SCHEDULE_ALGORITHM_SPEC_H

#include "comm/engine/schedule/hierarchy.h"

#include <ovkrylov/list.h>
#include <ovkrylov/plugin/spec.h>

typedef enum ovk__algorithm {
  /* All send to all, or to the root, in one round. */
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
  /* An all-reduce whose segments are long takes the ring at the level that unites all, everything
   * else recursive doubling: a choice by the vector, the number of ranks and the channel alone, so
   * the same on all ranks and in all runs. */
  OVK__AUTO
} ovk__algorithm;

typedef struct ovk__level {
  ovk__algorithm algorithm;
  ovk__channel channel;
  int reduce, bcast; /* degrees of the trees; kary and auto: both are k; unused by flat and ring */
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
 * - alg: flat, doubling (kary with k=2; the default), kary, tree, nary, ring or auto
 * - k: of kary, or both degrees of tree or nary, 2 to 8
 * - reduce, bcast: of tree and nary, to the root and back, 2 to 8
 * - channel: p2p, shm or verbs. Where the spec's name is that of a channel, it is the outermost
 *   level's default and shm that of the levels inside, unless the spec has an agent; else p2p is
 * the default of all
 *
 * With several levels, all but `levels` may be lists, as in alg=flat+kary,channel=shm+p2p:
 * innermost first, the last entry for all further levels. k, reduce or bcast that no level uses is
 * an error. */
#define OVK__ALGORITHM_OPTIONS                                                                     \
  OVK__LEVELS_OPTION,                                                                              \
      OVK_TEXT("alg", "flat|doubling|kary|tree|nary|ring|auto, a list by level", "doubling",       \
               "algorithm of the reduction"),                                                      \
      OVK_TEXT("k", "2 to 8, a list by level", NULL, "degree of kary, tree and nary"),             \
      OVK_TEXT("reduce", "2 to 8, a list by level", NULL, "degree of the tree to the root"),       \
      OVK_TEXT("bcast", "2 to 8, a list by level", NULL, "degree of the tree from the root"),      \
      OVK__CHANNEL_OPTION
#define OVK__LEVELS_OPTION                                                                         \
  OVK_TEXT("levels", "flat|NxM...|numa+socket+node+net", "flat", "groups of ranks, inside out")
#define OVK__CHANNEL_OPTION                                                                        \
  OVK_TEXT("channel", "p2p|shm|verbs, a list by level", NULL, "transport of messages")

/* Reads the algorithms from a spec; keys that are not given have defaults. Not collective. */
ovk_err ovk__algorithm_spec_read(ovk_ctx *ctx, const ovk_spec *spec,
                                 ovk__algorithm_spec *algorithms);

/* Builds for `rank` of the hierarchy's ranks, over OVK_OUTPUT in place, `count` elements (0: an
 * empty schedule, which is no barrier):
 * an all-reduce of elements of `size` bytes: all get the same bits; */
ovk_err ovk__schedule_allreduce(ovk_ctx *ctx, const ovk__algorithm_spec *algorithms,
                                const ovk__hierarchy *hierarchy, int rank, size_t count,
                                size_t size, ovk__schedule *out);
/* a reduction from OVK_INPUT to OVK_OUTPUT of `root`; other ranks' OVK_OUTPUT is unchanged; */
ovk_err ovk__schedule_reduce(ovk_ctx *ctx, const ovk__algorithm_spec *algorithms,
                             const ovk__hierarchy *hierarchy, int rank, int root, size_t count,
                             ovk__schedule *out);
/* a broadcast of `root`'s OVK_OUTPUT; */
ovk_err ovk__schedule_bcast(ovk_ctx *ctx, const ovk__algorithm_spec *algorithms,
                            const ovk__hierarchy *hierarchy, int rank, int root, size_t count,
                            ovk__schedule *out);
/* a barrier: the leaders of groups receive from their members over the trees of the levels, the
 * outermost leaders from each other by n-way dissemination (Hoefler et al., "Fast barrier
 * synchronization for InfiniBand", IPDPS 2006), in ceil(log_{n+1} of their number) rounds in each
 * of which a rank sends to n = `ways` others; then the leaders release their members.
 * ovk__schedule_free() must be called also after an error. */
ovk_err ovk__schedule_barrier(ovk_ctx *ctx, const ovk__algorithm_spec *algorithms,
                              const ovk__hierarchy *hierarchy, int rank, int ways,
                              ovk__schedule *out);

/* Describes an action in words. */
enum { OVK__ACTION_SIZE = 192 };
void ovk__action_print(const ovk__action *action, char text[OVK__ACTION_SIZE]);

/* Calls `each` for each action of a schedule. Not collective. */
void ovk__schedule_print(const ovk__schedule *schedule, ovk_action_fn each, void *arg);

#endif
