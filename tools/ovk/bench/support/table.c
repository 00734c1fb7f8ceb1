/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of figures, measured alternately in rounds and reported as medians. */
#include "bench/support/table.h"
#include "json.h"
#include "output.h"
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ovk_err table_create(ovk_ctx *ctx, int nrows, int nrounds, table *t)
{
  t->nrows = nrows;
  t->nrounds = nrounds;
  t->rows = calloc((size_t)nrows, sizeof *t->rows);
  t->samples = calloc((size_t)nrows * (size_t)t->ncolumns * (size_t)nrounds, sizeof *t->samples);
  return tool_got_memory(ctx, t->rows && t->samples);
}

ovk_err table_create_computed(ovk_ctx *ctx, const char *key, const column *columns, int ncolumns,
                              ovk_err (*show)(void *arg, int which, double *figures), void *arg,
                              int nrows, table *t)
{
  *t = (table){.key = key, .columns = columns, .ncolumns = ncolumns, .measure = show, .arg = arg};
  t->computed = true;
  return table_create(ctx, nrows, 1, t);
}

void table_destroy(table *t)
{
  free(t->rows);
  free(t->samples);
  t->rows = NULL;
  t->samples = NULL;
}

static void add_label(row *r, label l)
{
  int k = 0;
  while (k < ROW_LABELS && r->labels[k].key) k++;
  if (k < ROW_LABELS) r->labels[k] = l;
}

void row_add_text(row *r, const char *key, const char *text)
{
  add_label(r, (label){.key = key, .text = text});
}

void row_add_number(row *r, const char *key, int number)
{
  add_label(r, (label){.key = key, .number = number});
}

static double *samples_of(const table *t, int which, int c)
{
  return t->samples + ((size_t)which * (size_t)t->ncolumns + (size_t)c) * (size_t)t->nrounds;
}

double table_median(const table *t, int which, int c)
{
  return t->columns[c].scale * tool_median(samples_of(t, which, c), t->nrounds);
}

static bool has_quartiles(const table *t, int c)
{
  return t->with_quartiles && !strcmp(t->columns[c].head, t->with_quartiles);
}

/* *lower, *upper <- the quartiles of a figure, in the displayed unit. */
static void table_quartiles(const table *t, int which, int c, double *lower, double *upper)
{
  (void)table_median(t, which, c); /* sorts the samples */
  const double *samples = samples_of(t, which, c), scale = t->columns[c].scale;
  const int last = t->nrounds - 1;
  *lower = scale * samples[last / 4];
  *upper = scale * samples[last - last / 4];
}

static ovk_err measure_rows(table *t, int round)
{
  for (int which = 0; which < t->nrows; which++) {
    double figures[MAX_COLUMNS];
    TRY(t->measure(t->arg, which, figures));
    for (int c = 0; c < t->ncolumns && round >= 0; c++) samples_of(t, which, c)[round] = figures[c];
  }
  return OVK_OK;
}

static ovk_err measure(table *const *tables, int n)
{
  const int first = tables[0]->computed ? 0 : -1; /* the warm-up */
  for (int round = first; round < tables[0]->nrounds; round++)
    for (int k = 0; k < n; k++) TRY(measure_rows(tables[k], round));
  return OVK_OK;
}

static void write_quartiles(json *out, const table *t, int which, int c)
{
  char key[64];
  double lower, upper;
  table_quartiles(t, which, c, &lower, &upper);
  snprintf(key, sizeof key, "%s_lower", t->columns[c].key);
  json_real(out, key, lower);
  snprintf(key, sizeof key, "%s_upper", t->columns[c].key);
  json_real(out, key, upper);
}

static void write_row(json *out, const ovk_ctx *ctx, const table *t, int which)
{
  const row *r = &t->rows[which];
  json_open(out, NULL, '{');
  for (const label *l = r->labels; l < r->labels + ROW_LABELS && l->key; l++) {
    if (l->text)
      json_text(out, l->key, l->text);
    else
      json_int(out, l->key, l->number);
  }
  if (!t->computed) json_int(out, "ranks", ovk_ctx_size(ctx));
  for (int c = 0; c < t->ncolumns; c++) {
    const column *head = &t->columns[c];
    json_real(out, head->key, table_median(t, which, c)); /* sorts the samples */
    if (head->least_key) json_real(out, head->least_key, head->scale * *samples_of(t, which, c));
    if (has_quartiles(t, c)) write_quartiles(out, t, which, c);
  }
  json_close(out, '}');
}

static void write_table(json *out, const ovk_ctx *ctx, const char *key, const table *t)
{
  json_open(out, key, '[');
  for (int which = 0; which < t->nrows; which++) write_row(out, ctx, t, which);
  json_close(out, ']');
}

static void write_tables(FILE *file, const ovk_ctx *ctx, table *const *tables, int n)
{
  json out = {file, 0, false};
  if (n == 1) {
    write_table(&out, ctx, NULL, tables[0]);
    return;
  }
  json_open(&out, NULL, '{');
  for (int k = 0; k < n; k++) write_table(&out, ctx, tables[k]->key, tables[k]);
  json_close(&out, '}');
}

static int width_of(const column *c)
{
  enum { LEAST = 9 };
  const int length = (int)strlen(c->head);
  return length > LEAST ? length : LEAST;
}

static void print_quartiles(const table *t, int which, int c)
{
  char text[64];
  double lower, upper;
  table_quartiles(t, which, c, &lower, &upper);
  snprintf(text, sizeof text, "%.*f-%.*f", t->columns[c].digits, lower, t->columns[c].digits,
           upper);
  printf(" %11s", text);
}

static void print_row(const table *t, int which, int name_width)
{
  printf("%-*s", name_width, t->rows[which].name);
  for (int c = 0; c < t->ncolumns; c++) {
    const column *head = &t->columns[c];
    const double median = table_median(t, which, c);
    if (isnan(median))
      printf(" %*s", width_of(head), "-");
    else
      printf(" %*.*f", width_of(head), head->digits, median);
    if (has_quartiles(t, c)) print_quartiles(t, which, c);
  }
  puts("");
}

static void print_table(const ovk_ctx *ctx, const table *t)
{
  int name_width = 0;
  for (int which = 0; which < t->nrows; which++) {
    const int length = (int)strlen(t->rows[which].name);
    if (length > name_width) name_width = length;
  }
  fputs(t->title, stdout);
  if (!t->computed) printf("; ranks: %d; medians of rounds: %d", ovk_ctx_size(ctx), t->nrounds);
  printf("\n\n%-*s", name_width, "");
  for (int c = 0; c < t->ncolumns; c++) {
    printf(" %*s", width_of(&t->columns[c]), t->columns[c].head);
    if (has_quartiles(t, c)) printf(" %11s", "quartiles");
  }
  puts("");
  for (int which = 0; which < t->nrows; which++) print_row(t, which, name_width);
}

ovk_err tables_run(ovk_ctx *ctx, const char *path, table *const *tables, int n)
{
  output file;
  TRY(output_open(ctx, path, &file));
  const ovk_err err = measure(tables, n);
  if (err) {
    output_discard(&file);
    return err;
  }
  if (file.file) write_tables(file.file, ctx, tables, n);
  if (ovk_ctx_rank(ctx) == 0 && !output_is_stdout(&file)) {
    for (int k = 0; k < n; k++) {
      if (k) puts("");
      print_table(ctx, tables[k]);
    }
  }
  return output_close(ctx, &file);
}
