/* SPDX-License-Identifier: BSD-2-Clause */
/* Opened backends: one a context and spec, closed with the context. */
#ifndef OVK_BACKENDS_OPEN_H
#define OVK_BACKENDS_OPEN_H

#include "core/ctx_impl.h"

#include <ovkrylov/backend.h>

typedef struct ovk__opened {
  ovk__resource resource;
  const ovk_backend_ops *ops;
  ovk_backend backend;
  ovk_spec *spec;
  bool open; /* ops->open succeeded */
  int sums;  /* made so far, or tried: the same on all ranks */
} ovk__opened;

/* The backend that `spec` names, opened now if it was not yet. Collective; errors are agreed. */
ovk_err ovk__backend_open(ovk_ctx *ctx, const char *spec, ovk__opened **out);

#endif
