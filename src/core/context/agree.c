/* SPDX-License-Identifier: BSD-2-Clause */
/* Agreement of ranks: on one error and its message, and on whether all have the same text. */
#include "core/context/agree.h"
#include "core/base/hash64.h"
#include "core/context/compare.h"
#include "core/context/ctx_impl.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Whether the values need no call of MPI: there is one rank, or the ranks meet. Then *code <- the
 * MPI error code. */
static bool agree_without_mpi(ovk_ctx *ctx, void *values, int n, MPI_Datatype type, MPI_Op op,
                              int *code)
{
  int size = 0;
  *code = MPI_SUCCESS;
  if (ctx->size == 1 && !ovk__checking(ctx)) return true;
  if (!ctx->meeting) return false;
  MPI_Type_size(type, &size);
  const size_t bytes = (size_t)n * (size_t)size;
  if (bytes > ctx->most_met) return false;
  *code = ctx->meet(ctx, values, n, type, op, bytes);
  return true;
}

/* The minimum over the ranks of the context. Progresses the jobs of this rank meanwhile, since
 * other ranks may wait for them before they call this. All ranks must make the same MPI call. */
static ovk_err agree_minimum(ovk_ctx *ctx, const uint64_t *in, uint64_t *out, int n)
{
  MPI_Request request;
  int code;
  uint64_t own[OVK__MAX_MINIMA], *at = ovk__checking(ctx) ? ovk__check_minima(ctx) : own;
  memcpy(at, in, (size_t)n * sizeof *at);
  memcpy(out, in, (size_t)n * sizeof *out);
  if (agree_without_mpi(ctx, out, n, MPI_UINT64_T, MPI_MIN, &code)) {
    OVK_CHECK_MPI(ctx, code, "MPI_Reduce_local");
    return OVK_OK;
  }
  OVK_TRY_MPI(ctx, MPI_Iallreduce(MPI_IN_PLACE, at, n, MPI_UINT64_T, MPI_MIN, ctx->comm, &request));
  double since = 0;
  for (int over = 0; !over && (ctx->jobs || ovk__checking(ctx));) {
    OVK_TRY_MPI(ctx, MPI_Test(&request, &over, MPI_STATUS_IGNORE));
    if (!over && ovk__checking(ctx)) OVK_TRY(ovk__check_clock(ctx, &since));
    if (!over && ctx->jobs) ctx->serve(ctx);
  }
  OVK_TRY_MPI(ctx, MPI_Wait(&request, MPI_STATUS_IGNORE));
  memcpy(out, at, (size_t)n * sizeof *at);
  return OVK_OK;
}

/* A rank on which the first call fails makes the second one too, as the others wait for it there.
 */
ovk_err ovk__total(ovk_ctx *ctx, double *values, int n, MPI_Op op)
{
  int code;
  if (agree_without_mpi(ctx, values, n, MPI_DOUBLE, op, &code)) {
    OVK_CHECK_MPI(ctx, code, "MPI_Reduce_local");
    return OVK_OK;
  }
  const void *in = ctx->rank == 0 ? MPI_IN_PLACE : (const void *)values;
  const int reduced = MPI_Reduce(in, values, n, MPI_DOUBLE, op, 0, ctx->comm);
  const int sent = MPI_Bcast(values, n, MPI_DOUBLE, 0, ctx->comm);
  OVK_CHECK_MPI(ctx, reduced, "MPI_Reduce");
  OVK_CHECK_MPI(ctx, sent, "MPI_Bcast");
  return OVK_OK;
}

ovk_err ovk__total_of(ovk_ctx *ctx, void *values, int n, MPI_Datatype type, MPI_Op op)
{
  int code;
  if (!agree_without_mpi(ctx, values, n, type, op, &code)) {
    code = MPI_Allreduce(MPI_IN_PLACE, values, n, type, op, ctx->comm);
  }
  OVK_CHECK_MPI(ctx, code, "MPI_Allreduce");
  return OVK_OK;
}

/* Appends the rank to the message; a message that is too long is truncated before it. */
static void name_rank(ovk_ctx *ctx, int rank)
{
  char name[32];
  const size_t size = (size_t)snprintf(name, sizeof name, " (rank %d)", rank) + 1;
  size_t end = strlen(ctx->message);
  if (end > sizeof ctx->message - size) end = sizeof ctx->message - size;
  memcpy(ctx->message + end, name, size);
}

static ovk_err agree_on_error(ovk_ctx *ctx, ovk_err local, bool by_rank, bool *all)
{
  enum { FIRST, MINIMUM, MAXIMUM, ALL, VALUES };
  _Static_assert((int)VALUES <= (int)OVK__MAX_MINIMA, "there is room for them");
  const uint64_t hash = local ? ovk__hash_text(ctx->message) | 1 : 0; /* 0: no error */
  const uint64_t mine[VALUES] = {(uint64_t)(local ? ctx->rank : ctx->size), hash, ~hash,
                                 all && *all};
  uint64_t minima[VALUES] = {0};
  OVK_TRY(agree_minimum(ctx, mine, minima, VALUES));
  if (all) *all = minima[ALL] != 0;
  const int first = (int)minima[FIRST];
  if (first == ctx->size) return OVK_OK;
  int code = (int)local;
  OVK_TRY_MPI(ctx, MPI_Bcast(&code, 1, MPI_INT, first, ctx->comm));
  OVK_TRY_MPI(ctx, MPI_Bcast(ctx->message, OVK__MESSAGE_SIZE, MPI_CHAR, first, ctx->comm));
  ctx->message_count++; /* also if the message came from another rank */
  if (by_rank && minima[MINIMUM] != ~minima[MAXIMUM]) name_rank(ctx, first);
  return (ovk_err)code;
}

