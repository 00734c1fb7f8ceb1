/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench assembly`: first assemblies and those with new values, in every storage format. */
#include "bench/bench.h"
#include "bench/support/lists.h"
#include "bench/support/table.h"
#include "bench/support/timing.h"
#include "splitmix64.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

enum { BOX, FORMATS, ENTRIES, ROUNDS, JSON };

static const option options[] = {
    [BOX] = OPTION_INTEGERS("--box", 3, "NX NY NZ", 1, 10000, "40 40 40", "points of a rank"),
    [FORMATS] =
        OPTION_TEXT("--formats", "A,B,C", "csr,sell,sym,dia,symdia,auto", "storage formats"),
    [ENTRIES] = OPTION_FLAG("--entries", "add entries one by one, not as arrays"),
    [ROUNDS] = TABLE_ROUNDS_OPTION("5"),
    [JSON] = TABLE_JSON_OPTION,
    {0},
};

static const char definitions[] =
    "Assembles the 27-point matrix with variable symmetric coefficients, from arrays in memory.\n"
    "The formats take turns in each round. Times are those of the slowest rank:\n"
    "  first     ovk_mat_add_csr (--entries: ovk_mat_add) and ovk_mat_assemble of a new matrix\n"
    "  second    ovk_mat_reset_values, the same entries again, and ovk_mat_assemble\n"
    "  third     the same once more\n"
    "  ratio     second / first\n"
    "bench/compare measures first assemblies with other libraries.\n";

typedef enum figure { FIRST, SECOND, THIRD, RATIO, FIGURES } figure;

static const column columns[FIGURES] = {
    [FIRST] = {"first ms", "first_ms", "first_min_ms", 1e3, 3},
    [SECOND] = {"second ms", "second_ms", "second_min_ms", 1e3, 3},
    [THIRD] = {"third ms", "third_ms", "third_min_ms", 1e3, 3},
    [RATIO] = {"ratio", "ratio", NULL, 1, 3},
};

/* The rows of a rank of a 27-point matrix with variable, symmetric coefficients, in CSR with global
 * columns, increasing in each row. */
typedef struct rows {
  ovk_lidx n;
  ovk_gidx first;
  int64_t *ptr;
  ovk_gidx *col;
  double *val;
} rows;

enum { POINTS = 27 };

/* The coefficient of an edge: -1.5 to -0.5, the same from both ends. */
static double weight(ovk_gidx i, ovk_gidx j)
{
  const uint64_t low = (uint64_t)(i < j ? i : j), high = (uint64_t)(i < j ? j : i);
  return -0.5 - hash_unit(hash_pair(low, high));
}

/* Adds the row of the point `at`, of the box with n points of all ranks. */
static void add_row(rows *r, const int n[3], const ovk_gidx at[3], ovk_lidx i)
{
  const ovk_gidx number = r->first + i;
  int64_t end = r->ptr[i];
  for (int k = 0; k < POINTS; k++) {
    const ovk_gidx to[3] = {at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1};
    if (to[0] < 0 || to[0] >= n[0] || to[1] < 0 || to[1] >= n[1] || to[2] < 0 || to[2] >= n[2]) {
      continue;
    }
    const ovk_gidx col = to[0] + n[0] * (to[1] + n[1] * to[2]);
    r->col[end] = col;
    r->val[end++] = col == number ? POINTS : weight(number, col);
  }
  r->ptr[i + 1] = end;
}

/* Boxes of n[0] x n[1] x n[2] points, one for each rank, on top of each other. Collective. Free it
 * with rows_destroy(), also after a failure. */
static ovk_err rows_create(ovk_ctx *ctx, const int n[3], rows *out)
{
  const double all = (double)n[0] * n[1] * n[2] * ovk_ctx_size(ctx);
  *out = (rows){0};
  if (all > INT32_MAX) {
    return ovk_ctx_fail(ctx, OVK_ERR_RANGE, "--box: %g points are too many", all);
  }
  const size_t points = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
  out->n = (ovk_lidx)points;
  out->first = (ovk_gidx)out->n * ovk_ctx_rank(ctx);
  out->ptr = malloc((points + 1) * sizeof *out->ptr);
  out->col = malloc(points * POINTS * sizeof *out->col);
  out->val = malloc(points * POINTS * sizeof *out->val);
  TRY(tool_got_memory(ctx, out->ptr && out->col && out->val));
  const int whole[3] = {n[0], n[1], n[2] * ovk_ctx_size(ctx)};
  out->ptr[0] = 0;
  for (ovk_lidx i = 0; i < out->n; i++) {
    const ovk_gidx number = out->first + i;
    add_row(out, whole, (ovk_gidx[]){number % n[0], number / n[0] % n[1], number / n[0] / n[1]}, i);
  }
  return OVK_OK;
}

static void rows_destroy(rows *r)
{
  free(r->ptr);
  free(r->col);
  free(r->val);
}

typedef struct bench {
  ovk_ctx *ctx;
  rows rows;
  words formats;
  bool entries;
} bench;

static ovk_err add(const bench *b, ovk_mat *A)
{
  const rows *r = &b->rows;
  if (!b->entries) return ovk_mat_add_csr(A, r->ptr, r->col, r->val);
  for (ovk_lidx i = 0; i < r->n; i++) {
    for (int64_t k = r->ptr[i]; k < r->ptr[i + 1]; k++) {
      TRY(ovk_mat_add(A, r->first + i, r->col[k], r->val[k]));
    }
  }
  return OVK_OK;
}

/* Failures to add are kept for ovk_mat_assemble(), which all ranks reach. */
static ovk_err assemble_thrice(const bench *b, ovk_mat *A, const char *format, double *figures)
{
  double start;
  malloc_trim(0); /* memory that other matrices have freed returns to the system */
  TRY(timing_start(b->ctx, &start));
  TRY(ovk_mat_set_format(A, format));
  (void)add(b, A);
  TRY(ovk_mat_assemble(A));
  figures[FIRST] = MPI_Wtime() - start;
  for (figure f = SECOND; f <= THIRD; f++) {
    TRY(timing_start(b->ctx, &start));
    TRY(ovk_mat_reset_values(A));
    (void)add(b, A);
    TRY(ovk_mat_assemble(A));
    figures[f] = MPI_Wtime() - start;
  }
  return OVK_OK;
}

static ovk_err measure(void *arg, int which, double *figures)
{
  const bench *b = arg;
  ovk_mat *A = NULL;
  TRY(ovk_mat_create(b->ctx, b->rows.n, &A));
  const ovk_err err = assemble_thrice(b, A, b->formats.at[which], figures);
  ovk_mat_destroy(&A);
  TRY(err);
  TRY(tool_greatest(b->ctx, figures, RATIO));
  figures[RATIO] = figures[SECOND] / figures[FIRST];
  return OVK_OK;
}

static ovk_err measure_and_report(ovk_ctx *ctx, const args *given, bench *b, table *t)
{
  int n[3];
  args_int(given, BOX, n);
  TRY(list_words(ctx, given, FORMATS, NULL, &b->formats));
  b->entries = args_has(given, ENTRIES);
  TRY(rows_create(ctx, n, &b->rows));
  TRY(table_create(ctx, b->formats.n, args_integer(given, ROUNDS), t));
  for (int which = 0; which < t->nrows; which++) {
    row *r = &t->rows[which];
    snprintf(r->name, sizeof r->name, "%s", b->formats.at[which]);
    row_add_text(r, "format", b->formats.at[which]);
    row_add_text(r, "added_as", b->entries ? "entries" : "arrays");
  }
  snprintf(t->title, sizeof t->title, "assembly, 27 points, %dx%dx%d per process, added as %s",
           n[0], n[1], n[2], b->entries ? "entries" : "arrays");
  return tables_run(ctx, args_text(given, JSON), &t, 1);
}

static ovk_err assembly_run(ovk_ctx *ctx, const args *given)
{
  bench b = {.ctx = ctx};
  table t = {.columns = columns, .ncolumns = FIGURES, .measure = measure, .arg = &b};
  const ovk_err err = measure_and_report(ctx, given, &b, &t);
  rows_destroy(&b.rows);
  table_destroy(&t);
  return err;
}

const command bench_assembly = {
    .name = "assembly",
    .usage = "[OPTIONS]",
    .summary = "assembly of a matrix, and again with new values, by storage format",
    .notes = definitions,
    .options = options,
    .run = assembly_run,
};
