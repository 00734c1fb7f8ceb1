/* SPDX-License-Identifier: BSD-2-Clause */
/* Malformed files: an error that names file and line, the same on all ranks and for any number of
 * ranks, and no leaks. */
#include "mm_support.h"

#include <dirent.h>
#include <sys/stat.h>

#define COORDINATE "%%MatrixMarket matrix coordinate real "
#define ARRAY "%%MatrixMarket matrix array real "

typedef struct bad_text {
  ovk_err code;
  const char *text, *fault; /* the message from the line number on */
} bad_text;

static void assert_bad_texts(const bad_text *bad, size_t n, int vector_size)
{
  for (size_t i = 0; i < n; i++) {
    const char *path = scratch_file(bad[i].text, strlen(bad[i].text));
    char part[700];
    snprintf(part, sizeof part, "%s:%s", path, bad[i].fault);
    if (vector_size)
      assert_vector_error(path, vector_size, bad[i].code, part);
    else
      assert_matrix_error(path, bad[i].code, part);
    remove_scratch(path);
  }
}

TEST(bad_banners_are_named)
{
  static const bad_text bad[] = {
      {OVK_ERR_FORMAT, "\n", "1: does not start with '%%MatrixMarket'"},
      {OVK_ERR_FORMAT, "1 1 1\n", "1: does not start with '%%MatrixMarket'"},
      {OVK_ERR_FORMAT, " " COORDINATE "general\n1 1 0\n", "1: does not start with"},
      {OVK_ERR_FORMAT, "%%MatrixMarketX matrix\n", "1: does not start with"},
      {OVK_ERR_FORMAT, "%%MatrixMarket",
       "1: the banner ends before the object: one of matrix, vector"},
      {OVK_ERR_FORMAT, "%%MatrixMarket tensor", "1: object 'tensor' is none of matrix, vector"},
      {OVK_ERR_FORMAT, "%%MatrixMarket matrix sparse",
       "1: format 'sparse' is none of coordinate, array"},
      {OVK_ERR_FORMAT, "%%MatrixMarket matrix array float general",
       "1: field 'float' is none of real, double, integer, pattern, complex"},
      {OVK_ERR_FORMAT, COORDINATE,
       "1: the banner ends before the symmetry: one of general, symmetric, "
       "skew-symmetric, hermitian"},
      {OVK_ERR_FORMAT, COORDINATE "lower\n", "1: symmetry 'lower' is none of"},
      {OVK_ERR_FORMAT, COORDINATE "general extra\n", "1: the word 'extra' is one too many"},
      {OVK_ERR_UNSUPPORTED, "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n",
       "1: complex values are not supported"},
      {OVK_ERR_UNSUPPORTED, COORDINATE "Hermitian\n1 1 0\n",
       "1: hermitian matrices are not supported"},
      {OVK_ERR_FORMAT, "%%MatrixMarket matrix array pattern general\n1 1\n",
       "1: a pattern cannot be an array"},
      {OVK_ERR_FORMAT, "%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0\n",
       "1: a pattern cannot be skew-symmetric"},
      {OVK_ERR_FORMAT, "%%MatrixMarket vector array real symmetric\n1\n1\n",
       "1: a vector cannot be symmetric"},
      {OVK_ERR_ARG, "%%MatrixMarket vector array real general\n1\n1\n",
       "1: this is a vector, not a matrix"},
  };
  assert_bad_texts(bad, COUNT(bad), 0);
}

TEST(bad_size_lines_are_named)
{
  static const bad_text bad[] = {
      {OVK_ERR_FORMAT, COORDINATE "general\n%\n\n", "3: the file ends before the line of sizes"},
      {OVK_ERR_FORMAT, COORDINATE "general", "1: the file ends before the line of sizes"},
      {OVK_ERR_FORMAT, COORDINATE "general\n2 2\n", "2: the number of entries is missing"},
      {OVK_ERR_FORMAT, COORDINATE "general\n\n2 2 1 1\n", "3: the word '1' is one too many"},
      {OVK_ERR_FORMAT, COORDINATE "general\n-3 3 1\n", "2: the number of rows is negative: -3"},
      {OVK_ERR_FORMAT, COORDINATE "general\n3 3 -1\n", "2: the number of entries is negative: -1"},
      {OVK_ERR_FORMAT, COORDINATE "general\n3 x 1\n",
       "2: number of columns 'x' is not a whole number"},
      {OVK_ERR_RANGE, COORDINATE "general\n3 3 9223372036854775808\n",
       "2: number of entries '9223372036854775808' does not fit 64 bits"},
      {OVK_ERR_RANGE, ARRAY "general\n4000000000 4000000000\n",
       "2: 4000000000 times 4000000000 values do not fit 64 bits"},
      {OVK_ERR_ARG, COORDINATE "general\n%\n2 3 0\n", "3: not square: 2 rows, 3 columns"},
      {OVK_ERR_ARG, COORDINATE "symmetric\n2 3 0\n",
       "2: symmetric, but not square: 2 rows, 3 columns"},
      {OVK_ERR_FORMAT, ARRAY "general\n2 2 4\n", "2: the word '4' is one too many"},
  };
  assert_bad_texts(bad, COUNT(bad), 0);
}

