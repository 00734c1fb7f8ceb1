/* SPDX-License-Identifier: BSD-2-Clause */
/* The timed event log: how often and how long each kind of work ran on this context. */
#ifndef OVKRYLOV_LOG_H
#define OVKRYLOV_LOG_H

#include <ovkrylov/ctx.h>

OVK_BEGIN_DECLS

/** The events that are timed: X(name, text). SOLVE is the time of whole solves. The ones after it
 * are exclusive of each other, and counted wherever they happen: in solves, which SOLVE contains,
 * and outside of them, which it does not: in the trial of "auto" and in what "deep" prepares when a
 * solver is made, and in calls of your own, such as ovk_mat_mult(). For the parts of one solve see
 * ovk_result.seconds. ADD is the time from the first entry after ovk_mat_create() or a reset until
 * assembly, the program's own work and other events included; its calls are such fillings. */
#define OVK_EVENT_LIST(X)                                                                          \
  X(OVK_EVENT_READ, "file read")                                                                   \
  X(OVK_EVENT_ADD, "adding entries")                                                               \
  X(OVK_EVENT_ASSEMBLE, "matrix assembly")                                                         \
  X(OVK_EVENT_RESET, "matrix reset")                                                               \
  X(OVK_EVENT_PRECOND_SETUP, "precond setup")                                                      \
  X(OVK_EVENT_SOLVE, "solve")                                                                      \
  X(OVK_EVENT_MULT, "matrix product")                                                              \
  X(OVK_EVENT_HALO_WAIT, "halo wait")                                                              \
  X(OVK_EVENT_PRECOND, "preconditioner")                                                           \
  X(OVK_EVENT_VECTOR, "vector updates")                                                            \
  X(OVK_EVENT_REDUCTION_BEGIN, "reduction begin")                                                  \
  X(OVK_EVENT_REDUCTION_WAIT, "reduction wait")

typedef enum ovk_event {
#define OVK_EVENT_ENUM(name, text) name,
  OVK_EVENT_LIST(OVK_EVENT_ENUM)
#undef OVK_EVENT_ENUM
      OVK_EVENT_COUNT
} ovk_event;

/** One event over all ranks. */
typedef struct ovk_event_stats {
  const char *name;   /**< the event's text */
  int64_t calls;      /**< the most calls any rank made */
  double min_seconds; /**< of the ranks' total times: the least, */
  double avg_seconds; /**< the average */
  double max_seconds; /**< and the greatest */
} ovk_event_stats;

/** @return the seconds that this rank has spent in `event` since the context was made. Not
 * collective. */
OVK_API double ovk_log_seconds(const ovk_ctx *ctx, ovk_event event);

/**
 * Gathers all events over the ranks. Collective.
 *
 * @param stats  OVK_EVENT_COUNT entries, filled on all ranks
 * @return OVK_ERR_ARG if it is NULL
 */
OVK_API ovk_err ovk_log_stats(ovk_ctx *ctx, ovk_event_stats stats[OVK_EVENT_COUNT]);

/**
 * Writes a table of all events that occurred: calls, and min, average and max seconds over the
 * ranks. Collective. Rank 0 writes the file. If its name ends in ".json", the table is an object
 * with the member "events", an array of {"event", "calls", "min_seconds", "avg_seconds",
 * "max_seconds"}.
 *
 * @return OVK_ERR_IO if the file cannot be written
 */
OVK_API ovk_err ovk_log_write(ovk_ctx *ctx, const char *path);

OVK_END_DECLS

#endif
