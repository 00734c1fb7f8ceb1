/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of a recovery. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_RECOVERY_IMPL_H
#define OVK_BACKENDS_VERBS_RECOVERY_RECOVERY_IMPL_H

#include "backends/verbs/recovery/farewell.h"
#include "backends/verbs/recovery/guard.h"
#include "backends/verbs/recovery/recovery.h"
#include "backends/verbs/recovery/trade.h"
#include "engine/engine.h"
#include "engine/job.h"

struct ovk__recovery {
  ovk_ctx *ctx;
  MPI_Comm comm;
  ovk__engine *engine;
  ovk__remedy remedy;
  ovk__job job;
  ovk__guard guard;
  ovk__phase phase;
  bool open;       /* it listens */
  bool parting;    /* peers may go: nobody looks after them any more */
  bool notified;   /* the user was */
  unsigned looks;  /* for messages, wanted */
  double looked;   /* when there was one last */
  double deadline; /* for other ranks' answers */
  char why[2 * OVK__WHY_SIZE];
  ovk__records records;
  ovk__tables tables;
  ovk__trade trade;
  ovk__farewell farewell;
};

/* Looks for messages, and does what follows from them. */
void ovk__recovery_take_news(ovk__recovery *recovery);

#endif
