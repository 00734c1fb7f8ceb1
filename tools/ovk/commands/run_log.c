/* SPDX-License-Identifier: BSD-2-Clause */
/* A table of the calls of a program, from the files of all ranks. */
#include "commands/run_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_SIZE = 32, FIRST_SIZE = 128, MOST_ROWS = 256 };

/* A call and its fate. */
typedef struct row {
  char call[NAME_SIZE], fate[NAME_SIZE];
  long long calls, bytes; /* of all ranks */
  double seconds;         /* of the rank with most */
  char first[FIRST_SIZE]; /* type and operation of a reduction; or "" */
} row;

typedef struct table {
  row rows[MOST_ROWS];
  int nrows, files;
} table;

static bool file_of(const run_log *log, int rank, char path[PATH_SIZE])
{
  return snprintf(path, PATH_SIZE, "%s.%d", log->name, rank) < PATH_SIZE;
}

static void remove_files(const run_log *log)
{
  char path[PATH_SIZE];
  for (int rank = 0; rank < log->ranks; rank++) {
    if (file_of(log, rank, path)) (void)unlink(path);
  }
}

static int make_folder(run_log *log)
{
  const char *where = getenv("TMPDIR");
  const int length = snprintf(log->folder, sizeof log->folder, "%s/ovk-run-XXXXXX",
                              where && *where ? where : "/tmp");
  if (length >= PATH_SIZE) return ENAMETOOLONG;
  snprintf(log->name, sizeof log->name, "%s", log->folder); /* for an error message */
  return mkdtemp(log->folder) ? 0 : errno;
}

/* A rank may change its working folder. */
static int make_absolute(run_log *log, const char *folder, const char *name)
{
  char here[PATH_SIZE] = "";
  if (!folder && name[0] != '/' && !getcwd(here, sizeof here)) return errno;
  const char *left = folder ? folder : here;
  const char *slash = *left ? "/" : "";
  const int length = snprintf(log->name, sizeof log->name, "%s%s%s", left, slash, name);
  return length < PATH_SIZE ? 0 : ENAMETOOLONG;
}

/* Whether ranks will be able to write them. */
static int try_to_write(const run_log *log)
{
  char path[PATH_SIZE];
  if (!file_of(log, log->ranks - 1, path)) return ENAMETOOLONG;
  FILE *f = fopen(path, "w");
  return f && fclose(f) == 0 ? 0 : errno;
}

int run_log_open(run_log *log, const char *name, int ranks)
{
  *log = (run_log){.ranks = ranks};
  int err = name ? 0 : make_folder(log);
  if (!err) err = make_absolute(log, name ? NULL : log->folder, name ? name : "log");
  if (!err) err = try_to_write(log);
  if (!err) remove_files(log);
  return err;
}

void run_log_close(const run_log *log)
{
  if (!*log->folder) return;
  remove_files(log);
  (void)rmdir(log->folder);
}

static row *row_of(table *t, const row *like)
{
  for (int k = 0; k < t->nrows; k++) {
    row *r = &t->rows[k];
    if (strcmp(r->call, like->call) == 0 && strcmp(r->fate, like->fate) == 0) return r;
  }
  if (t->nrows == MOST_ROWS) return NULL;
  row *r = &t->rows[t->nrows++];
  *r = *like;
  r->calls = r->bytes = 0;
  r->seconds = 0;
  return r;
}

static void add_line(table *t, const char *line)
{
  row given = {.first = ""};
  if (sscanf(line, "%*d,%31[^,],%31[^,],%lld,%lld,%lf,%127[^\n]", given.call, given.fate,
             &given.calls, &given.bytes, &given.seconds, given.first) < 5) {
    return; /* the heading */
  }
  row *r = row_of(t, &given);
  if (!r) return;
  r->calls += given.calls;
  r->bytes += given.bytes;
  if (given.seconds > r->seconds) r->seconds = given.seconds;
}

static void add_file(table *t, const char *path)
{
  char line[512];
  FILE *f = fopen(path, "r");
  if (!f) return;
  t->files++;
  while (fgets(line, sizeof line, f)) add_line(t, line);
  fclose(f);
}

static void print_rows(const table *t, FILE *file)
{
  long long calls = 0, carried = 0;
  fprintf(file, "  %-15s %-24s %12s %12s %12s\n", "call", "what became of it", "calls",
          "bytes each", "seconds");
  for (int k = 0; k < t->nrows; k++) {
    const row *r = &t->rows[k];
    fprintf(file, "  %-15s %-24s %12lld %12lld %12.6f%s%s\n", r->call, r->fate, r->calls,
            r->calls > 0 ? r->bytes / r->calls : 0, r->seconds, *r->first ? "  " : "", r->first);
    calls += r->calls;
    if (strcmp(r->fate, "carried") == 0) carried += r->calls;
  }
  fprintf(file, "  %lld of %lld calls were carried; seconds are those of the rank with most\n",
          carried, calls);
}

void run_log_print(const run_log *log, int status, FILE *file)
{
  char path[PATH_SIZE];
  table *t = calloc(1, sizeof *t);
  if (!t) return;
  for (int rank = 0; rank < log->ranks; rank++) {
    if (file_of(log, rank, path)) add_file(t, path);
  }
  if (t->files) {
    fprintf(file, "\novk run: what became of the calls of %d of %d ranks\n", t->files, log->ranks);
    print_rows(t, file);
  } else if (status) {
    fprintf(file,
            "\novk run: no rank left a log: mpiexec, which ended with status %d, did not start the "
            "program, or it was killed\n",
            status);
  } else {
    fputs("\novk run: no rank left a log: the program makes no collective calls, or uses another "
          "MPI\n",
          file);
  }
  free(t);
}
