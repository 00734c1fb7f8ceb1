/* SPDX-License-Identifier: BSD-2-Clause */
/* Check mode, OVK_CHECK=1: compares data that must be the same on all ranks, and limits every wait
 * by a timeout. If it is off, nothing here communicates. */
#ifndef OVK_CORE_CONTEXT_COMPARE_H
#define OVK_CORE_CONTEXT_COMPARE_H

#include "core/context/agree.h"
#include "core/context/allgather.h"
#include "core/context/ctx_impl.h"

#include <stddef.h>

enum { OVK__MAX_MINIMA = 4 };

typedef struct ovk__compare ovk__compare;

/* Allocates the state of check mode. After an error it is to be destroyed. */
ovk_err ovk__compare_create(ovk_ctx *ctx, ovk__compare **out);

/* Gives it its communicator. Collective; errors are not agreed. */
ovk_err ovk__compare_connect(ovk_ctx *ctx, ovk__compare *c);

void ovk__compare_destroy(ovk__compare *c);

/* Whether check mode is on. */
static inline bool ovk__checking(const ovk_ctx *ctx)
{
  return ctx->compare != NULL;
}

/* Seconds that a rank waits for others in check mode. */
double ovk__check_timeout(const ovk_ctx *ctx);

/* In check mode: memory for the minima of an agreement, which outlives a timeout. */
uint64_t *ovk__check_minima(ovk_ctx *ctx);

/* To be called while waiting in check mode, with *since = 0 at first: fails after the timeout. */
ovk_err ovk__check_clock(ovk_ctx *ctx, double *since);

/* In check mode: fails on all ranks unless all give the same text for `what`, a plural. Collective.
 */
ovk_err ovk__check_same(ovk_ctx *ctx, const char *what, const char *text);

/* In check mode: fails on all ranks unless all are at the same line of the source. Collective. */
ovk_err ovk__check_place(ovk_ctx *ctx, ovk__place place);

#endif
