/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of figures: measured in turn, round after round, and reported as medians, in a table for
 * people and as JSON. */
#ifndef OVK_TOOL_TABLE_H
#define OVK_TOOL_TABLE_H

#include <ovkrylov/ovkrylov.h>
#include <stdbool.h>

enum { MAX_ROUNDS = 99, MAX_COLUMNS = 16, ROW_NAME = 256, ROW_LABELS = 8 };

/* A figure that each row has. */
typedef struct column {
  const char *head;            /* in the table */
  const char *key, *least_key; /* in JSON: of the median; of the minimum, or NULL */
  double scale;                /* from what is measured to what is shown */
  int digits;
} column;

/* What a row is about, for JSON: a text, or where that is NULL a number. */
typedef struct label {
  const char *key, *text;
  int number;
} label;

typedef struct row {
  char name[ROW_NAME];      /* the same in the table */
  label labels[ROW_LABELS]; /* up to the first without a key */
} row;

typedef struct table {
  const char *key; /* its name in JSON, if it is not alone */
  char title[256];
  const column *columns;
  int ncolumns; /* up to MAX_COLUMNS */

  /* Measures row `which` once. Collective, with the same figures on all ranks, such as the greatest
   * of all ranks. */
  ovk_err (*measure)(void *arg, int which, double *figures);
  void *arg;

  bool computed; /* nothing is measured: figures come once, and "ranks" are labels of the rows */

  int nrows, nrounds; /* from here on: see table_create() */
  row *rows;
  double *samples; /* by row, column and round */
} table;

/* Makes room for so many rows, for the caller to name. Collective. Free it with table_destroy(),
 * also after a failure. */
ovk_err table_create(ovk_ctx *ctx, int nrows, int nrounds, table *t);
void table_destroy(table *t);

/* Adds a label to a row. The text is not copied. */
void row_add_text(row *r, const char *key, const char *text);
void row_add_number(row *r, const char *key, int number);

/* The median of a figure over the rounds, as it is shown. */
double table_median(const table *t, int which, int c);

/* Measures the rows of n tables, whose rounds are as many: a warm-up, then each round all rows in
 * turn; where the first one is computed, all are, in one round. Then prints and, where `path` is
 * one or "-", writes them as JSON: as an array of rows, or an object of several such. Collective.
 */
ovk_err tables_run(ovk_ctx *ctx, const char *path, table *const *tables, int n);

#endif
