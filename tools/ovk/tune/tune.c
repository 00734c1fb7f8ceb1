/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk tune`: measures backends of reductions and writes the table that OVK_TUNING names. */
#include "bench/support/lists.h"
#include "commands/commands.h"
#include "output.h"
#include "tune/trial.h"

#include <stdlib.h>
#include <string.h>

enum { SPECS, BYTES, ITERS, ROUNDS, OUTPUT };

/* "auto" chooses as without a table. */
static const char candidates[] = "auto;nbc:channel=shm,alg=flat;nbc:channel=shm,alg=halving;"
                                 "nbc;nbc:alg=flat;nbc:alg=kary;nbc:alg=tree;nbc:alg=halving;"
                                 "nbc:alg=ring;nbc:levels=node+net,alg=doubling+flat;"
                                 "nbc:levels=node+net,channel=shm+p2p,alg=flat+flat;"
                                 "nbc:levels=node+net,channel=shm+p2p,alg=flat+halving;"
                                 "nbc:levels=node+net,channel=shm+p2p,alg=tree+halving";

static const option tune_options[] = {
    [SPECS] = OPTION_TEXT("--specs", "A;B;C", NULL,
                          "backends to measure; default: auto, and nbc with several algorithms"),
    [BYTES] = OPTION_LIST("--bytes", 8, 1 << 30, "8,64,512,4096,32768,262144",
                          "lengths of reductions, increasing"),
    [ITERS] = OPTION_INTEGER("--iters", "N", 1, 100000000, "200",
                             "reductions of 8 bytes in a round; fewer of long ones"),
    [ROUNDS] =
        OPTION_INTEGER("--rounds", "N", 1, TRIAL_ROUNDS, "5", "rounds, of which medians are taken"),
    [OUTPUT] = OPTION_TEXT("--output", "FILE|-", "-", "the table; -: standard output"),
    {0},
};

static const char definitions[] =
    "Measures on all ranks, then on the first half of them, a quarter, and so on to 2. Backends\n"
    "take turns in each round, and each length has the backend with the least time of begin and\n"
    "wait on the slowest rank. The backend without a table stays unless another takes at most\n"
    "0.95 of its time. A comment has both times. The table is for programs with\n"
    "OVK_TUNING=FILE and the backend auto. A line fits reductions of up to BYTES bytes over up to\n"
    "RANKS ranks, with LEVELS 1 on one node and 2 on several. The first line that fits counts.\n"
    "Use the launcher, the binding of ranks and the nodes of the programs, and an idle machine.\n";

typedef struct tune {
  ovk_ctx *ctx;
  words specs;
  numbers bytes;
  trial with;
  FILE *file; /* of rank 0 */
} tune;

static ovk_err read_options(ovk_ctx *ctx, const args *given, tune *t)
{
  t->ctx = ctx;
  args_int(given, ITERS, &t->with.iterations);
  args_int(given, ROUNDS, &t->with.rounds);
  TRY(list_words(ctx, given, SPECS, candidates, &t->specs));
  TRY(list_numbers(ctx, given, BYTES, NULL, &t->bytes));
  for (int k = 1; k < t->bytes.n; k++) {
    if (t->bytes.at[k] > t->bytes.at[k - 1]) continue;
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "--bytes: %d follows %d, but lengths increase",
                        t->bytes.at[k], t->bytes.at[k - 1]);
  }
  return OVK_OK;
}

static void write_head(const tune *t)
{
  if (!t->file) return;
  fprintf(t->file, "ovkrylov tuning 1\n# ovkrylov %s, %d ranks\n# LEVELS RANKS BYTES SPEC\n",
          ovk_version(), ovk_ctx_size(t->ctx));
}

/* The lines of these ranks. */
static ovk_err tune_ranks(const tune *t, ovk_ctx *ranks, int levels)
{
  for (int k = 0; k < t->bytes.n; k++) {
    trial_result best;
    TRY(trial_run(ranks, &t->with, &t->specs, t->bytes.at[k], &best));
    if (!t->file) continue;
    fprintf(t->file, "%d %d %d %s # %.3g of %.3g us\n", levels, ovk_ctx_size(ranks), t->bytes.at[k],
            best.spec, 1e6 * best.seconds, 1e6 * best.plain);
    fflush(t->file);
  }
  return OVK_OK;
}

/* *levels <- 1 if the ranks of comm share a node, else 2. */
static ovk_err find_levels(ovk_ctx *ctx, MPI_Comm comm, int *levels)
{
  MPI_Comm node;
  int here = 0, all = 0;
  TRY(tool_mpi(ctx, MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
               "MPI_Comm_split_type"));
  MPI_Comm_size(node, &here);
  MPI_Comm_size(comm, &all);
  MPI_Comm_free(&node);
  *levels = here < all ? 2 : 1;
  return OVK_OK;
}

static ovk_err tune_over(const tune *t, MPI_Comm comm)
{
  ovk_ctx *ranks = NULL;
  int levels;
  TRY(find_levels(t->ctx, comm, &levels));
  ovk_err err = ovk_ctx_create(comm, &ranks);
  if (!err) err = tune_ranks(t, ranks, levels);
  if (err) ovk_ctx_fail(t->ctx, err, "%s", ovk_ctx_error(ranks));
  ovk_ctx_destroy(&ranks);
  return err;
}

/* The first n ranks measure; rank 0, which is one of them, has any error that they have. */
static ovk_err tune_first(const tune *t, int n)
{
  MPI_Comm comm;
  const int rank = ovk_ctx_rank(t->ctx);
  TRY(tool_mpi(t->ctx, MPI_Comm_split(MPI_COMM_WORLD, rank < n ? 0 : MPI_UNDEFINED, rank, &comm),
               "MPI_Comm_split"));
  ovk_err err = OVK_OK;
  if (comm != MPI_COMM_NULL) {
    err = tune_over(t, comm);
    MPI_Comm_free(&comm);
  }
  return tool_agree(t->ctx, err);
}

static ovk_err tune_all(tune *t)
{
  int fewest = ovk_ctx_size(t->ctx);
  while (fewest >= 4) fewest /= 2;
  write_head(t);
  for (int n = fewest; n <= ovk_ctx_size(t->ctx); n *= 2) {
    const bool last = 2 * n > ovk_ctx_size(t->ctx);
    TRY(tune_first(t, last ? ovk_ctx_size(t->ctx) : n));
  }
  return OVK_OK;
}

static ovk_err tune_run(ovk_ctx *ctx, const args *given)
{
  tune t = {.ctx = ctx};
  output file;
  TRY(read_options(ctx, given, &t));
  unsetenv("OVK_TUNING"); /* "auto" is measured as it is without a table */
  TRY(output_open(ctx, args_text(given, OUTPUT), &file));
  t.file = file.file;
  const ovk_err err = tune_all(&t);
  if (!err) return output_close(ctx, &file);
  output_discard(&file);
  return err;
}

const command tune_command = {
    .name = "tune",
    .usage = "[OPTIONS]",
    .summary = "measure backends of reductions, and write the table for the backend auto",
    .notes = definitions,
    .options = tune_options,
    .run = tune_run,
};
