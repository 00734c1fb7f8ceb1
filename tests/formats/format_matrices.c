/* SPDX-License-Identifier: BSD-2-Clause */
/* The matrices, and the distribution of their rows. */
#include "format_matrices.h"
#include "format_rows.h"
#include "matrix/mat_impl.h"

static const struct {
  const char *name;
  ovk_gidx n;
  void (*put)(row *r);
} kinds[] = {
    {"27-point grid", GRID_POINTS, row_grid27},
    {"7-point grid", GRID_POINTS, row_grid7},
    {"variable 27-point grid", GRID_POINTS, row_variable_grid27},
    {"nearly equal rows", GRID_POINTS, row_nearly_equal_rows},
    {"two unknowns a point", 1000, row_interleaved2},
    {"three unknowns a point", 1001, row_interleaved3},
    {"duplicated rows", 1500, row_duplicated_rows},
    {"runs of rows", 4365, row_runs_of_rows},
    {"one long run", 5000, row_long_run},
    {"band", 777, row_band},
    {"band with holes", 1000, row_band_with_holes},
    {"symmetric band", 1000, row_symmetric_band},
    {"symmetric 3 x 3 blocks", 1350, row_symmetric_threes},
    {"sparse", 400, row_sparse},
    {"half full", 60, row_half_full},
    {"full", 53, row_full},
    {"irregular symmetric", 500, row_irregular_symmetric},
    {"symmetric places only", 300, row_symmetric_places_only},
    {"dense rows", 400, row_dense_rows},
    {"dense symmetric rows", 300, row_dense_symmetric_rows},
    {"empty rows", 500, row_empty_rows},
    {"no entries", 50, row_no_entries},
    {"no rows", 0, row_no_entries},
    {"upper triangle", 300, row_upper_triangle},
    {"diagonal", 1000, row_diagonal},
    {"diagonal with holes", 1000, row_diagonal_with_holes},
    {"antidiagonal", 100, row_antidiagonal},
    {"one row", 1, row_diagonal},
    {"one empty row", 1, row_no_entries},
    {"two rows", 2, row_full},
    {"nine rows", 9, row_band},
    {"wide offsets", 70000, row_wide_offsets},
    {"signed zeros", 400, row_signed_zeros},
    {"zeros of other sign", 100, row_zeros_of_other_sign},
    {"denormals", 200, row_denormals},
    {"huge and tiny", 400, row_huge_and_tiny},
    {"not numbers", 400, row_not_numbers},
};

/* Even shares; or all rows except on the first rank; or except on the last, and the first has
 * most. */
static ovk_lidx share(ovk_gidx n, uint64_t way)
{
  const int rows = (int)n;
  if (test_size == 1 || way % 3 == 0) return even_share(rows, test_rank, test_size);
  if (way % 3 == 1) return test_rank ? even_share(rows, test_rank - 1, test_size - 1) : 0;
  if (test_rank == test_size - 1) return 0;
  const int most = test_size == 2 ? rows : rows - rows / 8;
  return test_rank ? even_share(rows - most, test_rank - 1, test_size - 2) : most;
}

/* Room for nnz entries; ptr is all 0. */
static void make_rows(const char *name, ovk_gidx n, ovk_gidx first, ovk_lidx nlocal, int64_t nnz,
                      matrix_rows *out)
{
  *out = (matrix_rows){.name = name, .n = n, .first = first, .nlocal = nlocal};
  out->ptr = new_zeros((size_t)nlocal + 1, sizeof *out->ptr);
  out->col = new_memory((size_t)(nnz + 1) * sizeof *out->col);
  out->val = new_memory((size_t)(nnz + 1) * sizeof *out->val);
}

void free_rows(matrix_rows *rows)
{
  free(rows->ptr);
  free(rows->col);
  free(rows->val);
  *rows = (matrix_rows){0};
}

/* Stores the entries of this rank's rows, or counts them if there are no arrays. */
static int64_t put_rows(int which, uint64_t seed, matrix_rows *rows)
{
  int64_t nnz = 0;
  for (ovk_lidx i = 0; i < rows->nlocal; i++) {
    row r = {.seed = seed, .n = rows->n, .i = rows->first + i};
    if (rows->ptr) {
      r.col = rows->col + nnz;
      r.val = rows->val + nnz;
    }
    kinds[which].put(&r);
    nnz += r.count;
    if (rows->ptr) rows->ptr[i + 1] = nnz;
  }
  return nnz;
}

bool make_matrix(int which, uint64_t seed, matrix_rows *out)
{
  if (which >= (int)(sizeof kinds / sizeof *kinds)) return false;
  const ovk_gidx n = kinds[which].n;
  int64_t before = 0, mine = share(n, (uint64_t)which + seed);
  MPI_Exscan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  matrix_rows shape = {.n = n, .first = test_rank ? before : 0, .nlocal = (ovk_lidx)mine};
  const int64_t nnz = put_rows(which, seed, &shape);
  make_rows(kinds[which].name, n, shape.first, shape.nlocal, nnz, out);
  put_rows(which, seed, out);
  return true;
}

/* Copies the entries of a matrix row by row; or counts them if there are no arrays. */
typedef struct copy {
  matrix_rows rows;
  int64_t nnz;
} copy;

static ovk_err take_entry(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  copy *c = arg;
  if (c->rows.ptr) {
    c->rows.col[c->nnz] = j;
    c->rows.val[c->nnz] = value;
    c->rows.ptr[i - c->rows.first + 1]++;
  }
  c->nnz++;
  return OVK_OK;
}

void read_matrix(const char *file, matrix_rows *rows)
{
  copy c = {0};
  ovk_mat *A = new_mat_of_file(matrix_path(file), "csr");
  assert_ok(ovk__mat_for_each_entry(A, take_entry, &c));
  make_rows(file, ovk_mat_size(A), ovk_mat_row_begin(A), ovk_mat_local_size(A), c.nnz, &c.rows);
  c.nnz = 0;
  assert_ok(ovk__mat_for_each_entry(A, take_entry, &c));
  for (ovk_lidx i = 0; i < c.rows.nlocal; i++) c.rows.ptr[i + 1] += c.rows.ptr[i];
  ovk_mat_destroy(&A);
  *rows = c.rows;
}
