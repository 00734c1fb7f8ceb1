/* SPDX-License-Identifier: BSD-2-Clause */
/* The table that OVK_TUNING names. Its first line is "ovkrylov tuning 1". Each further line is
 * "LEVELS RANKS BYTES SPEC": reductions of up to BYTES bytes over up to RANKS ranks use SPEC, with
 * LEVELS 1 on one node and 2 on several. A '#' begins a comment. */
#include "backends/tuning.h"
#include "backends/choose.h"
#include "backends/named.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char head[] = "ovkrylov tuning 1";
static const char variable[] = "OVK_TUNING";
enum { MOST_BYTES = 1 << 20, MOST_ROWS = 1024 }; /* of a table */

typedef struct tuning_row {
  long levels, ranks, bytes;
  const char *spec;
} tuning_row;

typedef struct tuning {
  ovk__resource resource;
  char *text; /* of the file, cut into words; the specs point into it */
  tuning_row *rows;
  int n;
} tuning;

static const char tuning_mark;

static void tuning_destroy(ovk__resource *self)
{
  tuning *t = (tuning *)self;
  free(t->text);
  free(t->rows);
  free(t);
}

/* *text <- the file, with a 0 at its end. */
static ovk_err read_file(ovk_ctx *ctx, const char *path, char **text, int *size)
{
  FILE *file = fopen(path, "r");
  OVK_CHECK(file, ctx, OVK_ERR_IO, "%s: %s", path, strerror(errno));
  char *buffer = malloc(MOST_BYTES);
  const size_t read = buffer ? fread(buffer, 1, MOST_BYTES, file) : 0;
  const bool failed = ferror(file);
  fclose(file);
  *text = buffer;
  OVK_CHECK(buffer, ctx, OVK_ERR_MEMORY, "no memory for a tuning table");
  OVK_CHECK(!failed, ctx, OVK_ERR_IO, "%s: it cannot be read", path);
  OVK_CHECK(read < MOST_BYTES, ctx, OVK_ERR_FORMAT, "%s: a table has less than %d bytes", path,
            MOST_BYTES);
  buffer[read] = '\0';
  *size = (int)read + 1;
  return OVK_OK;
}

/* Returns the next word and moves *at to its end; an empty one at the end of the line. */
static const char *next_word(char **at)
{
  char *word = *at + strspn(*at, " \t\r");
  char *end = word + strcspn(word, " \t\r");
  *at = *end ? end + 1 : end;
  *end = '\0';
  return word;
}

static ovk_err read_number(ovk_ctx *ctx, char **at, const char *name, long most, long *out)
{
  const char *word = next_word(at);
  char *end;
  errno = 0;
  *out = strtol(word, &end, 10);
  OVK_CHECK(isdigit((unsigned char)*word) && !*end && !errno && *out >= 1 && *out <= most, ctx,
            OVK_ERR_FORMAT, "%s is '%s', and not a whole number from 1 to %ld", name, word, most);
  return OVK_OK;
}

/* A table has no "auto", which would look it up again, and no decorators. */
static ovk_err check_spec(ovk_ctx *ctx, const char *text)
{
  ovk_spec *spec = NULL;
  const ovk_backend_ops *ops = NULL;
  OVK_CHECK(*text, ctx, OVK_ERR_FORMAT, "there is no spec");
  OVK_TRY(ovk__backend_parse(ctx, text, &spec, &ops, NULL));
  ovk_spec_destroy(&spec);
  OVK_CHECK(ops != &ovk__backend_auto && !ops->decorates, ctx, OVK_ERR_FORMAT,
            "'%s' must name one backend, other than auto", text);
  return OVK_OK;
}

