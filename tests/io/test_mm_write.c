/* SPDX-License-Identifier: BSD-2-Clause */
/* Writing, and reading back the same bits. */
#include "matrix/mat_impl.h"
#include "mm_support.h"
#include "support/problem.h"

#include <dirent.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* Numbers that are hard to print, then random ones of all magnitudes. */
static double hard_number(uint64_t index)
{
  static const double hard[] = {-0.0,     1e308,
                                -DBL_MAX, DBL_MIN,
                                4.9e-324, -2.2250738585072011e-308,
                                INFINITY, 0.1,
                                1.0 / 3,  1e23,
                                5e-324,   9007199254740993.0,
                                0,        -1e-310,
                                1,        123456789012345678.0};
  if (index < sizeof hard / sizeof *hard) return hard[index];
  return ldexp(random_number(3, index) - 0.5, (int)(2000 * random_number(4, index)) - 1000);
}

static void assert_same_bits(double a, double b)
{
  assert_memory_equal(&a, &b, sizeof a);
}

TEST(vectors_come_back_bit_for_bit)
{
  static const int sizes[] = {0, 1, 2, 5, 17, 100};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    const char *path = scratch_path();
    scoped_vec *v = even_vec(test_ctx(), n), *w = even_vec(test_ctx(), n);
    for (int i = 0; i < ovk_vec_local_size(v); i++)
      ovk_vec_array(v)[i] = hard_number((uint64_t)(ovk_vec_first(v) + i));
    assert_ok(ovk_vec_write_mm(v, path));
    assert_ok(ovk_vec_read_mm(w, path));
    for (int i = 0; i < ovk_vec_local_size(v); i++)
      assert_same_bits(ovk_vec_array(w)[i], ovk_vec_array(v)[i]);
    remove_scratch(path);
  }
}

/* Each row has its diagonal and a few others; nlocal differs from the choice of the reader. */
static ovk_mat *hard_matrix(ovk_lidx nlocal)
{
  ovk_mat *A = new_mat(nlocal);
  const ovk_gidx n = ovk_mat_size(A);
  for (ovk_gidx i = ovk_mat_row_begin(A); i < ovk_mat_row_begin(A) + nlocal; i++) {
    for (ovk_gidx j = i % 3; j < n; j += 1 + (i + j) % 5)
      assert_ok(ovk_mat_add(A, i, j, hard_number((uint64_t)(i * n + j))));
  }
  return assembled(A);
}

static void assert_same_matrix(const ovk_mat *A, const ovk_mat *B)
{
  assert_int_equal(ovk_mat_size(A), ovk_mat_size(B));
  assert_int_equal(ovk_mat_nnz(A), ovk_mat_nnz(B));
  const size_t n = (size_t)ovk_mat_size(A);
  scoped_array double *a = dense_of(A), *b = dense_of(B);
  assert_memory_equal(a, b, n * n * sizeof *a + (n == 0));
}

static void assert_matrix_comes_back(ovk_lidx nlocal)
{
  const char *path = scratch_path();
  scoped_mat *A = hard_matrix(nlocal), *B = NULL;
  assert_ok(ovk_mat_write_mm(A, path));
  assert_ok(ovk_mat_read_mm(test_ctx(), path, NULL, &B));
  assert_same_matrix(A, B);
  remove_scratch(path);
}

TEST(matrices_come_back_bit_for_bit)
{
  assert_matrix_comes_back(0);
  assert_matrix_comes_back(1);
  assert_matrix_comes_back(test_rank % 2 ? 0 : 9);
  assert_matrix_comes_back(test_rank ? 0 : 25);
  assert_matrix_comes_back(5 + test_rank);
}

static ovk_err assert_minus_zero(void *arg, ovk_gidx i, ovk_gidx j, double value)
{
  if (i == j) assert_true(value == 0 && signbit(value));
  return OVK_OK;
}

TEST(minus_zero_stays_minus_zero_in_a_matrix)
{
  const char *path = scratch_path();
  scoped_mat *A = new_mat(2);
  for (ovk_gidx i = 0; i < 2; i++)
    assert_ok(ovk_mat_add(A, ovk_mat_row_begin(A) + i, ovk_mat_row_begin(A) + i, -0.0));
  assert_ok(ovk_mat_assemble(A));
  assert_ok(ovk_mat_write_mm(A, path));
  scoped_mat *B = new_mat_of_file(path, NULL);
  assert_ok(ovk__mat_for_each_entry(B, assert_minus_zero, NULL));
  remove_scratch(path);
}

TEST(a_longer_file_is_replaced)
{
  const char *path = scratch_path();
  scoped_vec *v = even_vec(test_ctx(), 50), *w = even_vec(test_ctx(), 3);
  assert_ok(ovk_vec_write_mm(v, path));
  assert_ok(ovk_vec_write_mm(w, path));
  assert_ok(ovk_vec_read_mm(w, path));
  remove_scratch(path);
}

TEST(the_file_is_plain_text)
{
  const char *path = scratch_path();
  scoped_mat *A = new_mat(test_rank ? 0 : 2);
  if (test_rank == 0) {
    assert_ok(ovk_mat_add(A, 0, 1, 0.5));
    assert_ok(ovk_mat_add(A, 1, 1, -2));
  }
  assert_ok(ovk_mat_assemble(A));
  assert_ok(ovk_mat_write_mm(A, path));
  char text[200] = "";
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  const size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  assert_true(length < sizeof text);
  assert_string_equal(text,
                      "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 0.5\n2 2 -2\n");
  remove_scratch(path);
}

