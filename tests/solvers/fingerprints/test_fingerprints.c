/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves with exact sums have the bits of fingerprints.txt, on any machine that computes with IEEE
 * doubles, with any compiler and over any backend. With exact=sums there is a row for each number
 * of ranks, method and preconditioner, which has for each format the fingerprints of the totals and
 * of x. With exact=all any number of ranks, any partition and any formats have the same ones. The
 * format "sym3" has another problem, whose rows come in threes. make.sh writes the file. */
#include "core/base/hash64.h"
#include "support/methods.h"
#include "support/problem.h"

#include <inttypes.h>

static const char *const backends[] = {"blocking", "shm", "nbc:alg=ring"};
static const char *const preconds[] = {"none", "jacobi", "chebyshev", "amg:coarse=20"};
static const char *const formats[] = {"csr", "sell", "dia", "symdia", "pattern", "sym", "sym3"};
enum { BACKENDS = 3, PRECONDS = 4, FORMATS = 7, SOME = 3 /* steps over formats */, LINE = 128 };
enum { MOST_RANKS = 3 }; /* with lines of exact=sums */

/* All lines of the file; or the file that is written, on rank 0. */
static char *expected;
static FILE *written;

static uint64_t bits_of(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Of all rows, which the sum over the ranks includes. */
static uint64_t hash_of(const ovk_vec *x, ovk_gidx first)
{
  const double *values = ovk_vec_array_const(x);
  uint64_t sum = 0;
  for (ovk_lidx i = 0; i < ovk_vec_local_size(x); i++) {
    sum += ovk__mix(bits_of(values[i]) ^ ovk__mix((uint64_t)(first + i)));
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/* A row is "1 cg jacobi", its cells " csr=HASH/HASH". */
static void check_cell(const char *row, const char *cell, bool writes)
{
  if (!getenv("OVK_TEST_FINGERPRINTS_WRITE")) {
    const char *place = strstr(expected, row);
    const char *found = place ? strstr(place, cell) : NULL;
    if (!found || found > strchr(place + 1, '\n'))
      fail_msg("fingerprints.txt has no%s%s", row, cell);
  } else if (writes && written) {
    fprintf(written, "%s%s", row, cell);
  }
}

/* Whether a format is for rows in threes. */
static bool is_of_threes(const char *format)
{
  return strcmp(format, "sym3") == 0;
}

/* The row "1 cg jacobi" and its cell " csr=HASH/HASH", or with exact=all the row "all cg jacobi"
 * and its cell " any=HASH/HASH" or " threes=HASH/HASH". */
static void check_solve(const linear_system *s, const char *const names[4], ovk_result res,
                        bool writes)
{
  const bool all = strcmp(names[0], "all") == 0;
  const char *any = is_of_threes(names[3]) ? "threes" : "any";
  char ranks[16], row[LINE], cell[LINE];
  snprintf(ranks, sizeof ranks, "%d", test_size);
  snprintf(row, LINE, "\n%s %s %s", all ? "all" : ranks, names[1], names[2]);
  snprintf(cell, LINE, " %s=%016" PRIx64 "/%016" PRIx64, all ? any : names[3], res.fingerprint,
           hash_of(s->x, ovk_mat_row_begin(s->A)));
  check_cell(row, cell, writes);
}

/* Solves over each backend, unless it is refused: a method may need factors that M does not have,
 * and exact=all does not take all methods and formats. Names: exact, method, preconditioner,
 * format. */
static void solve_everywhere(const linear_system *s, const char *const names[4])
{
  const bool only_once = strcmp(names[0], "all") == 0;
  const bool is_first =
      test_size == 1 && (strcmp(names[3], formats[0]) == 0 || is_of_threes(names[3]));
  for (int k = 0; k < BACKENDS; k++) {
    ovk_solver_opts opts = with_method(names[1]);
    ovk_solver *solver = NULL;
    opts.exact = names[0];
    opts.backend = backends[k];
    const ovk_err err = ovk_solver_create(s->A, s->M, &opts, &solver);
    if (err == OVK_ERR_UNSUPPORTED) return;
    assert_int_equal(err, OVK_OK);
    const ovk_result res = solve_from_zero(solver, s->b, s->x);
    ovk_solver_destroy(&solver);
    check_solve(s, names, res, k == 0 && (!only_once || is_first));
  }
}

enum { NX = 5, NY = 4, NZ = 12, ROWS = NX * NY * NZ, THREE = 3 };

/* Adds row i of the 27-point problem. */
static void add_row(ovk_mat *A, int i)
{
  const int x = i % NX, y = i / NX % NY, z = i / NX / NY;
  for (int k = 0; k < 27; k++) {
    const int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
    const bool inside =
        x + dx >= 0 && x + dx < NX && y + dy >= 0 && y + dy < NY && z + dz >= 0 && z + dz < NZ;
    const int j = i + dx + NX * (dy + NY * dz);
    if (inside) assert_ok(ovk_mat_add(A, i, j, i == j ? 26 : -1));
  }
}

/* Adds row i of the problem of threes: blocks of 3 x 3 entries on five diagonals. */
static void add_row_of_threes(ovk_mat *A, int i)
{
  static const int offsets[] = {-9, -1, 0, 1, 9};
  for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++) {
    const int block = THREE * (i / THREE + offsets[k]);
    for (int j = block; block >= 0 && block < ROWS && j < block + THREE; j++) {
      assert_ok(ovk_mat_add(A, i, j, i == j ? 15 : -1));
    }
  }
}

/* A problem, in the order of exact=all if `ordered`, with `rows` from [0] to [1] - 1 on this rank;
 * NULL if some rank's rows do not fit in its format. */
static ovk_mat *new_problem_of(bool threes, bool ordered, const int rows[2], const char *format)
{
  ovk_mat *A = new_mat(rows[1] - rows[0]);
  if (ordered) assert_ok(ovk_mat_set_keys(A, NULL));
  assert_ok(ovk_mat_set_format(A, format));
  for (int i = rows[0]; i < rows[1]; i++) {
    if (threes) {
      add_row_of_threes(A, i);
    } else {
      add_row(A, i);
    }
  }
  const ovk_err err = ovk_mat_assemble(A);
  if (err == OVK_ERR_UNSUPPORTED) ovk_mat_destroy(&A);
  assert_true(!A || err == OVK_OK);
  return A;
}

/* The problem of a format with about equal parts for the ranks. */
static ovk_mat *new_even_problem(const char *format)
{
  const bool threes = is_of_threes(format);
  const int unit = threes ? THREE : NX * NY, n = ROWS / unit;
  const int rows[2] = {unit * (n * test_rank / test_size),
                       unit * (n * (test_rank + 1) / test_size)};
  ovk_mat *A = new_problem_of(threes, false, rows, format);
  assert_non_null(A);
  return A;
}

static int by_size(const void *a, const void *b)
{
  return *(const int *)a - *(const int *)b;
}

/* The rows of this rank begin at [0], those of the next rank at [1], multiples of `unit`. Ranks may
 * have none. */
static void cut_at_random(dice *d, int unit, int rows[2])
{
  const int n = ROWS / unit;
  int cut[64] = {0};
  for (int r = 1; r < test_size; r++) cut[r] = dice_once_in(d, 4) ? n : dice_below(d, n + 1);
  cut[test_size] = n;
  qsort(cut + 1, (size_t)test_size - 1, sizeof *cut, by_size);
  rows[0] = unit * cut[test_rank];
  rows[1] = unit * cut[test_rank + 1];
}

/* The problem of a format on a random partition. Ranks store their rows in formats of their own. */
static ovk_mat *new_cut_problem(const char *format, int draw)
{
  static const char *const ordered[] = {"csr", "dia",     "symdia",       "sell",   "auto",
                                        "sym", "pattern", "pattern:runs", "dia:few"};
  enum { ORDERED = sizeof ordered / sizeof *ordered };
  const bool threes = is_of_threes(format);
  const char *own = ordered[(draw + test_rank) % ORDERED];
  dice d = {(uint64_t)draw, 0};
  int rows[2];
  cut_at_random(&d, threes ? THREE : 1, rows);
  ovk_mat *A = new_problem_of(threes, true, rows, threes && test_rank % 2 == 0 ? format : own);
  if (!A) A = new_problem_of(threes, true, rows, test_rank % 2 ? "csr" : "auto");
  assert_non_null(A);
  return A;
}

/* Takes A. */
static void solve_by_all_methods(ovk_mat *A, const char *exact, const char *precond,
                                 const char *format)
{
  ovk_choice method = OVK_CHOICE;
  scoped_system s = new_system(A, precond);
  fill_random(s.b, 7);
  for (int m = 0; list_named_methods(test_ctx(), m, &method); m++) {
    solve_everywhere(&s, (const char *const[]){exact, method.name, precond, format});
  }
}

static char *read_all(const char *path)
{
  enum { MOST = 1 << 20 };
  FILE *file = fopen(path, "r");
  char *text = new_zeros(1, MOST);
  assert_non_null(file);
  assert_true(fread(text, 1, MOST - 1, file) < MOST - 1);
  fclose(file);
  return text;
}

/* OVK_TEST_FINGERPRINTS=all: all formats, with random partitions for each; else one of each family
 * of kernels. With OVK_TEST_FINGERPRINTS_WRITE=FILE the lines are appended to that file, and not
 * compared. */
TEST(solves_have_the_bits_of_the_file)
{
  const char *write_to = getenv("OVK_TEST_FINGERPRINTS_WRITE"),
             *all = getenv("OVK_TEST_FINGERPRINTS");
  const int step = write_to || all ? 1 : SOME;
  if (!write_to) expected = read_all(OVK_FINGERPRINTS_FILE);
  if (write_to && test_rank == 0) {
    written = fopen(write_to, "a");
    assert_non_null(written);
  }
  for (int p = 0; p < PRECONDS; p++) {
    for (int f = 0; f < FORMATS; f += step) {
      if (test_size <= MOST_RANKS) {
        solve_by_all_methods(new_even_problem(formats[f]), "sums", preconds[p], formats[f]);
      }
      solve_by_all_methods(new_cut_problem(formats[f], PRECONDS * f + p), "all", preconds[p],
                           formats[f]);
    }
  }
  if (written) assert_int_equal(fclose(written), 0);
  free(expected);
}
