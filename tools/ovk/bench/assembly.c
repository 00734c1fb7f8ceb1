/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench assembly`: first assemblies and those with new values, in every storage format. */
#include "bench/bench.h"
#include "bench/support/lists.h"
#include "bench/support/table.h"
#include "bench/support/timing.h"
#include "problem/model/box.h"

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

typedef struct bench {
  ovk_ctx *ctx;
  block rows;
  words formats;
  bool entries;
} bench;

static ovk_err add(const bench *b, ovk_mat *A)
{
  const block *r = &b->rows;
  if (!b->entries) return ovk_mat_add_csr(A, r->ptr, r->col, r->val);
  for (ovk_lidx i = 0; i < r->rows; i++) {
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
  TRY(ovk_mat_create(b->ctx, b->rows.rows, &A));
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
  TRY(tool_agree(ctx, box_rows(ctx, box_find("varsym27"), n, &b->rows)));
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
  block_free(&b.rows);
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
