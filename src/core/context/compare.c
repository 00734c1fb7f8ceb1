/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparisons over the ranks in check mode. */
#include "core/context/compare.h"
#include "core/base/hash64.h"
#include "core/context/locale.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ovk__compare {
  double timeout; /* seconds; 0: not a number, which the first comparison reports */
  bool lost;      /* a timeout has expired: no further comparison is possible */
  ovk__allgather gather;
  uint64_t minima[OVK__MAX_MINIMA]; /* of an agreement */
};

/* The contribution of a rank: the beginning of its text, and a hash of all of it. */
enum { SHOWN = 248 };
typedef struct answer {
  uint64_t hash;
  char text[SHOWN];
} answer;

/* A wrong number is reported by the first function that compares the ranks. */
static ovk_err read_timeout(ovk_ctx *ctx, double *seconds)
{
  const char *text = ctx->env.check_timeout;
  char *end = NULL;
  ovk__locale locale;
  *seconds = 60;
  if (!text) return OVK_OK;
  OVK_TRY(ovk__locale_begin(ctx, &locale));
  *seconds = strtod(text, &end);
  ovk__locale_end(&locale);
  if (*end || !(*seconds > 0)) *seconds = 0;
  return OVK_OK;
}

ovk_err ovk__compare_create(ovk_ctx *ctx, ovk__compare **out)
{
  *out = calloc(1, sizeof **out);
  OVK_CHECK(*out, ctx, OVK_ERR_MEMORY, "no memory for OVK_CHECK");
  OVK_TRY(ovk__allgather_allocate(ctx, sizeof(answer), &(*out)->gather));
  return read_timeout(ctx, &(*out)->timeout);
}

ovk_err ovk__compare_connect(ovk_ctx *ctx, ovk__compare *c)
{
  return ovk__allgather_connect(ctx, &c->gather);
}

/* After a timeout MPI may still access the minima, so they are not freed. */
void ovk__compare_destroy(ovk__compare *c)
{
  if (!c) return;
  ovk__allgather_close(&c->gather);
  if (!c->lost) free(c);
}

uint64_t *ovk__check_minima(ovk_ctx *ctx)
{
  return ctx->compare->minima;
}

double ovk__check_timeout(const ovk_ctx *ctx)
{
  return ctx->compare->timeout;
}

ovk_err ovk__check_clock(ovk_ctx *ctx, double *since)
{
  ovk__compare *c = ctx->compare;
  const double now = MPI_Wtime();
  if (*since == 0) *since = now;
  c->lost = now - *since > c->timeout;
  OVK_CHECK(!c->lost, ctx, OVK_ERR_DIFFER,
            "OVK_CHECK: rank %d waited %g s for the other ranks to agree on errors", ctx->rank,
            c->timeout);
  sched_yield();
  return OVK_OK;
}

/* Runs an all-gather. Progresses the jobs of this rank meanwhile, since other ranks may wait for
 * them before they answer. */
static ovk_err gather_records(ovk_ctx *ctx, const char *what, const char *text)
{
  ovk__compare *c = ctx->compare;
  double since = 0;
  OVK_CHECK(c->timeout > 0, ctx, OVK_ERR_ARG,
            "OVK_CHECK_TIMEOUT is '%s', but must be a number of seconds above 0",
            ctx->env.check_timeout);
  OVK_CHECK(!c->lost, ctx, OVK_ERR_DIFFER, "OVK_CHECK: an earlier comparison has timed out");
  OVK_CHECK_MPI(ctx, ovk__allgather_start(&c->gather), "MPI_Iallgather");
  for (;;) {
    bool complete;
    OVK_CHECK_MPI(ctx, ovk__allgather_test(&c->gather, &complete), "MPI_Test");
    if (complete) return OVK_OK;
    if (ovk__check_clock(ctx, &since)) {
      return OVK_FAIL(
          ctx, OVK_ERR_DIFFER,
          "OVK_CHECK: rank %d waited %g s for the other ranks to compare %s; it is at: %.500s",
          ctx->rank, c->timeout, what, text);
    }
    if (ctx->jobs) ctx->serve(ctx);
  }
}

ovk_err ovk__check_same(ovk_ctx *ctx, const char *what, const char *text)
{
  if (!ovk__checking(ctx)) return OVK_OK;
  ovk__allgather *gather = &ctx->compare->gather;
  answer *mine = (answer *)gather->mine;
  if (!ctx->compare->lost) {
    *mine = (answer){.hash = ovk__hash_text(text)};
    snprintf(mine->text, sizeof mine->text, "%s", text);
  }
  OVK_TRY(gather_records(ctx, what, text));
  const int odd = ovk__allgather_first_difference(gather);
  if (!odd) return OVK_OK;
  const answer *first = ovk__allgather_record(gather, 0),
               *other = ovk__allgather_record(gather, odd);
  return OVK_FAIL(ctx, OVK_ERR_DIFFER, "OVK_CHECK: the ranks differ in %s; rank 0: %s; rank %d: %s",
                  what, first->text, odd, other->text);
}

ovk_err ovk__check_place(ovk_ctx *ctx, ovk__place place)
{
  char text[SHOWN], message[OVK__MESSAGE_SIZE];
  const char *slash = strrchr(place.file, '/');
  snprintf(text, sizeof text, "%s() (%s:%d)", place.function, slash ? slash + 1 : place.file,
           place.line);
  memcpy(message, ctx->message, sizeof message); /* may be that of the error to agree on */
  const ovk_err err = ovk__check_same(ctx, "the functions they have called", text);
  if (!err) memcpy(ctx->message, message, sizeof message);
  return err;
}
