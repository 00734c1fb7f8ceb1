/* SPDX-License-Identifier: BSD-2-Clause */
/* After a failure of the network ranks know different things: one has the totals of a sum, another
 * never will. Over MPI they tell each other how far they have come, and then all of them go on
 * alike: who lacks totals that some rank has gets them from there, and what no rank has is summed
 * up again over another backend, or fails on all ranks. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_H
#define OVK_BACKENDS_VERBS_RECOVERY_H

#include "engine/run.h"

#include <ovkrylov/backend.h>

typedef struct ovk__recovery ovk__recovery;

typedef enum ovk__phase {
  OVK__SOUND,      /* nothing has happened */
  OVK__RECOVERING, /* the network has failed; the adapter is not used any more */
  OVK__RECOVERED,  /* ranks agree on what was summed up before */
  OVK__LOST        /* the other ranks could not be reached over MPI either */
} ovk__phase;

/* A sum, as far as recovery is concerned; it belongs to the recovery. */
typedef struct ovk__record {
  ovk_sum *sum; /* NULL: it is gone, but others may still need its totals */
  int64_t number;
  int count;
  double *totals, *parts;    /* what came of it last; what this rank gave to it last */
  int64_t begun, completed;  /* how often: together, or one apart */
  int64_t ticket;            /* when it was begun last: counts all of the backend's sums */
  ovk_reduction *substitute; /* over the other backend, or NULL */
  bool substituted;          /* it is being made there */
  struct ovk__record *next;  /* the next number */
} ovk__record;

/* Collective over comm, that of the engine; errors are not agreed, but no rank hangs. The recovery
 * listens to other ranks as one of the context's jobs. `seconds`: how long to wait for them, who
 * must call the library meanwhile. */
ovk_err ovk__recovery_open(ovk_ctx *ctx, MPI_Comm comm, ovk__engine *engine, double seconds,
                           ovk__recovery **out);

/* Waits until no rank can need this one any more, unless ranks are lost. Collective. */
void ovk__recovery_close(ovk__recovery **recovery);

/* Sums come, in the same order on all ranks, and go; not collective. The substitute
 * belongs to the record, unless this fails. */
ovk_err ovk__recovery_add(ovk__recovery *recovery, ovk_sum *sum, ovk_reduction *substitute,
                          ovk__record **out);
void ovk__recovery_remove(ovk__recovery *recovery, ovk__record *record);

/* A sum begins: takes note of its parts; it is complete: of its totals. */
ovk_err ovk__recovery_begun(ovk__recovery *recovery, ovk__record *record);
void ovk__recovery_completed(ovk__record *record);

/* This rank's network has failed: tells all others. */
void ovk__recovery_enter(ovk__recovery *recovery, const char *why);

/* Looks what others say, and moves on without blocking. */
ovk__phase ovk__recovery_look(ovk__recovery *recovery);

/* What has become of a sum that was begun, when recovery is over or ranks are lost: *complete, or
 * not yet; OVK_ERR_NETWORK if it never will be. */
ovk_err ovk__recovery_settle(ovk__recovery *recovery, ovk__record *record, bool *complete);

#endif
