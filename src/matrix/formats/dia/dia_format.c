/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "dia": diagonals in chunks of rows. All rows of a chunk are processed offset by
 * offset, so that values, x and y are accessed contiguously instead of gathered, and no column
 * indices are read. It derives from the diagonal format of Saad, Iterative Methods for Sparse
 * Linear Systems (2003), section 3.4, which has diagonals over all rows. With "few", slices of a
 * chunk that are the same are stored once, and read out of a dictionary. */
#include "matrix/formats/cost.h"
#include "matrix/formats/dia/dia_mult.h"
#include "matrix/formats/dia/dia_rows.h"
#include "matrix/formats/format.h"

#include <stdlib.h>
#include <string.h>

static void dia_destroy(void *block)
{
  if (block) ovk__diagonals_free(block);
  free(block);
}

static ovk_err dia_plan(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, void **block,
                        int64_t *bytes)
{
  ovk__diagonals *d = malloc(sizeof *d);
  OVK_CHECK(d, ctx, OVK_ERR_MEMORY, "no memory for a matrix block");
  *block = d;
  return ovk__diagonals_plan(ctx, A, false, OVK__DIA_CHUNK_HEIGHT, limit, d, bytes);
}

static bool dia_is_hopeless(const ovk__csr *A, int64_t limit)
{
  return ovk__diagonals_are_hopeless(A, false, OVK__DIA_CHUNK_HEIGHT, limit);
}

/* The costs of slices with their own values or from the dictionary. A chunk begins a loop, whose
 * end is mispredicted if the next one has another length. At both ends of the matrix padding is
 * skipped row by row. */
enum { SLICE = 64, SLICE_OF_FEW = 53, SLICE_AT_END = 192, CHUNK = 160 };

static int64_t dia_work_of(const ovk__diagonals *d, bool few)
{
  int64_t work = 0;
  for (ovk_lidx c = 0, n; c < d->nchunks; c++) {
    const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n);
    const int64_t slice = !ovk__dia_is_inside(d, c, n, offset) ? SLICE_AT_END
                          : few                                ? SLICE_OF_FEW
                                                               : SLICE;
    work += CHUNK + n * slice;
  }
  return work;
}

/* The least cost of a block of A: without padding. */
static int64_t dia_least_cost(const ovk__csr *A, bool few)
{
  const int64_t nnz = ovk__csr_nnz(A), slice = few ? SLICE_OF_FEW : SLICE;
  return ovk__cost(A, few ? 0 : nnz * (int64_t)sizeof *A->val, nnz / OVK__DIA_CHUNK_HEIGHT * slice);
}

static ovk_err dia_estimate(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost,
                            void **block)
{
  int64_t bytes = -1;
  *cost = -1;
  const int64_t most = ovk__most_bytes(A, limit);
  if (dia_least_cost(A, false) >= limit || dia_is_hopeless(A, most)) return OVK_OK;
  OVK_TRY(dia_plan(ctx, A, most, block, &bytes));
  if (bytes >= 0) *cost = ovk__cost(A, bytes, dia_work_of(*block, false));
  return OVK_OK;
}

static ovk_err dia_build(ovk_ctx *ctx, ovk__csr *A, bool exact, void **block)
{
  (void)exact;
  int64_t bytes = 0;
  ovk_err err = *block ? OVK_OK : dia_plan(ctx, A, INT64_MAX, block, &bytes);
  if (!err) err = ovk__diagonals_check(ctx, A, bytes);
  if (!err) err = ovk__diagonals_fill(ctx, A, *block);
  return ovk__format_finish(err, A, dia_destroy, block);
}

/* Whether at most half of up to SAMPLE entries all over A differ in their values. */
static bool dia_seems_few(const ovk__csr *A)
{
  enum { SAMPLE = 1024, TABLE = 4 * SAMPLE };
  uint64_t table[TABLE]; /* hash table with open addressing */
  bool used[TABLE] = {false};
  const int64_t nnz = ovk__csr_nnz(A), n = nnz < SAMPLE ? nnz : SAMPLE;
  int64_t distinct = 0;
  for (int64_t k = 0; k < n; k++) {
    uint64_t bits;
    memcpy(&bits, A->val + nnz / n * k, sizeof bits);
    size_t at = (size_t)((bits ^ bits >> 32) * UINT64_C(0x9E3779B97F4A7C15) >> 40) % TABLE;
    while (used[at] && table[at] != bits) at = (at + 1) % TABLE;
    distinct += !used[at];
    used[at] = true;
    table[at] = bits;
  }
  return 2 * distinct <= n;
}