TEST(bad_entries_are_named)
{
  static const bad_text bad[] = {
      {OVK_ERR_FORMAT, COORDINATE "general\n3 3 2\n1 1 1\n4 2 1\n",
       "4: row index 4 is not in 1..3"},
      {OVK_ERR_FORMAT, COORDINATE "general\n3 3 2\n1 1 1\n\n3 0 1",
       "5: column index 0 is not in 1..3"},
      {OVK_ERR_FORMAT, COORDINATE "general\n3 3 2\n%\n-1 1 1\n", "4: row index -1 is not in 1..3"},
      {OVK_ERR_RANGE, COORDINATE "general\n3 3 1\n9223372036854775808 1 1\n",
       "3: row index '9223372036854775808' does not fit 64 bits"},
      {OVK_ERR_FORMAT, COORDINATE "general\n3 3 2\n1 1 1\n1.0 2 1\n",
       "4: row index '1.0' is not a whole number"},
      {OVK_ERR_FORMAT, COORDINATE "general\n3 3 2\n1 1\n1 2 1\n", "3: the value is missing"},
      {OVK_ERR_FORMAT, COORDINATE "general\n3 3 2\n1 1 1\n3", "4: the column index is missing"},
      {OVK_ERR_FORMAT, COORDINATE "general\n3 3 1\n1 1 1 %\n", "3: the word '%' is one too many"},
      {OVK_ERR_FORMAT, COORDINATE "general\n3 3 1\n1 1 1,5\n", "3: value '1,5' is not a number"},
      {OVK_ERR_FORMAT, COORDINATE "symmetric\n3 3 1\n2 3 1\n",
       "3: entry (2, 3) is above the diagonal: symmetry implies it"},
      {OVK_ERR_FORMAT, COORDINATE "skew-symmetric\n3 3 1\n2 2 1\n",
       "3: entry (2, 2) is not 0, but skew symmetry implies that"},
      {OVK_ERR_FORMAT, "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n",
       "3: value '1.5' is not a whole number"},
      {OVK_ERR_FORMAT, "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1 1\n",
       "3: the word '1' is one too many"},
      {OVK_ERR_FORMAT, ARRAY "general\n2 2\n1\n2 3\n4\n", "4: the word '3' is one too many"},
  };
  assert_bad_texts(bad, COUNT(bad), 0);
}

TEST(wrong_numbers_of_entries_are_named)
{
  static const bad_text bad[] = {
      {OVK_ERR_FORMAT, COORDINATE "general\n3 3 2\n1 1 1\n2 2 2\n\n3 3 3\n3 2 1\n",
       "6: one entry more than the 2 that line 2 specifies"},
      {OVK_ERR_FORMAT, COORDINATE "general\n%\n3 3 0\n1 1 1\n",
       "4: one entry more than the 0 that line 3 specifies"},
      {OVK_ERR_FORMAT, ARRAY "general\n1 1\n0\n0\n", "4: one entry more than the 1 that line 2"},
      {OVK_ERR_FORMAT, COORDINATE "general\n3 3 3\n1 1 1\n2 2 2\n\n",
       "5: the file ends after 2 of 3 entries"},
      {OVK_ERR_FORMAT, COORDINATE "general\n3 3 3", "2: the file ends after 0 of 3 entries"},
      {OVK_ERR_FORMAT, ARRAY "symmetric\n2 2\n1\n2", "4: the file ends after 2 of 3 entries"},
  };
  assert_bad_texts(bad, COUNT(bad), 0);
}

/* A header of sixty bytes that requests 16 GB, and smaller ones. An invalid line is reported rather
 * than the lack of memory. */
