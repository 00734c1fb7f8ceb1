/* SPDX-License-Identifier: BSD-2-Clause */
/* Repeats reductions until a rank dies by SIGKILL; run by test_verbs_kill.sh. Survivors cannot
 * continue to MPI_Finalize(), so each writes its verdict to a file and exits. Usage: verbs_kill
 * KEYS FOLDER [VICTIM]: rank VICTIM dies instead of beginning a reduction, while the others wait
 * for it; without VICTIM a rank dies where KEYS specifies. */
#include "support/specs/verbs_spec.h"

#include <ovkrylov/comm/reduction.h>
#include <signal.h>

enum { MOST = 100000, SUM_OF_DEATH = 5 };

static int rank, size;

/* The outcome: "good", or a description of the fault. */
static void write_verdict(const char *folder, const char *verdict)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/rank.%d", folder, rank);
  FILE *file = fopen(path, "w");
  if (!file) return;
  fprintf(file, "%s\n", verdict);
  fclose(file);
}

static ovk_err sum_up(ovk_reduction *red, int victim, double *start)
{
  ovk_err err = OVK_OK;
  for (int k = 0; k < MOST && !err; k++) {
    if (k == SUM_OF_DEATH && rank == victim) raise(SIGKILL);
    ovk_reduction_values(red)[0] = 1;
    *start = MPI_Wtime();
    err = ovk_reduction_begin(red);
    if (!err) err = ovk_reduction_wait(red);
    if (!err && ovk_reduction_values(red)[0] != size) return OVK_ERR_INTERNAL;
  }
  return err;
}

static void run_victim(const char *keys, const char *folder, int victim)
{
  const double limit = 60;
  char spec[VERBS_SPEC_SIZE], said[2048];
  ovk_ctx *ctx = NULL;
  ovk_reduction *red = NULL;
  double start = 0;
  ovk_err err = ovk_ctx_create(MPI_COMM_WORLD, &ctx);
  if (!err) err = ovk_reduction_create(ctx, verbs_spec(spec, keys), 1, &red);
  if (!err) err = sum_up(red, victim, &start);
  const double elapsed = MPI_Wtime() - start;
  const bool good = err == OVK_ERR_NETWORK && strstr(ovk_ctx_error(ctx), "rank") && elapsed < limit;
  snprintf(said, sizeof said, "%s: %s after %.3f s: %s", good ? "good" : "wrong", ovk_err_name(err),
           elapsed, ovk_ctx_error(ctx));
  write_verdict(folder, said);
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc >= 3) run_victim(argv[1], argv[2], argc > 3 ? atoi(argv[3]) : -1);
  _exit(0);
}
