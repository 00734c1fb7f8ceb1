/* SPDX-License-Identifier: BSD-2-Clause */
/* Random systems on ranks that differ. Values are small multiples of powers of two, so that they
 * can be split into parts and summed again without rounding. */
#include "random_problem.h"
#include "support/test_main.h"

/* Which ranks a rank's rows are coupled with. */
enum { ALL_RANKS, OWN_RANK, NEXT_RANKS, NOT_THE_FIRST, COUPLINGS };

static int draw_rows(dice *d)
{
  switch (dice_below(d, 4)) {
  case 0:
    return 0;
  case 1:
    return 1;
  case 2:
    return 2 + dice_below(d, 5);
  default:
    return 10 + dice_below(d, 31);
  }
}

static int owner(const random_problem *S, int row)
{
  int rank = 0;
  while (row >= S->first[rank + 1]) rank++;
  return rank;
}

static bool coupled(const random_problem *S, int kind, int i, int j)
{
  const int p = owner(S, i), q = owner(S, j);
  switch (kind) {
  case OWN_RANK:
    return p == q;
  case NEXT_RANKS:
    return abs(p - q) <= 1;
  case NOT_THE_FIRST:
    return p == q || (p > 0 && q > 0);
  default:
    return true;
  }
}

static void draw_couplings(random_problem *S, dice *d, double scale)
{
  const int n = S->n, kind = dice_below(d, COUPLINGS), pairs = dice_below(d, 4) * n;
  for (int k = 0; k < pairs; k++) {
    const int i = dice_below(d, n), j = dice_below(d, n);
    if (i == j || !coupled(S, kind, i, j)) continue;
    S->A[i * n + j] = S->A[j * n + i] = scale * (dice_below(d, 17) - 8) / 8;
  }
}

static double row_sum(const random_problem *S, int i)
{
  double sum = 0;
  for (int j = 0; j < S->n; j++) sum += j == i ? 0 : fabs(S->A[i * S->n + j]);
  return sum;
}

/* Larger than the rest of the row: the same for all rows, for all rows of a rank, or different. */
static void draw_diagonal(random_problem *S, dice *d, double scale)
{
  const int n = S->n, size = test_size;
  const bool all_alike = dice_once_in(d, 3);
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, row_sum(S, i));
  for (int rank = 0; rank < size; rank++) {
    const bool constant = all_alike || dice_once_in(d, 2);
    const double more = all_alike ? 1 : 1 + dice_below(d, 9) / 4.0;
    for (int i = S->first[rank]; i < S->first[rank + 1]; i++) {
      const double own = 0.25 + dice_below(d, 13) / 4.0;
      S->A[i * n + i] = constant ? most + more * scale : row_sum(S, i) + own * scale;
    }
  }
}

static void draw_b(random_problem *S, dice *d)
{
  const double scale = dice_once_in(d, 8) ? ldexp(1, 40 - dice_below(d, 80)) : 1;
  for (int rank = 0; rank < test_size; rank++) {
    const bool zero = dice_once_in(d, 4);
    for (int i = S->first[rank]; i < S->first[rank + 1]; i++) {
      S->b[i] = zero ? 0 : scale * (dice_unit(d) - 0.5);
    }
  }
  if (S->n && dice_once_in(d, 24)) {
    static const double odd[] = {NAN, INFINITY, 1e200, 1e-160};
    S->b[dice_below(d, S->n)] = odd[dice_below(d, 4)];
    S->finite = false;
  }
}

/* A is the Laplacian of a connected graph. */
static void make_singular(random_problem *S, double scale)
{
  const int n = S->n;
  double mean = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double *a = &S->A[i * n + j];
      *a = -fabs(*a) - (abs(i - j) == 1 ? scale : 0);
    }
    S->A[i * n + i] = row_sum(S, i);
    mean += S->b[i] / n;
  }
  for (int i = 0; i < n; i++) S->b[i] -= mean;
  S->definite = false;
  S->singular = true;
}

random_problem random_make(uint64_t seed)
{
  dice d = {.seed = seed};
  random_problem S = {.definite = true, .finite = true};
  S.first = new_zeros((size_t)test_size + 1, sizeof *S.first);
  for (int rank = 0; rank < test_size; rank++) S.first[rank + 1] = S.first[rank] + draw_rows(&d);
  S.n = S.first[test_size];
  S.start = S.first[test_rank];
  S.local = S.first[test_rank + 1] - S.start;
  S.A = new_zeros((size_t)S.n * (size_t)S.n + 1, sizeof *S.A);
  S.b = new_zeros((size_t)S.n + 1, sizeof *S.b);
  const double scale = ldexp(1, dice_once_in(&d, 4) ? 30 - dice_below(&d, 60) : 0);
  draw_couplings(&S, &d, scale);
  draw_diagonal(&S, &d, scale);
  draw_b(&S, &d);
  if (S.n && dice_once_in(&d, 12)) {
    const int i = dice_below(&d, S.n);
    S.A[i * S.n + i] *= -1;
    S.definite = false;
  }
  if (S.n > 1 && dice_once_in(&d, 8)) make_singular(&S, scale);
  return S;
}

void random_clear(random_problem *S)
{
  free(S->first);
  free(S->A);
  free(S->b);
}

void random_skew(random_problem *S, uint64_t seed)
{
  dice d = {.seed = seed};
  const bool down = dice_once_in(&d, 2);
  for (int i = 0; i < S->n; i++) {
    for (int j = 0; j < S->n; j++) {
      double *a = &S->A[i * S->n + j];
      if (owner(S, i) != owner(S, j) && (i < j) == down) *a = 0;
      if (i < j) *a *= 2;
    }
  }
}