TEST(the_locale_does_not_matter)
{
  if (!use_comma_locale()) skip();
  const char *path = scratch_path();
  scoped_vec *v = even_vec(test_ctx(), 9);
  assert_ok(ovk_vec_fill(v, 1.5));
  assert_ok(ovk_vec_write_mm(v, path));
  setlocale(LC_NUMERIC, "C");
  assert_ok(ovk_vec_fill(v, 0));
  assert_ok(ovk_vec_read_mm(v, path));
  for (int i = 0; i < ovk_vec_local_size(v); i++) assert_true(ovk_vec_array(v)[i] == 1.5);
  remove_scratch(path);
}

TEST(files_that_cannot_be_made_are_io_errors)
{
  scoped_vec *v = even_vec(test_ctx(), 5);
  assert_error(ovk_vec_write_mm(v, "/nowhere/at/all.mtx"), OVK_ERR_IO,
               "/nowhere/at/all.mtx: No such file or directory");
  assert_error(ovk_vec_write_mm(v, "/"), OVK_ERR_IO, "/: this is a directory");
  assert_error(ovk_vec_write_mm(v, NULL), OVK_ERR_ARG, "path is NULL");
}

static void meet(void)
{
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Files that a writer of these ranks has left in the folder of `path`. */
static int files_beside(const char *path)
{
  char folder[200], prefix[64];
  const int length = snprintf(folder, sizeof folder, "%s", path);
  assert_true(length < (int)sizeof folder && strrchr(folder, '/'));
  *strrchr(folder, '/') = '\0';
  long pid = getpid(); /* of rank 0, which names them */
  MPI_Bcast(&pid, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  snprintf(prefix, sizeof prefix, ".ovk_%ld_", pid);
  int count = 0;
  DIR *list = opendir(folder);
  assert_non_null(list);
  for (const struct dirent *entry; (entry = readdir(list));)
    count += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
  closedir(list);
  return count;
}

/* A limit on the size of files simulates a full disk. */
TEST(a_full_disk_is_an_io_error)
{
  const char *path = scratch_path();
  ovk_vec *v = even_vec(test_ctx(), 20000), *old = even_vec(test_ctx(), 3);
  assert_ok(ovk_vec_fill(old, 7));
  assert_ok(ovk_vec_write_mm(old, path));
  ovk_vec_destroy(&old);
  struct rlimit before;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  const struct rlimit little = {4096, before.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
  const ovk_err err = ovk_vec_write_mm(v, path);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, SIG_DFL);
  assert_error(err, OVK_ERR_IO, path);
  /* The existing file is unchanged, and there is no other. */
  ovk_vec *w = even_vec(test_ctx(), 3);
  assert_ok(ovk_vec_read_mm(w, path));
  for (int i = 0; i < ovk_vec_local_size(w); i++) assert_true(ovk_vec_array(w)[i] == 7);
  assert_int_equal(files_beside(path), 0);
  ovk_vec_destroy(&w);
  ovk_vec_destroy(&v);
  remove_scratch(path);
}

/* The file gets the mode that open(2) would give it, and keeps the one that it has. */
TEST(permissions_are_those_of_the_old_file)
{
  const char *path = scratch_path();
  scoped_vec *v = even_vec(test_ctx(), 3);
  struct stat info;
  const mode_t before = umask(027);
  assert_ok(ovk_vec_write_mm(v, path));
  umask(before);
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_mode & 07777, 0640);
  meet();
  if (test_rank == 0) assert_int_equal(chmod(path, 0604), 0);
  assert_ok(ovk_vec_write_mm(v, path));
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_mode & 07777, 0604);
  meet();
  remove_scratch(path);
}

TEST(what_a_symbolic_link_points_to_is_replaced)
{
  char path[200], link[220];
  snprintf(path, sizeof path, "%s", scratch_path());
  snprintf(link, sizeof link, "%s.link", path);
  scoped_vec *v = even_vec(test_ctx(), 3);
  if (test_rank == 0) assert_int_equal(symlink(path, link), 0);
  assert_error(ovk_vec_write_mm(v, link), OVK_ERR_IO, link); /* a dangling link */
  assert_ok(ovk_vec_write_mm(v, path));
  assert_ok(ovk_vec_fill(v, 7));
  assert_ok(ovk_vec_write_mm(v, link));
  struct stat info;
  assert_int_equal(lstat(link, &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  assert_ok(ovk_vec_fill(v, 0));
  assert_ok(ovk_vec_read_mm(v, path));
  for (int i = 0; i < ovk_vec_local_size(v); i++) assert_true(ovk_vec_array(v)[i] == 7);
  meet();
  if (test_rank == 0) assert_int_equal(unlink(link), 0);
  remove_scratch(path);
}

TEST(only_assembled_matrices_can_be_written)
{
  scoped_mat *A = new_shell(2, NULL, .mult = no_product);
  assert_error(ovk_mat_write_mm(A, "a.mtx"), OVK_ERR_UNSUPPORTED, "shell");
  ovk_mat_destroy(&A);
  assert_ok(ovk_mat_create(test_ctx(), 2, &A));
  assert_error(ovk_mat_write_mm(A, "a.mtx"), OVK_ERR_STATE, "not assembled");
}