static ovk_err read_row(ovk_ctx *ctx, char *line, tuning_row *row)
{
  OVK_TRY(read_number(ctx, &line, "LEVELS", 2, &row->levels));
  OVK_TRY(read_number(ctx, &line, "RANKS", INT_MAX, &row->ranks));
  OVK_TRY(read_number(ctx, &line, "BYTES", LONG_MAX, &row->bytes));
  row->spec = next_word(&line);
  OVK_TRY(check_spec(ctx, row->spec));
  const char *further = next_word(&line);
  OVK_CHECK(!*further, ctx, OVK_ERR_FORMAT, "'%s' follows the spec", further);
  return OVK_OK;
}

/* Cuts the text into lines, and these into rows. */
static ovk_err read_rows(ovk_ctx *ctx, const char *path, tuning *t)
{
  int number = 1;
  for (char *line = t->text, *end; line; line = end, number++) {
    end = strchr(line, '\n');
    if (end) *end++ = '\0';
    line[strcspn(line, number == 1 ? "\r" : "#")] = '\0';
    if (number == 1) {
      OVK_CHECK(strcmp(line, head) == 0, ctx, OVK_ERR_FORMAT, "%s: its first line is not '%s'",
                path, head);
      continue;
    }
    if (!line[strspn(line, " \t\r")]) continue; /* empty */
    OVK_CHECK(t->n < MOST_ROWS, ctx, OVK_ERR_FORMAT, "%s: more than %d lines", path, MOST_ROWS);
    const ovk_err err = read_row(ctx, line, &t->rows[t->n++]);
    if (!err) continue;
    ovk__set_message(ctx, "%s, line %d: %s", path, number, ctx->message);
    return err;
  }
  return OVK_OK;
}

static ovk_err new_tuning(ovk_ctx *ctx, tuning **out, int size)
{
  OVK_NEW_AT(ctx, *out, tuning, t);
  t->resource = (ovk__resource){NULL, &tuning_mark, tuning_destroy};
  OVK_NEW_ARRAY(ctx, t->rows, MOST_ROWS);
  OVK_NEW_ARRAY(ctx, t->text, size);
  return OVK_OK;
}

/* All ranks read the text of rank 0, and so find the same. */
static ovk_err share_text(ovk_ctx *ctx, const char *text, int size, tuning **out)
{
  OVK_TRY_MPI(ctx, MPI_Bcast(&size, 1, MPI_INT, 0, ctx->comm));
  OVK_TRY(ovk__agree(ctx, new_tuning(ctx, out, size)));
  if (text) memcpy((*out)->text, text, (size_t)size);
  OVK_TRY_MPI(ctx, MPI_Bcast((*out)->text, size, MPI_CHAR, 0, ctx->comm));
  return ovk__agree_on_file(ctx, read_rows(ctx, ctx->env.tuning, *out));
}

static ovk_err load(ovk_ctx *ctx, tuning **out)
{
  char *text = NULL;
  int size = 0;
  ovk_err err = ctx->rank == 0 ? read_file(ctx, ctx->env.tuning, &text, &size) : OVK_OK;
  err = ovk__agree_on_file(ctx, err);
  if (!err) err = share_text(ctx, text, size, out);
  free(text);
  if (!err) ovk__ctx_own(ctx, &(*out)->resource);
  if (err && *out) tuning_destroy(&(*out)->resource);
  return err;
}

ovk_err ovk__tuning_find(ovk_ctx *ctx, bool one_node, int count, const char **spec)
{
  *spec = NULL;
  if (!ctx->env.tuning) return OVK_OK;
  tuning *t = (tuning *)ovk__ctx_find(ctx, &tuning_mark);
  const ovk_err err = t ? OVK_OK : load(ctx, &t);
  if (err) return ovk__env_name_variable(ctx, err, variable);
  const double bytes = (double)count * sizeof(double);
  for (int k = 0; k < t->n && !*spec; k++) {
    const tuning_row *row = &t->rows[k];
    if (row->levels == (one_node ? 1 : 2) && ctx->size <= row->ranks && bytes <= (double)row->bytes)
      *spec = row->spec;
  }
  return OVK_OK;
}
