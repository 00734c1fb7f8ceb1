/* SPDX-License-Identifier: BSD-2-Clause */
/* Words and numbers of a line. */
#include "matrix/io/mm_words.h"
#include "support/test_main.h"

/* A line with this text, valid until the next call. */
static ovk__mm_line line_of(const char *literal)
{
  static char text[200];
  snprintf(text, sizeof text, "%s", literal);
  return (ovk__mm_line){.at = text, .end = text + strlen(text), .number = 3};
}

TEST(words_are_what_stands_between_white_space)
{
  ovk__mm_line line = line_of(" \tone  two\r");
  ovk__mm_word word = ovk__mm_line_word(&line);
  assert_true(ovk__mm_word_is(word, "one"));
  word = ovk__mm_line_word(&line);
  assert_true(ovk__mm_word_is(word, "two"));
  assert_int_equal(ovk__mm_line_word(&line).length, 0);
  assert_int_equal(ovk__mm_line_word(&line).length, 0);
}

TEST(case_of_words_does_not_matter)
{
  ovk__mm_line line = line_of("Skew-SYMMETRIC");
  const ovk__mm_word word = ovk__mm_line_word(&line);
  assert_true(ovk__mm_word_is(word, "skew-symmetric"));
  assert_false(ovk__mm_word_is(word, "skew-symmetri"));
  assert_false(ovk__mm_word_is(word, "skew-symmetric2"));
}

TEST(blank_lines_and_comments_have_no_data)
{
  static const char *const without[] = {"", " \t\r", "% 1 2 3", "  %", "%%GraphBLAS"};
  for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
    ovk__mm_line line = line_of(without[i]);
    assert_false(ovk__mm_line_has_data(&line));
  }
  ovk__mm_line line = line_of("  1");
  assert_true(ovk__mm_line_has_data(&line));
}

TEST(whole_numbers_reach_to_64_bits)
{
  ovk__mm_line line = line_of("9223372036854775807 -9223372036854775808 +7 007");
  const int64_t expected[] = {INT64_MAX, INT64_MIN, 7, 7};
  for (int i = 0; i < 4; i++) {
    int64_t value = 0;
    assert_int_equal(ovk__mm_line_int(&line, "value", &value), OVK_OK);
    assert_true(value == expected[i]);
  }
}

static void assert_int_fault(const char *text, ovk_err code, const char *why)
{
  int64_t value;
  ovk__mm_line line = line_of(text);
  assert_int_equal(ovk__mm_line_int(&line, "row index", &value), code);
  assert_int_equal(line.fault, code);
  assert_string_equal(line.why, why);
}

TEST(bad_whole_numbers_are_faults)
{
  assert_int_fault("", OVK_ERR_FORMAT, "the row index is missing");
  assert_int_fault("1.0", OVK_ERR_FORMAT, "row index '1.0' is not a whole number");
  assert_int_fault("x", OVK_ERR_FORMAT, "row index 'x' is not a whole number");
  assert_int_fault("-", OVK_ERR_FORMAT, "row index '-' is not a whole number");
  assert_int_fault("9223372036854775808", OVK_ERR_RANGE,
                   "row index '9223372036854775808' does not fit 64 bits");
  assert_int_fault("a\001b\377", OVK_ERR_FORMAT, "row index 'a?b?' is not a whole number");
  assert_int_fault("0123456789012345678901234567890123456789x", OVK_ERR_FORMAT,
                   "row index '0123456789012345678901234567890123456789...' is not a whole number");
}

TEST(doubles_may_be_any_that_strtod_knows)
{
  ovk__mm_line line = line_of("1 -2.5e-3 0x1p-1074 inf -Infinity .5 5. 4.9e-324 1e-400 NaN");
  const double expected[] = {1, -2.5e-3, 0x1p-1074, INFINITY, -INFINITY, .5, 5, 4.9e-324, 0};
  double value = 0;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    assert_int_equal(ovk__mm_line_double(&line, "value", &value), OVK_OK);
    assert_true(value == expected[i]);
  }
  assert_int_equal(ovk__mm_line_double(&line, "value", &value), OVK_OK);
  assert_true(isnan(value));
}

TEST(exponents_may_follow_a_d_as_in_fortran)
{
  static const char text[] = "1.0D+00 -2.5d-3 .5D2 4.9D-324 1d-400 0x1D 0.000001D+308";
  ovk__mm_line line = line_of(text);
  const char *start = line.at;
  const double expected[] = {1, -2.5e-3, 50, 4.9e-324, 0, 29, 1e302};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    double value = 7;
    assert_int_equal(ovk__mm_line_double(&line, "value", &value), OVK_OK);
    assert_true(value == expected[i]);
  }
  assert_string_equal(start, text);
}

static void assert_double_fault(const char *text, ovk_err code, const char *why)
{
  double value;
  ovk__mm_line line = line_of(text);
  assert_int_equal(ovk__mm_line_double(&line, "value", &value), code);
  assert_string_equal(line.why, why);
}

TEST(bad_doubles_are_faults)
{
  assert_double_fault(" ", OVK_ERR_FORMAT, "the value is missing");
  assert_double_fault("1,5", OVK_ERR_FORMAT, "value '1,5' is not a number");
  assert_double_fault("1.0D", OVK_ERR_FORMAT, "value '1.0D' is not a number");
  assert_double_fault("1.0D+3d", OVK_ERR_FORMAT, "value '1.0D+3d' is not a number");
  assert_double_fault("D5", OVK_ERR_FORMAT, "value 'D5' is not a number");
  assert_double_fault("infd5", OVK_ERR_FORMAT, "value 'infd5' is not a number");
  assert_double_fault("-1.0D400", OVK_ERR_RANGE, "value '-1.0D400' does not fit a double");
  assert_double_fault("1e400", OVK_ERR_RANGE, "value '1e400' does not fit a double");
}

TEST(a_zero_byte_is_part_of_a_word)
{
  char text[] = "1\0002";
  ovk__mm_line line = {.at = text, .end = text + 3, .number = 1};
  int64_t value;
  assert_int_equal(ovk__mm_line_int(&line, "value", &value), OVK_ERR_FORMAT);
  assert_string_equal(line.why, "value '1?2' is not a whole number");
}

TEST(one_word_too_many_is_a_fault)
{
  ovk__mm_line line = line_of(" \r");
  assert_int_equal(ovk__mm_line_end(&line), OVK_OK);
  line = line_of(" 5");
  assert_int_equal(ovk__mm_line_end(&line), OVK_ERR_FORMAT);
  assert_string_equal(line.why, "the word '5' is one too many");
}

TEST(a_raised_fault_names_file_and_line)
{
  ovk__mm_line line = line_of("");
  ovk__mm_line_fault(&line, OVK_ERR_FORMAT, "%d is wrong", 5);
  assert_local_error(ovk__mm_line_raise(test_ctx(), "a.mtx", 14, &line), OVK_ERR_FORMAT,
                     "a.mtx:17: 5 is wrong");
}
