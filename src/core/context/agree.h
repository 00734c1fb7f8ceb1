/* SPDX-License-Identifier: BSD-2-Clause */
/* Agreement of ranks: on errors, on totals, and on data that must be the same on all. */
#ifndef OVK_CORE_CONTEXT_AGREE_H
#define OVK_CORE_CONTEXT_AGREE_H

#include "core/context/check.h"

/* values <- their totals over the ranks, bitwise equal on all ranks, which MPI_Allreduce does not
 * guarantee: a decision taken from them is the same everywhere. Collective; errors are not agreed.
 */
ovk_err ovk__total(ovk_ctx *ctx, double *values, int n, MPI_Op op);

/* The same for integers, with any operation on them. */
ovk_err ovk__total_of(ovk_ctx *ctx, void *values, int n, MPI_Datatype type, MPI_Op op);

/* The following are collective, and called by all ranks at the same source line, which check mode
 * verifies.
 *
 * ovk__agree(ctx, err): all ranks return the error of the lowest rank that has one, with its
 * message. The rank is appended to the message unless all ranks had the same message. */
#define ovk__agree(ctx, local) ovk__agree_at((ctx), (local), true, NULL, OVK__HERE)

/* The same; besides, *all becomes false where it is false on any rank, in the same sum. */
#define ovk__agree_flag(ctx, local, all) ovk__agree_at((ctx), (local), true, (all), OVK__HERE)

/* The same, and the totals of n doubles or integers of 64 bits by MPI_SUM or MPI_MAX, which are
 * valid if no rank has an error. By a meeting that is one sum. */
#define ovk__agree_total(ctx, local, values, n, type, op)                                          \
  ovk__agree_total_at((ctx), (local), (values), (n), (type), (op), OVK__HERE)
enum { OVK__MAX_TOTALS = 16 };

/* The same for an error in a file, which does not depend on the rank that reads it: no rank is
 * appended. */
#define ovk__agree_on_file(ctx, local) ovk__agree_at((ctx), (local), false, NULL, OVK__HERE)

/* The first agreement of a public function whose arguments `function`, its name, helps to check:
 * check mode names that. */
#define ovk__agree_in(function, ctx, local)                                                        \
  ovk__agree_at((ctx), (local), true, NULL, (ovk__place){(function), __FILE__, __LINE__})

ovk_err ovk__agree_at(ovk_ctx *ctx, ovk_err local, bool by_rank, bool *all, ovk__place place);

ovk_err ovk__agree_total_at(ovk_ctx *ctx, ovk_err local, void *values, int n, MPI_Datatype type,
                            MPI_Op op, ovk__place place);

/* ovk__agree_same(ctx, "backends", text): OVK_ERR_ARG on all ranks unless all were given the same
 * text. The message has the lines that differ, of rank 0 and of the lowest rank with another text.
 */
#define ovk__agree_same(ctx, what, text)                                                           \
  ovk__agree_text_at((ctx), OVK_ERR_ARG, (what), (text), OVK__HERE)

/* *same <- whether all ranks were given the same hash of some data: ovk__agree_hash(ctx, hash,
 * &same). Errors are not agreed. */
#define ovk__agree_hash(ctx, hash, same) ovk__agree_hash_at((ctx), (hash), (same), OVK__HERE)

/* The same for an integer: ovk__agree_number(ctx, "block sizes", block). */
#define ovk__agree_number(ctx, what, number)                                                       \
  ovk__agree_number_at((ctx), (what), (number), OVK__HERE)

/* The same for a decision of the library, which must be the same on all ranks: if not,
 * OVK_ERR_INTERNAL. */
#define ovk__agree_decided(ctx, what, text)                                                        \
  ovk__agree_text_at((ctx), OVK_ERR_INTERNAL, (what), (text), OVK__HERE)

ovk_err ovk__agree_text_at(ovk_ctx *ctx, ovk_err code, const char *what, const char *text,
                           ovk__place place);
ovk_err ovk__agree_hash_at(ovk_ctx *ctx, uint64_t hash, bool *same, ovk__place place);
ovk_err ovk__agree_number_at(ovk_ctx *ctx, const char *what, int number, ovk__place place);

/* OVK_CHECK() for all ranks, if the condition is false on any. Collective. */
#define OVK_CHECK_ALL(condition, ctx, code, ...)                                                   \
  OVK_TRY(ovk__agree(ctx, (condition) ? OVK_OK : OVK_FAIL(ctx, code, __VA_ARGS__)))

#endif