TEST(matrices_with_too_few_entries_are_refused_before_they_take_memory)
{
#define MANY "2147483647 2147483647 "
  static const bad_text bad[] = {
      {OVK_ERR_ARG, COORDINATE "general\n%\n" MANY "0\n",
       "3: singular: 2147483647 rows, but 0 ent"},
      {OVK_ERR_ARG, COORDINATE "general\n" MANY "1\n" MANY "1\n",
       "2: singular: 2147483647 rows, but 1 entries, so that some rows have none"},
      {OVK_ERR_ARG, COORDINATE "symmetric\n" MANY "1\n" MANY "1\n",
       "2: singular: 2147483647 rows, but 1 entries and those that symmetry implies"},
      {OVK_ERR_ARG, COORDINATE "general\n2 2 1\n1 1 1\n", "2: singular: 2 rows, but 1 entries"},
      {OVK_ERR_ARG, COORDINATE "symmetric\n3 3 1\n2 1 1\n", "2: singular: 3 rows, but 1 entries"},
      {OVK_ERR_FORMAT, COORDINATE "general\n" MANY "1\n0 1 1\n",
       "3: row index 0 is not in 1..2147483647"},
      {OVK_ERR_FORMAT, COORDINATE "general\n" MANY "2147483647\n" MANY "1\n",
       "3: the file ends after 1 of 2147483647 entries"},
      {OVK_ERR_FORMAT, COORDINATE "symmetric\n" MANY "9223372036854775807\n" MANY "1\n",
       "3: the file ends after 1 of 9223372036854775807 entries"},
      {OVK_ERR_FORMAT, ARRAY "general\n3037000499 3037000499\n1\n2\n",
       "4: the file ends after 2 of 9223372030926249001 entries"},
  };
#undef MANY
  assert_bad_texts(bad, COUNT(bad), 0);
}

TEST(integers_that_a_double_cannot_hold_are_named)
{
  static const bad_text bad[] = {
      {OVK_ERR_RANGE,
       "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 9007199254740993\n",
       "3: the integer 9007199254740993 is no double: 9007199254740992 is nearest"},
      {OVK_ERR_RANGE, "%%MatrixMarket matrix array integer general\n1 1\n9223372036854775807\n",
       "3: the integer 9223372036854775807 is no double"},
      {OVK_ERR_RANGE, "%%MatrixMarket matrix array integer general\n1 1\n-9007199254740993\n",
       "3: the integer -9007199254740993 is no double"},
  };
  assert_bad_texts(bad, COUNT(bad), 0);
}

TEST(the_first_bad_line_is_the_one_named)
{
  static const bad_text bad[] = {
      {OVK_ERR_FORMAT,
       COORDINATE "general\n3 3 9\n1 1 1\nx 2 2\n2 y 1\n3 3 z\n1 2 1\n1 3 1\n2 3 q\n",
       "4: row index 'x' is not a whole number"},
      {OVK_ERR_FORMAT, COORDINATE "general\n3 3 1\n1 1 1\n2 2 1\n2 3 1\n3 3 1\n1 2 1\nq 3 1\n",
       "4: one entry more than the 1 that line 2 specifies"},
      {OVK_ERR_FORMAT, COORDINATE "general\n3 3 2\n1 1 1\n2 2 1\n3 q 1\n3 3 1\n3 1 1\n",
       "5: column index 'q' is not a whole number"},
  };
  assert_bad_texts(bad, COUNT(bad), 0);
}

TEST(bad_vectors_are_named)
{
  static const bad_text bad[] = {
      {OVK_ERR_FORMAT, "%%MatrixMarket vector coordinate real general\n4 2\n1 1\n5 1\n",
       "4: row index 5 is not in 1..4"},
      {OVK_ERR_FORMAT, "%%MatrixMarket vector coordinate real general\n4 1\n1 1 1\n",
       "3: the word '1' is one too many"},
      {OVK_ERR_FORMAT, "%%MatrixMarket vector array real general\n4 1\n1\n2\n3\n4\n",
       "2: the word '1' is one too many"},
      {OVK_ERR_ARG, "%%MatrixMarket vector array real general\n%\n3\n1\n2\n3\n",
       "3: has 3 rows, the vector 4"},
      {OVK_ERR_ARG, ARRAY "general\n4 2\n1\n2\n3\n4\n5\n6\n7\n8\n",
       "2: a vector has 1 column, not 2"},
  };
  assert_bad_texts(bad, COUNT(bad), 4);
}

/* Comments of growing length move the faulty line over the ends of the shares. */
TEST(faults_are_found_wherever_shares_are_cut)
{
  for (int n = 0; n < 40; n += 3) {
    char text[300];
    const bad_text bad[] = {{OVK_ERR_FORMAT, text, "6: column index 9 is not in 1..3"}};
    snprintf(text, sizeof text, "%s\n3 3 4\n1 1 1\n%%%.*s\n2 2 2\n3 9 1\n3 3 3\n",
             COORDINATE "general", n, "................................................");
    assert_bad_texts(bad, 1, 0);
  }
}