typedef struct entry {
  int i, j;
  double value;
} entry;

/* This rank's share of the parts of all entries, shuffled in the end. */
typedef struct entry_list {
  entry *entries;
  int count, most;
} entry_list;

static void put(entry_list *p, entry e)
{
  if (p->count == p->most) {
    p->most = 2 * p->most + 16;
    p->entries = realloc(p->entries, (size_t)p->most * sizeof e);
    assert_non_null(p->entries);
  }
  p->entries[p->count++] = e;
}

static void shuffle(entry_list *p, dice *d)
{
  for (int k = p->count - 1; k > 0; k--) {
    const int other = dice_below(d, k + 1);
    const entry e = p->entries[k];
    p->entries[k] = p->entries[other];
    p->entries[other] = e;
  }
}

/* The parts that this rank adds. */
static entry_list deal(const random_problem *S, dice *d)
{
  entry_list mine = {0};
  const int one_in = 1 + dice_below(d, 12); /* other ranks add one entry in so many; 1: none */
  for (int i = 0; i < S->n; i++) {
    for (int j = 0; j < S->n; j++) {
      const double value = S->A[i * S->n + j];
      if (value == 0) continue;
      const int parts = 1 << dice_below(d, 3);
      for (int k = 0; k < parts; k++) {
        const bool other = one_in > 1 && dice_once_in(d, one_in);
        const int rank = other ? dice_below(d, test_size) : owner(S, i);
        if (rank == test_rank) put(&mine, (entry){i, j, value / parts});
      }
    }
  }
  return mine;
}

/* Entries of this rank's rows come first, in row order. */
static int count_own(const random_problem *S, const entry_list *p, int row)
{
  int n = 0;
  for (int k = 0; k < p->count; k++) n += p->entries[k].i == row && row >= S->start;
  return n;
}

/* Adds the entries of this rank's rows as compressed rows, the rest one by one. */
static void add_rows(ovk_mat *A, const random_problem *S, const entry_list *p)
{
  scoped_array int64_t *ptr = new_zeros((size_t)S->local + 1, sizeof *ptr);
  scoped_array ovk_gidx *col = new_memory((size_t)p->count * sizeof *col + 1);
  scoped_array double *val = new_memory((size_t)p->count * sizeof *val + 1);
  for (int r = 0; r < S->local; r++) ptr[r + 1] = ptr[r] + count_own(S, p, S->start + r);
  scoped_array int64_t *next = new_memory(((size_t)S->local + 1) * sizeof *next);
  memcpy(next, ptr, ((size_t)S->local + 1) * sizeof *next);
  for (int k = 0; k < p->count; k++) {
    const entry e = p->entries[k];
    const int r = e.i - S->start;
    if (r < 0 || r >= S->local) {
      (void)ovk_mat_add(A, e.i, e.j, e.value);
      continue;
    }
    col[next[r]] = e.j;
    val[next[r]++] = e.value;
  }
  const bool none = ptr[S->local] == 0;
  (void)ovk_mat_add_csr(A, ptr, none ? NULL : col, none ? NULL : val);
}

ovk_err random_assemble(ovk_ctx *ctx, const random_problem *S, uint64_t seed, const char *format,
                        ovk_mat **A)
{
  dice d = {.seed = seed}, own = {.seed = seed + 1000 + (uint64_t)test_rank};
  entry_list mine = deal(S, &d);
  *A = NULL;
  ovk_err err = ovk_mat_create(ctx, (ovk_lidx)S->local, A);
  if (!err && format) err = ovk_mat_set_format(*A, format);
  if (!err) {
    if (dice_once_in(&own, 2)) shuffle(&mine, &own);
    if (dice_once_in(&own, 3)) {
      add_rows(*A, S, &mine);
    } else {
      for (int k = 0; k < mine.count; k++) { /* failures are also reported by assemble */
        (void)ovk_mat_add(*A, mine.entries[k].i, mine.entries[k].j, mine.entries[k].value);
      }
    }
    err = ovk_mat_assemble(*A);
  }
  free(mine.entries);
  return err;
}

void random_multiply(const random_problem *S, const double *x, double *y, double *size)
{
  *size = 0;
  for (int r = 0; r < S->local; r++) {
    const double *row = S->A + (size_t)(S->start + r) * (size_t)S->n;
    double sum = 0, sum_of_sizes = 0;
    for (int j = 0; j < S->n; j++) {
      sum += row[j] * x[j];
      sum_of_sizes += fabs(row[j] * x[j]);
    }
    y[r] = sum;
    *size = fmax(*size, sum_of_sizes);
  }
}

void random_gather(const random_problem *S, const double *part, double *x)
{
  for (int i = 0; i < S->n; i++) x[i] = 0;
  if (S->local) memcpy(x + S->start, part, (size_t)S->local * sizeof *x);
  MPI_Allreduce(MPI_IN_PLACE, x, S->n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

double random_residual(const random_problem *S, const double *part, double *rounding)
{
  double *x = new_memory(((size_t)S->n + 1) * sizeof *x), sums[2] = {0, 0};
  random_gather(S, part, x);
  for (int r = 0; r < S->local; r++) {
    const double *row = S->A + (size_t)(S->start + r) * (size_t)S->n;
    double rest = S->b[S->start + r], size = fabs(rest);
    for (int j = 0; j < S->n; j++) {
      rest -= row[j] * x[j];
      size += fabs(row[j] * x[j]);
    }
    sums[0] += rest * rest;
    sums[1] += size * size;
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  free(x);
  *rounding = 8 * DBL_EPSILON * sqrt(sums[1]);
  return sqrt(sums[0]);
}
