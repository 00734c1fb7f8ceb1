/* SPDX-License-Identifier: BSD-2-Clause */
/* Output during a solve: a line per iteration, a CSV file, a progress line, a record. */
#include "progress_line.h"

#include <math.h>

static const double first_delay = 1.0; /* seconds before the progress line appears */
static const double interval = 0.2;    /* seconds between two of its updates */

static double relative(const ovk_progress *now, double norm)
{
  return now->rhs_norm > 0 ? norm / now->rhs_norm : 0;
}

void watch_head_history(FILE *history)
{
  fputs("iteration,relative_residual,true_relative_residual\n", history);
}

static void write_history(FILE *file, const ovk_progress *now)
{
  fprintf(file, "%d,%.17g,", now->iteration, relative(now, now->residual_norm));
  if (!isnan(now->true_residual_norm)) {
    fprintf(file, "%.17g", relative(now, now->true_residual_norm));
  }
  fputc('\n', file);
}

static void show_progress(watch *w, const ovk_progress *now)
{
  const double time = MPI_Wtime();
  if (now->iteration == 0) w->start = w->shown = time;
  if (time - w->start < first_delay || time - w->shown < interval) return;
  w->shown = time;
  const int last = w->width;
  w->width = fprintf(stderr, "\r  iteration %d  relative residual %.1e", now->iteration,
                     relative(now, now->residual_norm));
  if (w->width < last) fprintf(stderr, "%*s", last - w->width, "");
  fflush(stderr);
}

int watch_iteration(void *arg, const ovk_progress *now)
{
  watch *w = arg;
  ovk_monitor_print(w->lines, now);
  if (w->history) write_history(w->history, now);
  if (w->record) record_add(w->record, now);
  if (w->progress) show_progress(w, now);
  return 0;
}

void watch_end(watch *w)
{
  if (w->width > 0) fprintf(stderr, "\r%*s\r", w->width, "");
  w->width = 0;
}
