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
  struct ovk__opened *inner; /* what it decorates, opened for it alone; or NULL */
  bool open;                 /* ops->open succeeded */
  bool chosen;               /* "auto" stands for it, or for what it decorates */
  int sums;                  /* made so far, or tried: the same on all ranks */
} ovk__opened;

/* The backend that `spec` names or, if NULL, the environment does or "auto", opened now if it was
 * not yet. Collective; errors are agreed. */
ovk_err ovk__backend_open(ovk_ctx *ctx, const char *spec, ovk__opened **out);

/* Parses a spec and finds the backend that it names, as opening it would. The spec is to be freed.
 * Not collective. */
ovk_err ovk__backend_parse(ovk_ctx *ctx, const char *text, ovk_spec **spec,
                           const ovk_backend_ops **ops);

#endif
