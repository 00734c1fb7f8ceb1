/* SPDX-License-Identifier: BSD-2-Clause */
/* The monitors provided by the library. */
#include <ovkrylov/solver.h>

#include <math.h>

int ovk_monitor_print(void *file, const ovk_progress *progress)
{
  if (!file) return 0;
  fprintf(file, "%6d  ||r|| / ||b|| = %.6e", progress->iteration,
          progress->residual_norm / progress->rhs_norm);
  if (!isnan(progress->true_residual_norm)) {
    fprintf(file, "  true %.6e", progress->true_residual_norm / progress->rhs_norm);
  }
  fprintf(file, "\n");
  return 0;
}

int ovk_monitor_record(void *history, const ovk_progress *progress)
{
  ovk_history *h = history;
  if (h->count < h->capacity) h->entries[h->count] = *progress;
  h->count++;
  return 0;
}