static ovk_err dia_estimate_few(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost,
                                void **block)
{
  int64_t bytes = -1;
  bool few = false;
  *cost = -1;
  if (dia_least_cost(A, true) >= limit || !dia_seems_few(A) || dia_is_hopeless(A, INT64_MAX)) {
    return OVK_OK;
  }
  OVK_TRY(dia_plan(ctx, A, INT64_MAX, block, &bytes));
  ovk__diagonals *d = *block;
  if (bytes < 0) return OVK_OK;
  const int64_t work = dia_work_of(d, true);
  if (work >= limit) return OVK_OK;
  OVK_TRY(ovk__diagonals_fill_few(ctx, A, d, &few));
  if (few) *cost = ovk__cost(A, ovk__diagonals_bytes(d), work);
  return OVK_OK;
}

static ovk_err dia_build_slices(ovk_ctx *ctx, const ovk__csr *A, void **block)
{
  int64_t bytes = -1;
  bool few = false;
  OVK_TRY(dia_plan(ctx, A, INT64_MAX, block, &bytes));
  OVK_TRY(ovk__diagonals_check(ctx, A, bytes));
  OVK_TRY(ovk__diagonals_fill_few(ctx, A, *block, &few));
  return few ? OVK_OK : ovk__diagonals_fill(ctx, A, *block);
}

static ovk_err dia_build_few(ovk_ctx *ctx, ovk__csr *A, bool exact, void **block)
{
  (void)exact;
  const ovk_err err = *block ? OVK_OK : dia_build_slices(ctx, A, block);
  return ovk__format_finish(err, A, dia_destroy, block);
}

static ovk_lidx dia_row(const void *block, ovk_lidx i, ovk_lidx *col, double *val)
{
  const ovk__diagonals *d = block;
  const ovk_lidx c = i / OVK__DIA_CHUNK_HEIGHT, stride = ovk__diagonals_stride(d, c);
  ovk_lidx n, count = 0;
  const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n);
  int64_t slot = d->first[c] + i % OVK__DIA_CHUNK_HEIGHT;
  for (ovk_lidx k = 0; k < n; k++, slot += stride) {
    if (!ovk__diagonals_holds(d, slot)) continue;
    if (col) col[count] = i + offset[k];
    if (val) val[count] = ovk__diagonals_at(d, d->slice, c, k)[i % OVK__DIA_CHUNK_HEIGHT];
    count++;
  }
  return count;
}

#define DIA_FLOAT(of)                                                                              \
  OVK__FLOAT_FORMAT(of, ovk__diagonals, &ovk__dia_products_float, dia_destroy,                     \
                    ovk__diagonals_diagonal, ovk__diagonals_bytes)
static const ovk__format dia_few_float = {DIA_FLOAT("dia:few")};
static const ovk__format dia_float = {DIA_FLOAT("dia")};

/* The functions that both variants share, as they build blocks of one type. */
#define DIA_OPERATIONS                                                                             \
  .lengths = ovk__diagonals_lengths, .unfold = ovk__diagonals_unfold,                              \
  .refill = ovk__diagonals_refill, .copy_narrow = ovk__diagonals_copy_narrow,                      \
  .destroy = dia_destroy, .products = &ovk__dia_products, .diagonal = ovk__diagonals_diagonal,     \
  .row = dia_row, .bytes = ovk__diagonals_bytes

const ovk__format ovk__format_dia_few = {
    .name = "dia:few",
    .estimate = dia_estimate_few,
    .build = dia_build_few,
    .narrow = &dia_few_float,
    DIA_OPERATIONS,
};

static const ovk_option options[] = {
    OVK_FLAG("few", "store equal values of eight adjacent rows once"), OVK_OPTIONS_END};
const ovk__format ovk__format_dia = {
    .name = "dia",
    .summary = "diagonals, by blocks of rows",
    .keys = options,
    .variant = &ovk__format_dia_few,
    .estimate = dia_estimate,
    .build = dia_build,
    .narrow = &dia_float,
    DIA_OPERATIONS,
};
