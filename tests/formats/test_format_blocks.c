/* SPDX-License-Identifier: BSD-2-Clause */
/* A table of formats and blocks: each format holds the block, or refuses it, as the table says.
 * Where it holds the block, all operations are compared with compressed rows. */
#include "format_blocks.h"
#include "support/problem.h"

/* The value at (low, low + offset) and (low + offset, low). */
typedef double value_fn(ovk_lidx low, ovk_lidx offset);

static double by_offset(ovk_lidx low, ovk_lidx offset)
{
  return offset ? -1.0 / offset : 2;
}

static double random_value(ovk_lidx low, ovk_lidx offset)
{
  return random_number(1, (uint64_t)low * 1000 + (uint64_t)offset) - 0.5;
}

static double extreme_value(ovk_lidx low, ovk_lidx offset)
{
  static const uint64_t bits[] = {0,
                                  0x8000000000000000, /* -0.0 */
                                  1,                  /* the smallest denormal */
                                  0x7ff8000000000123, /* NaN with a payload */
                                  0xfff0000000000000, /* -Inf */
                                  0x3ff0000000000000};
  double value;
  memcpy(&value, &bits[(low + offset) % 6], sizeof value);
  return value;
}

/* Whether the pair of (low, low + offset) is stored. */
typedef bool filter_fn(ovk_lidx low, ovk_lidx offset);

static bool on_diagonals(ovk_lidx low, ovk_lidx offset)
{
  return offset <= 3 || offset == 19 || offset == 60;
}

static bool on_parts_of_diagonals(ovk_lidx low, ovk_lidx offset)
{
  return on_diagonals(low, offset) && random_number(2, (uint64_t)(low * 131 + offset)) < 0.8;
}

/* Some rows have no entry on the diagonal, some have no entry at all. */
static bool scattered(ovk_lidx low, ovk_lidx offset)
{
  if (low % 50 == 7 || (low + offset) % 50 == 7) return false;
  return random_number(3, (uint64_t)(low * 1000 + offset)) < (offset ? 0.04 : 0.9);
}

/* A symmetric block. */
static ovk__csr symmetric_block(ovk_lidx rows, filter_fn *has, value_fn *value)
{
  ovk__csr A;
  int64_t n = 0;
  assert_ok(ovk__csr_alloc(test_ctx(), rows, (int64_t)rows * rows, &A));
  for (ovk_lidx i = 0; i < rows; i++) {
    for (ovk_lidx j = 0; j < rows; j++) {
      const ovk_lidx low = i < j ? i : j, offset = abs(i - j);
      if (!has(low, offset)) continue;
      A.col[n] = j;
      A.val[n++] = value(low, offset);
    }
    A.ptr[i + 1] = n;
  }
  return A;
}

enum { ROWS = 203 };

typedef struct kind {
  const char *name;
  filter_fn *has;
  value_fn *value;
  const char *refused_by; /* formats, each with a blank before and after it */
} kind;

static const kind kinds[] = {
    {"constant diagonals", on_diagonals, by_offset, ""},
    {"diagonals", on_diagonals, random_value, ""},
    {"diagonals with holes", on_parts_of_diagonals, random_value, ""},
    {"extreme values", on_parts_of_diagonals, extreme_value, ""},
    {"scattered entries", scattered, random_value, " dia dia:few symdia "},
};

static const struct {
  const char *name;
  int passes; /* of a product over the rows: "sym" begins rows, and then adds to them */
} formats[] = {{"csr", 1},     {"sell", 1},   {"sym", 2},     {"dia", 1},
               {"dia:few", 1}, {"symdia", 1}, {"pattern", 1}, {"pattern:runs", 1}};

/* A block in a format, and the same in compressed rows. */
typedef struct subject {
  const ovk__format *format;
  int passes;
  const ovk__csr *A;
  void *block;
} subject;

static void check_rows(const subject *s)
{
  format_assert_rows(s->format, s->block, s->A);
}

static void check_unfolded(const subject *s)
{
  format_assert_unfolds(s->format, s->block, s->A);
}

