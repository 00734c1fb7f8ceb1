/* SPDX-License-Identifier: BSD-2-Clause */
/* The event log: totals over the ranks, and the table that is written on request. */
#include "core/context/agree.h"
#include "core/context/atomic_write.h"
#include "core/context/ctx_impl.h"
#include "core/context/locale.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const event_names[OVK_EVENT_COUNT] = {
    [OVK_EVENT_READ] = "file read",
    [OVK_EVENT_ADD] = "adding entries",
    [OVK_EVENT_ASSEMBLE] = "matrix assembly",
    [OVK_EVENT_RESET] = "matrix reset",
    [OVK_EVENT_PRECOND_SETUP] = "precond setup",
    [OVK_EVENT_SOLVE] = "solve",
    [OVK_EVENT_MULT] = "matrix product",
    [OVK_EVENT_HALO_WAIT] = "halo wait",
    [OVK_EVENT_PRECOND] = "preconditioner",
    [OVK_EVENT_VECTOR] = "vector updates",
    [OVK_EVENT_REDUCTION_BEGIN] = "reduction begin",
    [OVK_EVENT_REDUCTION_WAIT] = "reduction wait",
};

double ovk_log_seconds(const ovk_ctx *ctx, ovk_event event)
{
  return ctx ? ctx->log.seconds[event] : 0;
}

ovk_err ovk_log_stats(ovk_ctx *ctx, ovk_event_stats stats[OVK_EVENT_COUNT])
{
  if (!ctx) return OVK_ERR_ARG;
  OVK_CHECK_ALL(stats, ctx, OVK_ERR_ARG, "stats is NULL");
  const ovk__log *log = &ctx->log;
  enum { N = OVK_EVENT_COUNT };
  int64_t calls[N];
  double least[N], sum[N], most[N];
  OVK_TRY_MPI(ctx, MPI_Allreduce(log->calls, calls, N, MPI_INT64_T, MPI_MAX, ctx->comm));
  OVK_TRY_MPI(ctx, MPI_Allreduce(log->seconds, least, N, MPI_DOUBLE, MPI_MIN, ctx->comm));
  OVK_TRY_MPI(ctx, MPI_Allreduce(log->seconds, sum, N, MPI_DOUBLE, MPI_SUM, ctx->comm));
  OVK_TRY_MPI(ctx, MPI_Allreduce(log->seconds, most, N, MPI_DOUBLE, MPI_MAX, ctx->comm));
  for (int i = 0; i < N; i++) {
    stats[i] = (ovk_event_stats){.name = event_names[i],
                                 .calls = calls[i],
                                 .min_seconds = least[i],
                                 .avg_seconds = sum[i] / ctx->size,
                                 .max_seconds = most[i]};
  }
  return OVK_OK;
}

static void write_table(FILE *file, const ovk_event_stats *stats)
{
  fprintf(file, "%-18s %12s %12s %12s %12s\n", "event", "calls", "min s", "avg s", "max s");
  for (int i = 0; i < OVK_EVENT_COUNT; i++) {
    const ovk_event_stats *s = &stats[i];
    if (!s->calls) continue;
    fprintf(file, "%-18s %12" PRId64 " %12.6f %12.6f %12.6f\n", s->name, s->calls, s->min_seconds,
            s->avg_seconds, s->max_seconds);
  }
}

static void write_json(FILE *file, const ovk_event_stats *stats)
{
  const char *before = "{\"events\": [\n";
  for (int i = 0; i < OVK_EVENT_COUNT; i++) {
    const ovk_event_stats *s = &stats[i];
    if (!s->calls) continue;
    fprintf(file,
            "%s  {\"event\": \"%s\", \"calls\": %" PRId64
            ", \"min_seconds\": %.9f, \"avg_seconds\": %.9f, \"max_seconds\": %.9f}",
            before, s->name, s->calls, s->min_seconds, s->avg_seconds, s->max_seconds);
    before = ",\n";
  }
  fputs(*before == '{' ? "{\"events\": [\n]}\n" : "\n]}\n", file);
}

static bool is_for_json(const char *path)
{
  const char *end = strrchr(path, '.');
  return end && strcmp(end, ".json") == 0;
}

/* Writes the log to the file `written`; error messages name `path`. */
static ovk_err write_log(ovk_ctx *ctx, const char *path, const char *written,
                         const ovk_event_stats *stats)
{
  ovk__locale locale;
  FILE *file = fopen(written, "w");
  OVK_CHECK(file, ctx, OVK_ERR_IO, "%s: %s", path, strerror(errno));
  const ovk_err err = ovk__locale_begin(ctx, &locale);
  (is_for_json(path) ? write_json : write_table)(file, stats);
  ovk__locale_end(&locale);
  const int failed = ferror(file);
  OVK_CHECK(!fclose(file) && !failed, ctx, OVK_ERR_IO, "%s: %s", path, strerror(errno));
  return err;
}

static ovk_err log_write_file(ovk_ctx *ctx, const char *path, const ovk_event_stats *stats)
{
  ovk__file_replacement file;
  OVK_TRY(ovk__replace_begin(ctx, path, &file));
  const ovk_err err = write_log(ctx, path, file.written, stats);
  if (!err) return ovk__replace_end(ctx, path, &file);
  ovk__replace_abandon(&file);
  return err;
}

ovk_err ovk_log_write(ovk_ctx *ctx, const char *path)
{
  if (!ctx) return OVK_ERR_ARG;
  OVK_CHECK_ALL(path, ctx, OVK_ERR_ARG, "path is NULL");
  ovk_event_stats stats[OVK_EVENT_COUNT];
  OVK_TRY(ovk_log_stats(ctx, stats));
  return ovk__agree(ctx, ctx->rank == 0 ? log_write_file(ctx, path, stats) : OVK_OK);
}
