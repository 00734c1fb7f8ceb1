/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of a part of a file: for any cuts, each line is read once and completely. */
#include "matrix/io/mm_lines.h"
#include "mm_support.h"

static void open_lines(const char *path, ovk__mm_lines *lines)
{
  assert_ok(ovk__mm_lines_open(test_ctx(), path, lines));
}

/* Reads the share and appends its lines to *text, with newlines. */
static int64_t append_share(ovk__mm_lines *lines, MPI_Offset begin, MPI_Offset end, char *text)
{
  ovk__mm_line line = {0};
  bool found;
  assert_ok(ovk__mm_lines_share(lines, begin, end));
  for (;;) {
    assert_ok(ovk__mm_lines_next(lines, &line, &found));
    if (!found) return lines->count;
    strcat(text, line.at);
    strcat(text, "\n");
    assert_int_equal(strlen(line.at), line.end - line.at);
    assert_int_equal(line.number, lines->count);
  }
}

TEST(any_two_cuts_give_each_line_once)
{
  static const char text[] = "one\n\ntwo two\n\n\nthree\nx\nlast";
  const int size = (int)strlen(text);
  const char *path = scratch_file(text, (size_t)size);
  SCOPED(ovk__mm_lines_close) ovk__mm_lines lines;
  open_lines(path, &lines);
  assert_int_equal(lines.size, size);
  for (int a = 0; a <= size; a++) {
    for (int b = a; b <= size; b++) {
      char found[64] = "";
      int64_t count = append_share(&lines, 0, a, found);
      count += append_share(&lines, a, b, found);
      count += append_share(&lines, b, size, found);
      assert_string_equal(found, "one\n\ntwo two\n\n\nthree\nx\nlast\n");
      assert_int_equal(count, 8);
    }
  }
  remove_scratch(path);
}

TEST(an_empty_file_has_no_lines)
{
  const char *path = scratch_file("", 0);
  SCOPED(ovk__mm_lines_close) ovk__mm_lines lines;
  open_lines(path, &lines);
  char found[8] = "";
  assert_int_equal(append_share(&lines, 0, 0, found), 0);
  remove_scratch(path);
}

/* A text of more than two blocks; line k is k followed by k % 97 times x. */
static char *long_text(size_t *size)
{
  const size_t most = 2 * OVK__MM_BLOCK + 5000;
  char *text = new_memory(most + 200);
  *size = 0;
  for (int k = 0; *size < most; k++) {
    *size += (size_t)sprintf(text + *size, "%d ", k);
    memset(text + *size, 'x', (size_t)(k % 97));
    *size += (size_t)(k % 97);
    text[(*size)++] = '\n';
  }
  return text;
}

/* The next line, checked against the number it starts with. */
static bool read_number(ovk__mm_lines *lines, int *k)
{
  ovk__mm_line line = {0};
  bool found;
  assert_ok(ovk__mm_lines_next(lines, &line, &found));
  if (!found) return false;
  *k = atoi(line.at);
  assert_int_equal(strlen(strchr(line.at, ' ')), 1 + *k % 97);
  return true;
}

TEST(lines_are_whole_over_the_ends_of_blocks)
{
  size_t size;
  char *text = long_text(&size);
  const char *path = scratch_file(text, size);
  free(text);
  SCOPED(ovk__mm_lines_close) ovk__mm_lines lines;
  open_lines(path, &lines);
  for (MPI_Offset begin = 0; begin < 130; begin += 13) { /* blocks then end elsewhere in lines */
    assert_ok(ovk__mm_lines_share(&lines, begin, (MPI_Offset)size));
    int last = -1, k = -1;
    while (read_number(&lines, &k)) {
      assert_true(last < 0 || k == last + 1);
      last = k;
    }
    assert_int_equal(ovk__mm_lines_position(&lines), size);
  }
  remove_scratch(path);
}

TEST(only_the_rest_of_the_last_line_is_read_behind_a_share)
{
  size_t size;
  char *text = long_text(&size);
  const char *path = scratch_file(text, size);
  free(text);
  SCOPED(ovk__mm_lines_close) ovk__mm_lines lines;
  open_lines(path, &lines);
  assert_ok(ovk__mm_lines_share(&lines, 1000, 2000));
  int k;
  while (read_number(&lines, &k)) continue;
  assert_true(ovk__mm_lines_position(&lines) >= 2000);
  assert_true(lines.read <= 2000 + OVK__MM_OVERHANG);
  remove_scratch(path);
}

static void assert_longest(size_t length, bool newline, bool accepted)
{
  char *text = new_memory(length + 3);
  memcpy(text, "a\n", 2);
  memset(text + 2, 'b', length);
  text[length + 2] = '\n';
  const char *path = scratch_file(text, length + 2 + newline);
  free(text);
  SCOPED(ovk__mm_lines_close) ovk__mm_lines lines;
  open_lines(path, &lines);
  ovk__mm_line line = {0};
  bool found;
  assert_ok(ovk__mm_lines_share(&lines, 0, lines.size));
  assert_ok(ovk__mm_lines_next(&lines, &line, &found));
  const ovk_err err = ovk__mm_lines_next(&lines, &line, &found);
  assert_int_equal(err, accepted ? OVK_OK : OVK_ERR_FORMAT);
  assert_int_equal(line.number, 2);
  if (accepted) assert_int_equal(line.end - line.at, length);
  if (!accepted) assert_string_equal(line.why, "the line is longer than 65536 bytes");
  remove_scratch(path);
}

TEST(a_line_may_have_64_kib_and_no_more)
{
  for (int newline = 0; newline < 2; newline++) {
    assert_longest(OVK__MM_LONGEST, newline, true);
    assert_longest(OVK__MM_LONGEST + 1, newline, false);
    assert_longest(3 * OVK__MM_BLOCK, newline, false);
  }
}

TEST(a_file_that_shrank_is_an_io_error)
{
  const char *path = scratch_file("1\n2\n", 4);
  SCOPED(ovk__mm_lines_close) ovk__mm_lines lines;
  open_lines(path, &lines);
  lines.size = 9;
  assert_ok(ovk__mm_lines_share(&lines, 0, 9));
  char part[64];
  snprintf(part, sizeof part, "had 9 bytes, but now ends after 4");
  ovk__mm_line line = {0};
  bool found = true;
  ovk_err err = OVK_OK;
  while (!err && found) err = ovk__mm_lines_next(&lines, &line, &found);
  assert_local_error(err, OVK_ERR_IO, part);
  remove_scratch(path);
}