static bool is_finite(const subject *s)
{
  bool finite = true;
  for (int64_t k = 0; k < ovk__csr_nnz(s->A); k++) finite = finite && isfinite(s->A->val[k]);
  return finite;
}

static void check_product(const subject *s)
{
  double y[ROWS + 1];
  if (is_finite(s)) (void)format_product(s->format, s->block, s->A, ovk_poll_none(), y);
}

static void check_polls(const subject *s)
{
  if (is_finite(s)) format_assert_polls(s->format, s->block, s->A, s->passes);
}

/* Two products in one pass have the bits of two products. */
static void check_pair(const subject *s)
{
  if (!s->format->products->pair) return;
  double y[2][ROWS], expected[ROWS];
  double *x[2] = {random_vector(s->A->rows, 5), random_vector(s->A->rows, 6)};
  s->format->products->pair(s->block, (const double *const[2]){x[0], x[1]},
                            (double *const[2]){y[0], y[1]}, ovk_poll_none());
  for (int v = 0; v < 2; v++) {
    s->format->products->dot(s->block, x[v], expected, ovk_poll_none(), NULL);
    assert_memory_equal(y[v], expected, (size_t)s->A->rows * sizeof *expected);
    free(x[v]);
  }
}

static void check_columns(const subject *s)
{
  if (s->format->products->many && is_finite(s))
    format_assert_columns(s->format, s->block, s->A->rows);
}

/* Values of a half of the size on the same pattern. */
static void check_refill(const subject *s)
{
  if (!s->format->refill || !is_finite(s)) return;
  scoped_csr half = csr_copy(s->A);
  for (int64_t k = 0; k < ovk__csr_nnz(&half); k++) half.val[k] *= 0.5;
  scoped_csr given = csr_copy(&half);
  assert_ok(s->format->refill(test_ctx(), &given, 0, s->block));
  format_assert_rows(s->format, s->block, &half);
}

static void (*const operations[])(const subject *) = {check_rows,  check_unfolded, check_product,
                                                      check_polls, check_pair,     check_columns,
                                                      check_refill};

static bool is_refused(const kind *k, const char *format)
{
  char word[32];
  snprintf(word, sizeof word, " %s ", format);
  return strstr(k->refused_by, word) != NULL;
}

TEST(every_operation_agrees_with_compressed_rows)
{
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    scoped_csr A = symmetric_block(ROWS, kinds[k].has, kinds[k].value);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
      subject s = {format_named(formats[f].name), formats[f].passes, &A, NULL};
      print_message("%s as %s\n", kinds[k].name, formats[f].name);
      if (is_refused(&kinds[k], formats[f].name)) {
        format_assert_refused(s.format, &A, "");
        continue;
      }
      s.block = format_build(s.format, &A);
      for (size_t o = 0; o < sizeof operations / sizeof *operations; o++) operations[o](&s);
      s.format->destroy(s.block);
    }
  }
}

/* Also of none, and of less than a chunk. */
TEST(blocks_may_have_any_number_of_rows)
{
  for (ovk_lidx rows = 0; rows < 90; rows++) {
    scoped_csr A = symmetric_block(rows, on_parts_of_diagonals, random_value);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
      subject s = {format_named(formats[f].name), formats[f].passes, &A, NULL};
      s.block = format_build(s.format, &A);
      check_product(&s);
      check_columns(&s);
      check_rows(&s);
      s.format->destroy(s.block);
    }
  }
  for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
    format_assert_empty(format_named(formats[f].name));
  }
}

TEST(estimates_are_below_that_of_csr_and_below_the_limit)
{
  scoped_csr A = symmetric_block(1000, on_diagonals, by_offset);
  const int64_t csr = format_estimate(&ovk__format_csr, &A, INT64_MAX);
  for (size_t f = 1; f < sizeof formats / sizeof *formats; f++) {
    const ovk__format *format = format_named(formats[f].name);
    if (!format->estimate) continue;
    const int64_t cost = format_estimate(format, &A, csr);
    print_message("%s\n", formats[f].name);
    assert_in_range(cost, 1, csr - 1);
    assert_int_equal(format_estimate(format, &A, cost / 4), -1);
  }
}
