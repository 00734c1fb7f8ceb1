/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of the backend "verbs": verbs.c is the plug-in, a mode computes sums,
 * recovery.c makes all ranks leave a failure in the same state. */
#ifndef OVK_BACKENDS_VERBS_VERBS_H
#define OVK_BACKENDS_VERBS_VERBS_H

#include "backends/verbs/recovery/recovery.h"
#include "comm/agent/agent.h"
#include "comm/agent/remote.h"
#include "comm/engine/executor.h"
#include "comm/engine/schedule_cache.h"
#include "comm/net/endpoint.h"
#include "core/job.h"

#include <ovkrylov/plugin/backend.h>

typedef struct ovk__verbs ovk__verbs;

/* A way to compute sums. */
typedef struct ovk__verbs_mode {
  const char *name; /* value of mode= */

  /* Reads the mode's keys of the spec; on this rank alone. close() must be called also after an
   * error. */
  ovk_err (*read)(ovk__verbs *verbs);
  /* Collective; errors are not agreed, but no rank hangs. Engine and endpoint are open. */
  ovk_err (*open)(ovk__verbs *verbs);
  /* Before engine and endpoint; after all sums; collective. NULL: nothing is to be done. */
  void (*close)(ovk__verbs *verbs);

  /* Creates the state of a sum, to be started repeatedly without allocation. Collective as
   * ovk__request_create() is, with the same meaning of `failed` and *out. */
  ovk_err (*prepare)(ovk__verbs *verbs, const ovk_sum *sum, bool failed, void **out);
  bool (*release)(void *sum); /* as ovk__request_destroy() is; NULL is allowed */

  /* Return MPI error codes, or OVK__NETWORK_FAILED once the endpoint has failed. start reads this
   * rank's contribution from the sum's values; when complete, the totals are there. */
  int (*start)(void *sum);
  ovk__advance *advance;
} ovk__verbs_mode;

extern const ovk__verbs_mode ovk__mode_write, ovk__mode_atomic;
extern const ovk__verbs_mode ovk__mode_write_agent;  /* mode=write with agent=thread */
extern const ovk__verbs_mode ovk__mode_write_remote; /* mode=write with agent=HOST:PORT */

/* An opened backend. */
struct ovk__verbs {
  ovk_ctx *ctx;
  MPI_Comm comm;
  const ovk_spec *spec;
  const ovk__verbs_mode *mode;
  ovk__engine *engine; /* uses the endpoint */
  ovk__endpoint *endpoint;
  ovk__agent *agent;             /* agent=thread, or NULL */
  ovk__remote *remote;           /* agent=HOST:PORT, or NULL */
  ovk__schedule_cache schedules; /* mode=write */
  void *own;                     /* mode=atomic */
  ovk__recovery *recovery;
  char *fallback; /* spec, or NULL */
};

/* `read` of the modes with an agent. Messages to agents go over the NIC only, at every level:
 * others do not wake them. */
ovk_err ovk__verbs_read_schedules_of_agent(ovk__verbs *verbs);

#endif
