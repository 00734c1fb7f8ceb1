/* SPDX-License-Identifier: BSD-2-Clause */
/* The JSON of a run of `ovk solve`, read from its file. */
#include "diff/run_file.h"
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 1 << 16 };

/* All of a stream, which ends with a zero; NULL without memory. */
static char *run_file_slurp(FILE *file)
{
  size_t n = 0, size = FIRST_SIZE;
  char *text = malloc(size);
  while (text) {
    n += fread(text + n, 1, size - n - 1, file);
    if (n < size - 1) {
      text[n] = '\0';
      return text;
    }
    char *larger = realloc(text, size *= 2);
    if (!larger) free(text);
    text = larger;
  }
  return NULL;
}

static ovk_err run_file_open(ovk_ctx *ctx, run_file *run)
{
  FILE *file = fopen(run->path, "r");
  if (!file) {
    return ovk_ctx_fail(ctx, OVK_ERR_IO, "cannot read %s: %s", run->path, strerror(errno));
  }
  run->text = run_file_slurp(file);
  const int reason = ferror(file) ? errno : 0;
  fclose(file);
  if (!run->text) return ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "out of memory");
  if (!reason) return OVK_OK;
  return ovk_ctx_fail(ctx, OVK_ERR_IO, "cannot read %s: %s", run->path, strerror(reason));
}

static int count_lines(const char *from, const char *to)
{
  int n = 1;
  for (; from < to; from++) n += *from == '\n';
  return n;
}

ovk_err run_file_read(ovk_ctx *ctx, const char *path, run_file *out)
{
  const char *fault;
  out->path = path;
  TRY(run_file_open(ctx, out));
  if (!json_check(out->text, &fault)) {
    return ovk_ctx_fail(ctx, OVK_ERR_FORMAT, "%s, line %d: this is not JSON", path,
                        count_lines(out->text, fault));
  }
  if (run_file_fingerprint(out, "A")) return OVK_OK;
  return ovk_ctx_fail(ctx, OVK_ERR_FORMAT,
                      "%s has no fingerprints: `ovk solve --json FILE --fingerprints` writes them",
                      path);
}

void run_file_free(run_file *run)
{
  free(run->text);
  *run = (run_file){0};
}

const char *run_file_value(const run_file *run, const char *key)
{
  return json_member(run->text, key);
}

const char *run_file_fingerprint(const run_file *run, const char *name)
{
  return json_member(run_file_value(run, "fingerprint"), name);
}
