/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of a recovery. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_RECOVERY_IMPL_H
#define OVK_BACKENDS_VERBS_RECOVERY_RECOVERY_IMPL_H

#include "backends/verbs/recovery/recovery.h"
#include "backends/verbs/recovery/result_exchange.h"
#include "backends/verbs/recovery/ring_detector.h"
#include "backends/verbs/recovery/shutdown.h"
#include "comm/engine/engine.h"
#include "core/job.h"

struct ovk__recovery {
  ovk_ctx *ctx;
  MPI_Comm comm;
  ovk__engine *engine;
  ovk__recovery_opts opts;
  ovk__job job;
  ovk__ring_detector detector;
  ovk__recovery_state phase;
  bool open;         /* the job polls for messages */
  bool closing;      /* peers may exit: they are no longer monitored */
  bool notified;     /* the user has been notified */
  unsigned calls;    /* calls of ovk__recovery_look() */
  double last_probe; /* time of the last probe for messages */
  double deadline;   /* for other ranks' answers */
  char why[2 * OVK__WHY_SIZE];
  ovk__records records;
  ovk__tables tables;
  ovk__result_exchange exchange;
  ovk__shutdown shutdown;
};

/* Receives messages and acts on them. */
void ovk__recovery_take_news(ovk__recovery *recovery);

#endif
