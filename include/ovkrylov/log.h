/* SPDX-License-Identifier: BSD-2-Clause */
/* The timed event log: how often and how long each kind of work ran on this context. */
#ifndef OVKRYLOV_LOG_H
#define OVKRYLOV_LOG_H

#include <ovkrylov/ctx.h>

OVK_BEGIN_DECLS

/**
 * The timed events. OVK_EVENT_SOLVE is the time of whole solves. The events after it are exclusive
 * of each other. They count in solves, which OVK_EVENT_SOLVE contains, and outside of solves, which
 * it does not contain: in the trial of "auto", in the setup of "pipelcg", and in calls of the
 * program such as ovk_mat_mult(). For the parts of one solve see ovk_result.seconds.
 */
typedef enum ovk_event {
  OVK_EVENT_READ,            /**< reading files */
  OVK_EVENT_ADD,             /**< adding entries: from the first entry after ovk_mat_create() or a
                                  reset until assembly, including the work of the program and other
                                  events; one call for each assembly */
  OVK_EVENT_ASSEMBLE,        /**< matrix assembly */
  OVK_EVENT_RESET,           /**< matrix reset */
  OVK_EVENT_PRECOND_SETUP,   /**< setup of preconditioners */
  OVK_EVENT_SOLVE,           /**< whole solves */
  OVK_EVENT_MULT,            /**< SpMVs, without the wait for the halo */
  OVK_EVENT_HALO_WAIT,       /**< waiting for the rows of other ranks */
  OVK_EVENT_PRECOND,         /**< preconditioners that are not diagonal */
  OVK_EVENT_VECTOR,          /**< vector updates, inner products, diagonal preconditioners */
  OVK_EVENT_REDUCTION_BEGIN, /**< beginning reductions */
  OVK_EVENT_REDUCTION_WAIT,  /**< waiting for reductions */
  OVK_EVENT_COUNT            /**< number of events */
} ovk_event;

/** One event over all ranks. */
typedef struct ovk_event_stats {
  const char *name;   /**< name of the event */
  int64_t calls;      /**< calls, the maximum over the ranks */
  double min_seconds; /**< total time, the minimum over the ranks */
  double avg_seconds; /**< total time, the average over the ranks */
  double max_seconds; /**< total time, the maximum over the ranks */
} ovk_event_stats;

/** @return the seconds that this rank has spent in `event` since the context was created. Not
 * collective. */
OVK_API double ovk_log_seconds(const ovk_ctx *ctx, ovk_event event);

/**
 * Get the statistics of all events over the ranks. Collective.
 *
 * @param stats  OVK_EVENT_COUNT entries, filled on all ranks
 * @return OVK_ERR_ARG if it is NULL
 */
OVK_API ovk_err ovk_log_stats(ovk_ctx *ctx, ovk_event_stats stats[OVK_EVENT_COUNT]);

/**
 * Write a table of all events that occurred, with calls and minimum, average and maximum seconds
 * over the ranks. Collective. Rank 0 writes the file. If its name ends in ".json", the table is an
 * object with the member "events", an array of {"event", "calls", "min_seconds", "avg_seconds",
 * "max_seconds"}.
 *
 * @return OVK_ERR_IO if the file cannot be written
 */
OVK_API ovk_err ovk_log_write(ovk_ctx *ctx, const char *path);

OVK_END_DECLS

#endif
