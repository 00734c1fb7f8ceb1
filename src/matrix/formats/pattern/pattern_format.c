/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "pattern": a dictionary of rows. Rows with the same values, bit for bit, at the same
 * distances from the diagonal are one pattern, and consecutive rows of one pattern are a run: a
 * constant stencil gives a few patterns, and a few runs for each line of the grid. */
#include "core/context/mem.h"
#include "matrix/formats/cost.h"
#include "matrix/formats/format.h"
#include "matrix/formats/pattern/pattern_groups.h"
#include "matrix/formats/pattern/pattern_rows.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef ovk__pattern_block block;
typedef ovk__pattern_run run;

/* The size of a block without the entries that groups share. */
static int64_t bytes_of(int64_t nruns, int64_t npatterns, int64_t nentries)
{
  const block *b = NULL;
  return nruns * (int64_t)sizeof *b->runs + (npatterns + 1) * (int64_t)sizeof *b->begin +
         nentries * (int64_t)(sizeof *b->offset + sizeof *b->value);
}

static int64_t pattern_bytes(const void *self)
{
  const block *b = self;
  return bytes_of(b->nruns, b->npatterns, b->begin[b->npatterns]) +
         ovk__pattern_groups_bytes(&b->groups);
}

/* The work on a run of `length` rows with n entries each by itself: a misprediction, then entry by
 * entry for each group of rows that fit a vector; and if the dictionary is too large for the second
 * cache, reading the pattern again. */
static int64_t pattern_run_work(int64_t length, int64_t n, bool cached)
{
  enum { START = 250, ONE_ROW = 13, VECTOR = 18, READ = 30 };
  const int64_t rows = length >= 8 ? 8 : length >= 4 ? 4 : 2;
  const int64_t work = length > 1 ? (length + rows - 1) / rows * VECTOR : ONE_ROW;
  return START + n * (work + (cached ? 0 : READ));
}

/* The same in groups that share entries: for each row a part of its group's, and for each run some
 * rows more. */
static int64_t shared_work(int64_t length, int64_t n)
{
  enum { RUN = 60, ROW = 24, ENTRY = 2 };
  return RUN + length * (ROW + n * ENTRY);
}

/* Whether the dictionary grows too fast for the rest of A to be worth reading. */
static bool pattern_is_hopeless(const ovk__patterns *found, int64_t entries_seen)
{
  enum { SAMPLE = 1 << 13, LEAST_REPEATS = 8 };
  return found->entries > SAMPLE + entries_seen / LEAST_REPEATS;
}

/* Groups repeat where there are few patterns, as at the faces, edges and corners of a box. */
static ovk_err pattern_add_up(ovk_ctx *ctx, ovk__patterns *found, int64_t limit, int64_t *cost)
{
  enum { CACHE = 1 << 19, MAX_SHARED = 64 };
  const ovk__csr *A = found->A;
  int64_t by_runs = 0, shared = 0, nruns = 0;
  *cost = 0;
  for (ovk_lidx first = 0, end; first < A->rows; first = end) {
    OVK_TRY(ovk__patterns_next_run(ctx, found, first, &end));
    const int64_t n = A->ptr[first + 1] - A->ptr[first];
    by_runs += pattern_run_work(end - first, n, bytes_of(0, 0, found->entries) < CACHE);
    shared += shared_work(end - first, n);
    const int64_t work = found->count <= MAX_SHARED && shared < by_runs ? shared : by_runs;
    *cost = ovk__cost(A, bytes_of(++nruns, found->count, found->entries), work);
    if (*cost >= limit || pattern_is_hopeless(found, A->ptr[end])) {
      *cost = -1;
      break;
    }
  }
  return OVK_OK;
}

static ovk_err pattern_estimate(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost,
                                void **out)
{
  (void)out;
  ovk__patterns found = {.A = A};
  const ovk_err err = pattern_add_up(ctx, &found, limit, cost);
  ovk__patterns_free(&found);
  return err;
}

static void pattern_destroy(void *self)
{
  block *b = self;
  if (!b) return;
  free(b->begin);
  free(b->offset);
  free(b->value);
  free(b->runs);
  ovk__pattern_groups_free(&b->groups);
  free(b);
}

/* The maximum size of a block: little more than compressed rows. */
static int64_t pattern_most_bytes(const ovk__csr *A)
{
  enum { CACHE_LINE = 64 };
  const int64_t csr = ovk__csr_bytes(A);
  return csr + csr / 20 + CACHE_LINE;
}

