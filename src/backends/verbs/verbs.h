/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of the backend "verbs" have in common: verbs.c is the plug-in, a mode makes sums,
 * recovery.c sees to it that all ranks come out of a failure alike. */
#ifndef OVK_BACKENDS_VERBS_VERBS_H
#define OVK_BACKENDS_VERBS_VERBS_H

#include "backends/verbs/recovery/recovery.h"
#include "engine/job.h"
#include "engine/plans.h"
#include "engine/run.h"
#include "engine/verbs/endpoint.h"

#include <ovkrylov/backend.h>

typedef struct ovk__verbs ovk__verbs;

/* How sums are made. */
typedef struct ovk__mode {
  const char *name; /* of mode= */

  /* Reads what the spec says for this mode; on this rank alone. close is due whatever happens. */
  ovk_err (*read)(ovk__verbs *verbs);
  /* Collective; errors are not agreed, but no rank hangs. Engine and endpoint are open. */
  ovk_err (*open)(ovk__verbs *verbs);
  void (*close)(ovk__verbs *verbs); /* before engine and endpoint; after all sums; collective */

  /* Makes what a sum needs, to be started again and again without allocating. Collective as
   * ovk__run_create() is, `failed` and *out included. */
  ovk_err (*prepare)(ovk__verbs *verbs, const ovk_sum *sum, bool failed, void **out);
  void (*release)(void *sum); /* NULL is allowed */

  /* Return MPI's codes, or OVK__NETWORK_FAILED once the endpoint has failed. start takes the parts
   * from the sum's values; when complete, the totals are there. */
  int (*start)(void *sum);
  ovk__advance *advance;
} ovk__mode;

extern const ovk__mode ovk__mode_write, ovk__mode_atomic;

/* An opened backend. */
struct ovk__verbs {
  ovk_ctx *ctx;
  MPI_Comm comm;
  const ovk_spec *spec;
  const ovk__mode *mode;
  ovk__engine *engine; /* uses the endpoint */
  ovk__endpoint *endpoint;
  ovk__plans plans; /* mode=write */
  void *own;        /* mode=atomic */
  ovk__recovery *recovery;
  char *fallback; /* spec, or NULL */
};

#endif
