/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums with OVK_MPI_EXACT=sums. */
#include "carry/exact_sums.h"
#include "carry/blocking.h"
#include "carry/boards/errors.h"
#include "carry/boards/exact_requests.h"
#include "carry/exact/windows.h"
#include "carry/process/process.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

/* The reals of one message, whose words are on the stack: no rank can lack memory. The words of FEW
 * take less time than a second message. */
enum { FEW = 8, AT_ONCE = 32, MANY_AT_ONCE = 128 };

/* The number of ranks; 0 where no sum depends on them: a rank sums nothing where it is alone, and
 * reductions of intercommunicators are left to the MPI, which also reports wrong arguments. */
static int exact_count_ranks(MPI_Comm comm)
{
  int between = 0, ranks = 0;
  if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &between) || between) return 0;
  return !PMPI_Comm_size(comm, &ranks) && ranks > 1 ? ranks : 0;
}

bool carry_exact_plan(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                      int root, MPI_Comm comm, carry_exact *out)
{
  int rank = 0;
  if (!carry_settings_of_process.exact || op != MPI_SUM || count <= 0) return false;
  const carry_reals reals = carry_reals_of(type);
  const int ranks = reals.each > 0 ? exact_count_ranks(comm) : 0;
  const bool valid = root <= CARRY_RANKS_BEFORE || (root >= 0 && root < ranks);
  if (ranks == 0 || !valid) return false;
  PMPI_Comm_rank(comm, &rank);
  const bool receives = root == CARRY_RANKS_BEFORE ? rank > 0 : root < 0 || root == rank;
  *out = (carry_exact){.send = send == MPI_IN_PLACE ? receive : send,
                       .receive = receives ? receive : NULL,
                       .reals = (int64_t)count * reals.each,
                       .type = reals,
                       .root = root,
                       .comm = comm};
  return true;
}

static int exact_sum_words(const carry_exact *s, uint64_t *words, int n, carry_plan *p)
{
  switch (s->root) {
  case CARRY_ALL_RANKS:
    return carry_run_allreduce(p, MPI_IN_PLACE, words, n, MPI_UINT64_T, MPI_SUM, s->comm);
  case CARRY_RANKS_UP_TO:
    return PMPI_Scan(MPI_IN_PLACE, words, n, MPI_UINT64_T, MPI_SUM, s->comm);
  case CARRY_RANKS_BEFORE:
    return PMPI_Exscan(MPI_IN_PLACE, words, n, MPI_UINT64_T, MPI_SUM, s->comm);
  default:
    return s->receive
               ? carry_run_reduce(p, MPI_IN_PLACE, words, n, MPI_UINT64_T, MPI_SUM, s->root,
                                  s->comm)
               : carry_run_reduce(p, words, NULL, n, MPI_UINT64_T, MPI_SUM, s->root, s->comm);
  }
}

/* *p <- the data of the log */
static void exact_note(const carry_exact *s, carry_plan *p)
{
  p->start = carry_now();
  p->reason = CARRY_EXACT;
  p->bytes = s->reals * (int64_t)(s->type.singles ? sizeof(float) : sizeof(double));
}

/* Windows are of the sum of all ranks. */
static bool exact_takes_few(const carry_exact *s)
{
  return s->type.singles || s->reals <= FEW || s->root == CARRY_RANKS_UP_TO ||
         s->root == CARRY_RANKS_BEFORE;
}

/* Sums a few reals from index `at` on. */
static int exact_sum_few(const carry_exact *s, int64_t at, int n)
{
  uint64_t words[AT_ONCE * CARRY_EXACT_WORDS];
  carry_plan part;
  carry_exact_put(s->type, s->send, at, n, words);
  const int code = exact_sum_words(s, words, n * CARRY_EXACT_WORDS, &part);
  if (!code && s->receive) carry_exact_get(s->type, words, at, n, s->receive);
  return code;
}

static int exact_run_few(const carry_exact *s)
{
  int code = MPI_SUCCESS;
  for (int64_t at = 0; at < s->reals && !code; at += AT_ONCE) {
    code = exact_sum_few(s, at, s->reals - at < AT_ONCE ? (int)(s->reals - at) : AT_ONCE);
  }
  return code;
}

/* sums <- the sums on all ranks of the reals that are there; those that are not certain are summed
 * as a few. */
static int exact_sum_many(const carry_exact *s, int n, double *sums)
{
  int exponents[MANY_AT_ONCE], where[MANY_AT_ONCE], unsure = 0;
  double words[MANY_AT_ONCE * CARRY_WINDOW_WORDS], again[MANY_AT_ONCE];
  carry_plan part;
  carry_window_exponents(sums, n, exponents);
  int code = carry_run_allreduce(&part, MPI_IN_PLACE, exponents, n, MPI_INT, MPI_MAX, s->comm);
  if (code) return code;
  carry_window_put(sums, exponents, n, words);
  code = carry_run_allreduce(&part, MPI_IN_PLACE, words, n * CARRY_WINDOW_WORDS, MPI_DOUBLE,
                             MPI_SUM, s->comm);
  for (int k = 0; k < n && !code; k++) {
    const double real = sums[k];
    if (carry_window_get(words + (ptrdiff_t)k * CARRY_WINDOW_WORDS, exponents[k], &sums[k]))
      continue;
    where[unsure] = k;
    again[unsure++] = real;
  }
  const carry_exact rest = {again, again, unsure, s->type, CARRY_ALL_RANKS, s->comm};
  if (!code) code = exact_run_few(&rest);
  for (int k = 0; k < unsure; k++) sums[where[k]] = again[k];
  return code;
}

static int exact_run_many(const carry_exact *s)
{
  const double *send = s->send;
  double *receive = s->receive, sums[MANY_AT_ONCE];
  int code = MPI_SUCCESS;
  for (int64_t at = 0; at < s->reals && !code; at += MANY_AT_ONCE) {
    const int n = s->reals - at < MANY_AT_ONCE ? (int)(s->reals - at) : MANY_AT_ONCE;
    memcpy(sums, send + at, (size_t)n * sizeof *sums);
    code = exact_sum_many(s, n, sums);
    if (receive && !code) memcpy(receive + at, sums, (size_t)n * sizeof *sums);
  }
  return code;
}

int carry_exact_run(const carry_exact *s, carry_plan *p)
{
  exact_note(s, p);
  return exact_takes_few(s) ? exact_run_few(s) : exact_run_many(s);
}

static bool exact_may_begin(void)
{
  enum { UNKNOWN = -1 };
  static atomic_int able = UNKNOWN;
  int known = atomic_load_explicit(&able, memory_order_relaxed);
  if (known == UNKNOWN) {
    known = carry_completes_requests();
    atomic_store_explicit(&able, known, memory_order_relaxed);
  }
  return known;
}

/* The words of all reals travel at once. Sums of more reals than an int counts words of are left to
 * the MPI, on all ranks. */
bool carry_exact_begins(const carry_exact *s)
{
  return s->reals <= INT_MAX / CARRY_EXACT_WORDS && exact_may_begin();
}

int carry_exact_begin(const carry_exact *s, MPI_Request *request, carry_plan *p)
{
  exact_note(s, p);
  carry_exact_request *r = carry_exact_request_new(s->type, s->send, (int)s->reals, s->receive);
  if (!r) return carry_error(s->comm, OVK_ERR_MEMORY);
  return carry_exact_request_begin(r, s->root != CARRY_ALL_RANKS, s->root, s->comm, request);
}
