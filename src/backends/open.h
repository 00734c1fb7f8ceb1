/* SPDX-License-Identifier: BSD-2-Clause */
/* Opened backends: one per context and spec, closed with the context. */
#ifndef OVK_BACKENDS_OPEN_H
#define OVK_BACKENDS_OPEN_H

#include "core/context/ctx_impl.h"

#include <ovkrylov/plugin/backend.h>
#include <stdarg.h>
#include <stddef.h>

typedef struct ovk__opened {
  ovk__resource resource;
  const ovk_backend_ops *ops;
  ovk_backend backend;
  ovk_spec *spec;
  struct ovk__opened *inner;     /* the backend that it decorates, opened for it alone; or NULL */
  struct ovk__opened *companion; /* the backend that it has opened for itself; or NULL */
  struct ovk__opened *checked; /* check mode's decorator around this one, which owns it; or NULL */
  bool open;                   /* ops->open succeeded */
  unsigned chosen; /* by "auto", as a whole or as its last component: bit 1 with overlapped work
                      that does not poll, bit 0 otherwise */
  int sums;        /* number of sums created so far, failures included; the same on all ranks */

  /* of check mode's decorator */
  bool stuck; /* closed with a sum in flight: the backend that it decorates must not be closed */
  /* a text about a decision of this rank, for the next begin of the sum; or NULL */
  void (*note)(ovk_sum *sum, const char *format, va_list args);
} ovk__opened;

/* The one that contains this backend. */
static inline ovk__opened *ovk__opened_of(ovk_backend *backend)
{
  return (ovk__opened *)((char *)backend - offsetof(ovk__opened, backend));
}

/* Whether begin does not wait for other ranks. */
static inline bool ovk__begins_at_once(const ovk__opened *o)
{
  while (o->inner && o->ops->begins_at_once) o = o->inner;
  return o->ops->begins_at_once;
}

/* The backend that `spec` names; if NULL, the one in OVK_BACKEND, or "auto". Opened if it is not
 * open yet. `silent`: the overlapped work does not poll; `count`: values of a reduction. "auto"
 * takes both into account. Collective; errors are agreed. */
ovk_err ovk__backend_open(ovk_ctx *ctx, const char *spec, bool silent, int count,
                          ovk__opened **out);

/* The backend that replaces `opened`, selected by "auto", where no sum can be created over it;
 * NULL: there is none. Collective; errors are agreed. Once a sum has been created over it,
 * ovk__backend_replace() makes "auto" stand for `next` and notifies the user. */
ovk_err ovk__backend_next(ovk_ctx *ctx, const ovk__opened *opened, ovk__opened **next);
void ovk__backend_replace(ovk__opened *opened, ovk__opened *next, const char *why);

/* A sum of `count` values, the same on all ranks, as ovk_reduction_create() makes it. If "auto" now
 * stands for another backend, *opened becomes that. Collective; errors are agreed. */
ovk_err ovk__reduction_create(ovk_ctx *ctx, ovk__opened **opened, int count, ovk_reduction **out);

/* Check mode's decorator. Its open agrees on errors. A sum has one value more than its user asked
 * for. */
extern const ovk_backend_ops ovk__check_mode;

/* In check mode: a text about a decision of this rank, which the next begin of the sum
 * compares with those of the other ranks. */
void ovk__reduction_note(ovk_reduction *red, const char *format, ...) OVK_PRINTF(2, 3);

/* *opened <- check mode's decorator around it, opened if it is not open yet. Collective; errors are
 * agreed. */
ovk_err ovk__backend_check_mode(ovk__opened **opened);

#endif