TEST(a_line_without_end_is_an_error)
{
  static const char head[] = COORDINATE "general\n2 2 2\n1 1 1\n";
  const size_t length = strlen(head), size = length + (1 << 20);
  scoped_array char *text = new_memory(size);
  memset(text, '7', size);
  memcpy(text, head, length);
  const char *path = scratch_file(text, size);
  char part[700];
  snprintf(part, sizeof part, "%s:4: the line is longer than 65536 bytes", path);
  assert_matrix_error(path, OVK_ERR_FORMAT, part);
  remove_scratch(path);
  memset(text, '%', size); /* a banner without end */
  path = scratch_file(text, size);
  snprintf(part, sizeof part, "%s:1: the line is longer than 65536 bytes", path);
  assert_matrix_error(path, OVK_ERR_FORMAT, part);
  remove_scratch(path);
}

TEST(binary_files_are_refused)
{
  char bytes[3000];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(int)(256 * random_number(7, i));
  const char *path = scratch_file(bytes, sizeof bytes);
  assert_matrix_error(path, OVK_ERR_FORMAT, ":1: does not start with '%%MatrixMarket'");
  remove_scratch(path);
}

TEST(files_that_are_none_are_io_errors)
{
  char part[700];
  const char *path = scratch_path();
  snprintf(part, sizeof part, "%s: No such file or directory", path);
  assert_matrix_error(path, OVK_ERR_IO, part);
  assert_vector_error(path, 3, OVK_ERR_IO, part);
  MPI_Barrier(MPI_COMM_WORLD);
  if (test_rank == 0) assert_int_equal(mkdir(path, 0700), 0);
  MPI_Barrier(MPI_COMM_WORLD);
  snprintf(part, sizeof part, "%s: this is a directory", path);
  assert_matrix_error(path, OVK_ERR_IO, part);
  remove_scratch(path);
  assert_matrix_error("/dev/null", OVK_ERR_IO, "/dev/null: not a regular file");
  assert_matrix_error("", OVK_ERR_IO, "No such file");
  path = scratch_file("", 0);
  snprintf(part, sizeof part, "%s:1: the file is empty", path);
  assert_matrix_error(path, OVK_ERR_FORMAT, part);
  remove_scratch(path);
}

TEST(bad_arguments_of_one_rank_are_errors_on_all)
{
  ovk_mat *A = NULL;
  assert_error(ovk_mat_read_mm(test_ctx(), is_last() ? NULL : "a.mtx", NULL, &A), OVK_ERR_ARG,
               "path is NULL");
  assert_error(ovk_mat_read_mm(test_ctx(), "a.mtx", NULL, is_last() ? NULL : &A), OVK_ERR_ARG,
               "out is NULL");
  if (test_size == 1) return;
  assert_error(ovk_mat_read_mm(test_ctx(), is_last() ? "a.mtx" : "b.mtx", NULL, &A), OVK_ERR_ARG,
               "different paths");
}

/* Not the files that an MPI keeps next to those that some process has open. */
static int is_matrix(const struct dirent *entry)
{
  const char *end = strrchr(entry->d_name, '.');
  return end && strcmp(end, ".mtx") == 0;
}

/* Some are vectors, so each is read as both: as a matrix, and as a vector of 4 rows. */
TEST(bad_files_from_elsewhere_are_refused_with_a_line)
{
  struct dirent **names;
  if (!matrix_path("bad")) skip();
  const int n = scandir(matrix_path("bad"), &names, is_matrix, alphasort);
  assert_true(n > 0);
  for (int i = 0; i < n; i++) {
    char path[1200], part[1300];
    snprintf(part, sizeof part, "bad/%s", names[i]->d_name);
    snprintf(path, sizeof path, "%s", matrix_path(part));
    snprintf(part, sizeof part, "%s:", path);
    ovk_mat *A = NULL;
    const ovk_err err = ovk_mat_read_mm(test_ctx(), path, NULL, &A);
    assert_int_not_equal(err, OVK_OK);
    assert_matrix_error(path, err, part);
    const char *line = strstr(ovk_ctx_error(test_ctx()), part) + strlen(part);
    assert_true(*line >= '1' && *line <= '9');
    ovk_vec *v = even_vec(test_ctx(), 4);
    const ovk_err vector_err = ovk_vec_read_mm(v, path);
    ovk_vec_destroy(&v);
    assert_int_not_equal(vector_err, OVK_OK);
    assert_vector_error(path, 4, vector_err, part);
    free(names[i]);
  }
  free(names);
}

TEST(unusual_files_from_elsewhere_are_refused_by_name)
{
  if (!matrix_path("odd")) skip();
  assert_matrix_error(matrix_path("odd/eye3_complex.mtx"), OVK_ERR_UNSUPPORTED,
                      "odd/eye3_complex.mtx:1: complex values are not supported");
  assert_matrix_error(matrix_path("odd/permissive_lines_indented.mtx"), OVK_ERR_FORMAT,
                      ":1: does not start with '%%MatrixMarket'");
}

TEST_GROUP(open_self, close_self)
