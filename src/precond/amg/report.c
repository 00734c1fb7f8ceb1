/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes the levels, and writes the table of them. */
#include "precond/amg/report.h"

#include <inttypes.h>
#include <stdio.h>

/* The entries of all levels over those of A. */
static double report_complexity(const ovk__amg_hierarchy *H)
{
  double entries = 0;
  for (int k = 0; k < H->n; k++) entries += (double)H->level[k].nnz;
  return entries > 0 ? entries / (double)H->level[0].nnz : 1;
}

/* A diagonal matrix needs no level besides the first. */
void ovk__amg_warn(const ovk__amg_hierarchy *H, char text[OVK__PRECOND_INFO])
{
  static const double LARGE = 2.5;
  const ovk__amg_level *last = &H->level[H->n - 1];
  const double complexity = report_complexity(H);
  text[0] = 0;
  if (H->stalled && !H->dense && last->nnz > last->layout.global) {
    snprintf(text, OVK__PRECOND_INFO,
             "coarsening ended at a level of %lld rows, which its smoother solves only roughly: a "
             "lower theta may help",
             (long long)last->layout.global);
  } else if (complexity > LARGE) {
    snprintf(text, OVK__PRECOND_INFO,
             "the levels have %.1f times the entries of A: a lower theta may help", complexity);
  } else if (H->lacks_modes) {
    snprintf(text, OVK__PRECOND_INFO,
             "A has %d unknowns a point, but no near-null space: with ovk_mat_set_block_size() and "
             "ovk_mat_set_coordinates() elasticity takes about half the iterations",
             H->options.block);
  }
}

void ovk__amg_describe(const ovk__amg_hierarchy *H, char text[OVK__PRECOND_INFO])
{
  const size_t room = OVK__PRECOND_INFO;
  size_t used = (size_t)snprintf(text, room, "%d level%s, rows", H->n, H->n == 1 ? "" : "s");
  for (int k = 0; k < H->n; k++) {
    if (used > room / 2) continue;
    used +=
        (size_t)snprintf(text + used, room - used, " %lld", (long long)H->level[k].layout.global);
  }
  used += (size_t)snprintf(text + used, room - used, ", operator %.2f, hierarchy %016" PRIx64,
                           report_complexity(H), H->hash);
  if (H->options.found && used < room) {
    used +=
        (size_t)snprintf(text + used, room - used, ", found %d unknowns a point", H->options.block);
  }
  if (H->coarsest.singular && used < room) {
    snprintf(text + used, room - used, ", singular: %d", H->coarsest.singular);
  }
}

static void report_level(const ovk__amg_hierarchy *H, int k, FILE *file)
{
  const ovk__amg_level *level = &H->level[k];
  const double rows = (double)level->layout.global, nnz = (double)level->nnz;
  const bool dense = H->dense && k == H->n - 1;
  fprintf(file, "  %5d %12lld %6d %11.1f  %-14s", k, (long long)level->layout.global, level->ranks,
          rows > 0 ? nnz / rows : 0, dense ? "inverse" : ovk_mat_format(level->smoother.A));
  if (dense) {
    fprintf(file, " %10.3f\n", 1e-6 * rows * rows * (double)sizeof(double));
  } else {
    fprintf(file, " %10.3f %8.3f\n", 1e-6 * (double)level->bytes, level->smoother.lambda);
  }
}

/* Writes the times of the phases in seconds. */
static void report_times(const ovk__amg_hierarchy *H, FILE *file)
{
  static const char *const names[OVK__AMG_PHASES] = {
      [OVK__AMG_AGGREGATES] = "aggregates", [OVK__AMG_PROLONGATORS] = "prolongators",
      [OVK__AMG_PRODUCTS] = "products",     [OVK__AMG_FORMATS] = "formats",
      [OVK__AMG_SMOOTHERS] = "smoothers",   [OVK__AMG_INVERSE] = "inverse"};
  double total = 0;
  for (int k = 0; k < OVK__AMG_PHASES; k++) total += H->seconds[k];
  fprintf(file, "  %s %.4f s:", H->updated ? "update" : "setup", total);
  for (int k = 0; k < OVK__AMG_PHASES; k++) {
    fprintf(file, "%s %s %.4f", k ? "," : "", names[k], H->seconds[k]);
  }
  fprintf(file, "\n  cycle %.5f s, a mean of %lld\n",
          H->cycles ? H->cycle_seconds / (double)H->cycles : 0, (long long)H->cycles);
}

void ovk__amg_view(const ovk__amg_hierarchy *H, FILE *file)
{
  fprintf(file, "  %5s %12s %6s %11s  %-14s %10s %8s\n", "level", "rows", "ranks", "entries/row",
          "format", "MB", "lambda");
  for (int k = 0; k < H->n; k++) report_level(H, k, file);
  report_times(H, file);
}
