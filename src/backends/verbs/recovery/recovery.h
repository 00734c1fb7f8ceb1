/* SPDX-License-Identifier: BSD-2-Clause */
/* After a failure of the network ranks know different things: one has the totals of a sum, another
 * never will. Over MPI they tell each other how far they have come, and then all of them go on
 * alike: who lacks totals that some rank has gets them from there, and what no rank has is summed
 * up again over another backend, or fails on all ranks. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_RECOVERY_H
#define OVK_BACKENDS_VERBS_RECOVERY_RECOVERY_H

#include "backends/verbs/recovery/records.h"
#include "engine/run.h"

typedef struct ovk__recovery ovk__recovery;

typedef enum ovk__phase {
  OVK__SOUND,      /* nothing has happened */
  OVK__RECOVERING, /* the network has failed; the adapter is not used any more */
  OVK__RECOVERED,  /* ranks agree on what was summed up before */
  OVK__LOST        /* other ranks could not be reached over MPI either */
} ovk__phase;

/* How to recover. */
typedef struct ovk__remedy {
  double seconds;       /* how long to wait for other ranks, who must call the library meanwhile */
  const char *fallback; /* the spec of the other backend, or NULL */
} ovk__remedy;

/* Collective over comm, that of the engine, which has an endpoint; errors are agreed. The recovery
 * listens to other ranks as one of the context's jobs. */
ovk_err ovk__recovery_open(ovk_ctx *ctx, MPI_Comm comm, ovk__engine *engine, ovk__remedy remedy,
                           ovk__recovery **out);

/* Waits until no rank can need this one any more, unless ranks are lost. False: others may still
 * send something over comm, which must not be freed. Collective. */
bool ovk__recovery_part(ovk__recovery *recovery);
void ovk__recovery_close(ovk__recovery **recovery); /* not collective */

/* Sums come, in the same order on all ranks, and go; not collective. The substitute belongs to the
 * record, unless this fails. */
ovk_err ovk__recovery_add(ovk__recovery *recovery, ovk_sum *sum, ovk_reduction *substitute,
                          ovk__record **out);
void ovk__recovery_remove(ovk__recovery *recovery, ovk__record *record);

/* *sound: nothing has happened on any rank; else recovery is over, or ranks are lost. Collective;
 * errors are not agreed. */
ovk_err ovk__recovery_agree(ovk__recovery *recovery, bool *sound);

/* A sum is not made over the adapter, but only over the other backend. */
void ovk__recovery_set_apart(ovk__recovery *recovery, ovk__record *record);

/* A sum begins; is complete over the adapter, which does not count after a failure. */
void ovk__recovery_begin(ovk__recovery *recovery, ovk__record *record);
bool ovk__recovery_complete(ovk__recovery *recovery, ovk__record *record);

/* This rank's network has failed: tells all others. The endpoint's failures come here by
 * themselves.
 */
void ovk__recovery_enter(ovk__recovery *recovery, const char *why);

ovk__phase ovk__recovery_phase(const ovk__recovery *recovery);

/* Looks what others say, and moves on without blocking. */
ovk__phase ovk__recovery_look(ovk__recovery *recovery);

/* What has become of a sum that was begun: *complete, or not yet; OVK_ERR_NETWORK if it never will
 * be. */
ovk_err ovk__recovery_settle(ovk__recovery *recovery, ovk__record *record, bool *complete);

/* The sentence for a failure. */
ovk_err ovk__recovery_fail(const ovk__recovery *recovery);

#endif