ovk_err ovk__agree_at(ovk_ctx *ctx, ovk_err local, bool by_rank, bool *all, ovk__place place)
{
  OVK_CHECK(!ovk__mpi_is_over(), ctx, OVK_ERR_STATE,
            "MPI is finalized: objects can only be destroyed");
  if (ovk__checking(ctx)) OVK_TRY(ovk__check_place(ctx, place));
  return agree_on_error(ctx, local, by_rank, all);
}

/* One more value counts the ranks that failed. MPI itself may fail on one rank only, which the
 * others have to learn in another call. */
ovk_err ovk__agree_total_at(ovk_ctx *ctx, ovk_err local, void *values, int n, MPI_Datatype type,
                            MPI_Op op, ovk__place place)
{
  int code;
  const double failed = local != OVK_OK;
  const bool doubles = type == MPI_DOUBLE;
  uint64_t words[OVK__MAX_TOTALS + 1] = {0};
  memcpy(words, values, (size_t)n * sizeof *words);
  words[n] = local != OVK_OK;
  if (doubles) memcpy(&words[n], &failed, sizeof failed);
  if (!agree_without_mpi(ctx, words, n + 1, type, op, &code)) {
    const ovk_err err =
        doubles ? ovk__total(ctx, values, n, op) : ovk__total_of(ctx, values, n, type, op);
    return ovk__agree_at(ctx, local ? local : err, true, NULL, place);
  }
  if (words[n]) return ovk__agree_at(ctx, local, true, NULL, place);
  OVK_CHECK_MPI(ctx, code, "MPI_Reduce_local");
  memcpy(values, words, (size_t)n * sizeof *words);
  return OVK_OK;
}

enum { SHOWN = 400 }; /* bytes of a text in a message */

/* list <- the lines of `text` that differ in `other`; all of them if none differs (in the part
 * compared). */
static void list_differences(const char *text, const char *other, char list[SHOWN])
{
  const char *line = text;
  size_t used = 0;
  list[0] = '\0';
  for (size_t n, m; *line; line += n + (line[n] != '\0'), other += m + (other[m] != '\0')) {
    n = strcspn(line, "\n");
    m = strcspn(other, "\n");
    if (n == m && memcmp(line, other, n) == 0) continue;
    used += (size_t)snprintf(list + used, SHOWN - used, "%s%.*s", used ? ", " : "", (int)n, line);
    if (used >= SHOWN) return;
  }
  if (used == 0) memcpy(list, text, strlen(text) + 1);
}

/* The texts differ: all ranks return an error with the differences between the text of rank 0 and
 * that of the lowest rank with another text. */
static ovk_err agree_report_difference(ovk_ctx *ctx, ovk_err code, const char *what,
                                       const char *text, uint64_t hash)
{
  const char *intro = code == OVK_ERR_ARG ? "the ranks were given" : "ovkrylov decided on";
  char first[SHOWN], other[SHOWN], first_list[SHOWN], other_list[SHOWN];
  uint64_t of_first = hash, rank = 0;
  snprintf(first, SHOWN, "%s", text);
  snprintf(other, SHOWN, "%s", text);
  OVK_TRY_MPI(ctx, MPI_Bcast(&of_first, 1, MPI_UINT64_T, 0, ctx->comm));
  OVK_TRY_MPI(ctx, MPI_Bcast(first, SHOWN, MPI_CHAR, 0, ctx->comm));
  const uint64_t mine = (uint64_t)(hash == of_first ? ctx->size : ctx->rank);
  OVK_TRY(agree_minimum(ctx, &mine, &rank, 1));
  OVK_TRY_MPI(ctx, MPI_Bcast(other, SHOWN, MPI_CHAR, (int)rank, ctx->comm));
  list_differences(first, other, first_list);
  list_differences(other, first, other_list);
  return OVK_FAIL(ctx, code, "%s different %s: '%s' on rank 0, '%s' on rank %d", intro, what,
                  first_list, other_list, (int)rank);
}

ovk_err ovk__agree_hash_at(ovk_ctx *ctx, uint64_t hash, bool *same, ovk__place place)
{
  const uint64_t mine[2] = {hash, ~hash};
  uint64_t minima[2] = {0}; /* the minimum hash, and the complement of the maximum */
  if (ovk__checking(ctx)) OVK_TRY(ovk__check_place(ctx, place));
  OVK_TRY(agree_minimum(ctx, mine, minima, 2));
  *same = minima[0] == ~minima[1];
  return OVK_OK;
}

ovk_err ovk__agree_text_at(ovk_ctx *ctx, ovk_err code, const char *what, const char *text,
                           ovk__place place)
{
  const uint64_t hash = ovk__hash_text(text);
  bool same;
  OVK_TRY(ovk__agree_hash_at(ctx, hash, &same, place));
  return same ? OVK_OK : agree_report_difference(ctx, code, what, text, hash);
}

ovk_err ovk__agree_number_at(ovk_ctx *ctx, const char *what, int number, ovk__place place)
{
  char text[16];
  snprintf(text, sizeof text, "%d", number);
  return ovk__agree_text_at(ctx, OVK_ERR_ARG, what, text, place);
}