/* Splits A into runs; `runs` has room for one per row. */
static ovk_err pattern_find_runs(ovk_ctx *ctx, ovk__patterns *found, run *runs, ovk_lidx *nruns)
{
  const ovk__csr *A = found->A;
  const int64_t most = pattern_most_bytes(A);
  *nruns = 0;
  for (ovk_lidx first = 0, end; first < A->rows; first = end) {
    OVK_TRY(ovk__patterns_next_run(ctx, found, first, &end));
    runs[(*nruns)++] = (run){end, found->last};
    OVK_CHECK(bytes_of(*nruns, found->count, found->entries) <= most && found->entries <= INT32_MAX,
              ctx, OVK_ERR_UNSUPPORTED,
              "the rows of the local block are too rarely the same: the first %d rows have %d "
              "patterns with %lld entries",
              end, found->count, (long long)found->entries);
  }
  return OVK_OK;
}

static ovk_err pattern_copy_runs(ovk_ctx *ctx, ovk__patterns *found, block *b)
{
  run *runs;
  OVK_NEW_ARRAY(ctx, runs, found->A->rows);
  ovk_err err = pattern_find_runs(ctx, found, runs, &b->nruns);
  if (!err) {
    b->runs = ovk__array((size_t)b->nruns, sizeof *runs);
    if (!b->runs) err = OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for %d runs of rows", b->nruns);
  }
  if (!err && b->nruns) memcpy(b->runs, runs, (size_t)b->nruns * sizeof *runs);
  free(runs);
  return err;
}

static ovk_err pattern_copy_patterns(ovk_ctx *ctx, const ovk__patterns *found, block *b)
{
  const ovk__csr *A = found->A;
  OVK_NEW_ARRAY(ctx, b->begin, (size_t)found->count + 1);
  OVK_NEW_ARRAY(ctx, b->offset, found->entries);
  OVK_NEW_ARRAY(ctx, b->value, found->entries);
  b->npatterns = found->count;
  b->begin[0] = 0;
  for (int32_t p = 0, at = 0; p < found->count; p++) {
    const ovk_lidx i = found->list[p].row;
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++, at++) {
      b->offset[at] = A->col[k] - i;
      b->value[at] = A->val[k];
    }
    b->begin[p + 1] = at;
  }
  return OVK_OK;
}

static ovk_err pattern_build_with(ovk_ctx *ctx, bool shared, ovk__csr *A, void **out)
{
  block *b = calloc(1, sizeof *b);
  OVK_CHECK(b, ctx, OVK_ERR_MEMORY, "no memory for a matrix block");
  *out = b;
  b->rows = A->rows;
  ovk__patterns found = {.A = A};
  ovk_err err = pattern_copy_runs(ctx, &found, b);
  if (!err) err = pattern_copy_patterns(ctx, &found, b);
  ovk__patterns_free(&found);
  if (!err) {
    const int64_t left =
        pattern_most_bytes(A) - bytes_of(b->nruns, b->npatterns, b->begin[b->npatterns]);
    err = ovk__pattern_groups_find(ctx, shared ? left : 0, b);
  }
  return ovk__format_finish(err, A, pattern_destroy, out);
}

static ovk_err pattern_build(ovk_ctx *ctx, ovk__csr *A, bool exact, void **out)
{
  (void)exact;
  return pattern_build_with(ctx, true, A, out);
}

static ovk_err pattern_build_by_runs(ovk_ctx *ctx, ovk__csr *A, bool exact, void **out)
{
  (void)exact;
  return pattern_build_with(ctx, false, A, out);
}

static const ovk__products pattern_products = {
    .dot = ovk__pattern_mult_dot,
    .ordered = ovk__pattern_mult_ordered,
    .many = ovk__pattern_mult_many,
};

/* The functions that both variants share, as they build blocks of one type. */
#define PATTERN_OPERATIONS                                                                         \
  .lengths = ovk__pattern_lengths, .unfold = ovk__pattern_unfold,                                  \
  .copy_narrow = ovk__pattern_copy_rounded, .size = sizeof(block), .destroy = pattern_destroy,     \
  .products = &pattern_products, .diagonal = ovk__pattern_diagonal, .row = ovk__pattern_row,       \
  .bytes = pattern_bytes

static const ovk__format by_runs = {
    .name = "pattern",
    .build = pattern_build_by_runs,
    .narrow = &by_runs,
    PATTERN_OPERATIONS,
};

static const ovk_option options[] = {
    OVK_FLAG("runs", "store runs of equal rows only, with no entries in common"), OVK_OPTIONS_END};
const ovk__format ovk__format_pattern = {
    .name = "pattern",
    .summary = "rows with equal offsets and values, stored once",
    .keys = options,
    .variant = &by_runs,
    .slow_in_order = true, /* if the rows of a pattern are few at a time */
    .estimate = pattern_estimate,
    .build = pattern_build,
    .narrow = &ovk__format_pattern,
    PATTERN_OPERATIONS,
};
