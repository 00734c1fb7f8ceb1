/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls that are carried for exact sums only: scans, and reductions whose results are scattered. */
#include "carry/carry.h"
#include "carry/exact_sums.h"
#include "carry/process/process.h"

static int exact_run(const carry_exact *s, carry_call call)
{
  carry_plan p;
  const int code = carry_exact_run(s, &p);
  carry_note(call, p.reason, p.bytes, p.start);
  return code;
}

CARRY_REPLACES int MPI_Scan(const void *send, void *receive, int count, MPI_Datatype type,
                            MPI_Op op, MPI_Comm comm)
{
  carry_exact s;
  return !carry_is_inside() &&
                 carry_exact_plan(send, receive, count, type, op, CARRY_RANKS_UP_TO, comm, &s)
             ? exact_run(&s, CARRY_SCAN)
             : PMPI_Scan(send, receive, count, type, op, comm);
}

CARRY_REPLACES int MPI_Exscan(const void *send, void *receive, int count, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm)
{
  carry_exact s;
  return !carry_is_inside() &&
                 carry_exact_plan(send, receive, count, type, op, CARRY_RANKS_BEFORE, comm, &s)
             ? exact_run(&s, CARRY_EXSCAN)
             : PMPI_Exscan(send, receive, count, type, op, comm);
}

/* A reduction whose rank r receives `count[r * step]` items. */
typedef struct scattered {
  const void *send;
  void *receive;
  const int *count;
  int step;
  MPI_Datatype type;
  MPI_Op op;
  MPI_Comm comm;
} scattered;

/* The number of ranks; 0 if the MPI is to reduce, or to report wrong arguments. */
static int scattered_ranks(const scattered *s)
{
  int ranks = 0;
  if (carry_is_inside() || !carry_settings_of_process.exact || s->comm == MPI_COMM_NULL ||
      PMPI_Comm_size(s->comm, &ranks)) {
    return 0;
  }
  for (int r = 0; r < ranks; r++) {
    if (s->count[(ptrdiff_t)r * s->step] < 0) return 0;
  }
  return ranks;
}

/* Reduces to a rank after the other. In place the sums of a rank are written before the items of
 * later ranks. Returns false if nothing was to be exact; else *code is that of the MPI. */
static bool scattered_run(const scattered *s, carry_call call, int *code)
{
  const int ranks = scattered_ranks(s);
  const carry_reals reals = carry_reals_of(s->type);
  const ptrdiff_t size = reals.each * (ptrdiff_t)(reals.singles ? sizeof(float) : sizeof(double));
  const char *send = s->send == MPI_IN_PLACE ? s->receive : s->send;
  const double start = carry_now();
  int64_t bytes = 0;
  *code = MPI_SUCCESS;
  for (int r = 0; r < ranks && !*code; r++) {
    const int count = s->count[(ptrdiff_t)r * s->step];
    carry_exact part;
    carry_plan p;
    if (carry_exact_plan(send, s->receive, count, s->type, s->op, r, s->comm, &part)) {
      *code = carry_exact_run(&part, &p);
      bytes += count * size;
    }
    send += count * size;
  }
  if (bytes > 0) carry_note(call, CARRY_EXACT, bytes, start);
  return bytes > 0;
}

CARRY_REPLACES int MPI_Reduce_scatter(const void *send, void *receive, const int *counts,
                                      MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
  const scattered s = {send, receive, counts, 1, type, op, comm};
  int code;
  return scattered_run(&s, CARRY_REDUCE_SCATTER, &code)
             ? code
             : PMPI_Reduce_scatter(send, receive, counts, type, op, comm);
}

CARRY_REPLACES int MPI_Reduce_scatter_block(const void *send, void *receive, int count,
                                            MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
  const scattered s = {send, receive, &count, 0, type, op, comm};
  int code;
  return scattered_run(&s, CARRY_REDUCE_SCATTER_BLOCK, &code)
             ? code
             : PMPI_Reduce_scatter_block(send, receive, count, type, op, comm);
}
