/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of figures, measured alternately in rounds and reported as medians, in a text table and as
 * JSON. */
#ifndef OVK_TOOL_TABLE_H
#define OVK_TOOL_TABLE_H

#include <ovkrylov/ovkrylov.h>
#include <stdbool.h>

enum { MAX_ROUNDS = 99, MAX_COLUMNS = 24, ROW_NAME = 256, ROW_LABELS = 8 };

/* Options of all benchmarks. */
#define TABLE_ROUNDS_OPTION(preset)                                                                \
  OPTION_INTEGER("--rounds", "N", 1, MAX_ROUNDS, preset, "rounds; figures are their medians")
#define TABLE_JSON_OPTION                                                                          \
  OPTION_TEXT("--json", "FILE|-", NULL, "write the rows as JSON; -: on standard output")

/* A figure that is measured for each row. */
typedef struct column {
  const char *head;            /* in the table */
  const char *key, *least_key; /* in JSON: key of the median; key of the minimum, or NULL */
  double scale;                /* factor from the measured to the displayed unit */
  int digits;
} column;

/* Describes a row in JSON: a text, or if that is NULL a number. */
typedef struct label {
  const char *key, *text;
  int number;
} label;

typedef struct row {
  char name[ROW_NAME];      /* the same in the text table */
  label labels[ROW_LABELS]; /* up to the first one without a key */
} row;

typedef struct table {
  const char *key; /* its name in JSON, if there is more than one table */
  char title[256];
  const column *columns;
  int ncolumns; /* up to MAX_COLUMNS */

  /* Columns with this head also show the quartiles over the rounds, in JSON under their keys with
   * _lower and _upper; or NULL. */
  const char *with_quartiles;

  /* Measures row `which` once. Collective; the figures must be the same on all ranks, such as the
   * maximum over the ranks. */
  ovk_err (*measure)(void *arg, int which, double *figures);
  void *arg;

  bool computed; /* figures are computed once, not measured, and "ranks" are labels of the rows */

  int nrows, nrounds; /* from here on set by table_create() */
  row *rows;
  double *samples; /* by row, column and round */
} table;

/* Allocates `nrows` rows, which the caller names. Collective. Free it with table_destroy(), also
 * after a failure. */
ovk_err table_create(ovk_ctx *ctx, int nrows, int nrounds, table *t);

/* The same for figures that `show` computes, as table.measure. */
ovk_err table_create_computed(ovk_ctx *ctx, const char *key, const column *columns, int ncolumns,
                              ovk_err (*show)(void *arg, int which, double *figures), void *arg,
                              int nrows, table *t);
void table_destroy(table *t);

/* Adds a label to a row. The text is not copied. */
void row_add_text(row *r, const char *key, const char *text);
void row_add_number(row *r, const char *key, int number);

/* The median of a figure over the rounds, in the displayed unit. */
double table_median(const table *t, int which, int c);

/* Measures the rows of n tables with the same number of rounds: a warm-up, then in each round all
 * rows once; if the first table is computed, all are, in one round. Then prints them and, if `path`
 * is a file or "-", writes them as JSON: as an array of rows, or an object of several arrays.
 * Collective. */
ovk_err tables_run(ovk_ctx *ctx, const char *path, table *const *tables, int n);

#endif
