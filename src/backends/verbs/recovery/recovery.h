/* SPDX-License-Identifier: BSD-2-Clause */
/* After a failure of the network, ranks are in different states: one has the totals of a sum,
 * another will never get them. They exchange their progress over MPI, and then all continue alike:
 * a rank that lacks totals which another rank has receives them from there; a sum that no rank has
 * completed is repeated over another backend, or fails on all ranks. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_RECOVERY_H
#define OVK_BACKENDS_VERBS_RECOVERY_RECOVERY_H

#include "backends/verbs/recovery/records.h"
#include "comm/engine/executor.h"

typedef struct ovk__recovery ovk__recovery;

typedef enum ovk__recovery_state {
  OVK__SOUND,      /* no failure is known */
  OVK__RECOVERING, /* the network has failed; the NIC is not used any more */
  OVK__RECOVERED,  /* ranks agree on the sums completed before */
  OVK__LOST        /* other ranks did not answer over MPI either */
} ovk__recovery_state;

/* Parameters of recovery. */
typedef struct ovk__recovery_opts {
  double seconds; /* how long to wait for other ranks, which must call the library meanwhile */
  const char *fallback; /* spec of the backend that replaces the network, or NULL */
} ovk__recovery_opts;

/* Collective over comm, the engine's, which has an endpoint; errors are agreed. The recovery polls
 * for messages of other ranks as one of the context's jobs. */
ovk_err ovk__recovery_open(ovk_ctx *ctx, MPI_Comm comm, ovk__engine *engine,
                           ovk__recovery_opts opts, ovk__recovery **out);

/* Waits until no rank can need this one any more, unless recovery has failed. False: other ranks
 * may still send messages over comm, which must not be freed. Collective. */
bool ovk__recovery_shutdown(ovk__recovery *recovery);
void ovk__recovery_close(ovk__recovery **recovery); /* not collective */

/* Add sums, in the same order on all ranks, and remove them; not collective. The substitute belongs
 * to the record, unless add fails. */
ovk_err ovk__recovery_add(ovk__recovery *recovery, ovk_sum *sum, ovk_reduction *substitute,
                          ovk__record **out);
void ovk__recovery_remove(ovk__recovery *recovery, ovk__record *record);

/* *sound: no rank knows of a failure; else recovery is complete, or has failed. Collective; errors
 * are not agreed. */
ovk_err ovk__recovery_agree(ovk__recovery *recovery, bool *sound);

/* Marks a sum that uses only the other backend, never the NIC. */
void ovk__recovery_set_apart(ovk__recovery *recovery, ovk__record *record);

/* Records that a sum begins, or that it is complete over the NIC; returns false after a
 * failure, when that does not count. */
void ovk__recovery_begin(ovk__recovery *recovery, ovk__record *record);
bool ovk__recovery_complete(ovk__recovery *recovery, ovk__record *record);

/* Records a failure of this rank's network and sends this rank's table to all others. Failures of
 * the endpoint are reported here automatically. */
void ovk__recovery_enter(ovk__recovery *recovery, const char *why);

ovk__recovery_state ovk__recovery_phase(const ovk__recovery *recovery);

/* Receives messages of other ranks and makes progress, without blocking. */
ovk__recovery_state ovk__recovery_look(ovk__recovery *recovery);

/* Tests a sum that was begun, after a failure: *complete, or not yet; OVK_ERR_NETWORK if it never
 * will be. */
ovk_err ovk__recovery_finish(ovk__recovery *recovery, ovk__record *record, bool *complete);

/* Records the error message for a failure. */
ovk_err ovk__recovery_fail(const ovk__recovery *recovery);

#endif
