/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks with more than 2^31 entries, and with the maximum number of rows. Their memory is only
 * reserved: products read some entries after the first 2^31, or the first rows. */
#define _GNU_SOURCE /* MAP_NORESERVE */
#include "format_blocks.h"
#include "matrix/formats/dia/diagonals.h"
#include "matrix/formats/sell/sell_block.h"
#include "matrix/formats/sym/sym_block.h"
#include "support/problem.h"

#include <sys/mman.h>

enum { SIDE = 12, N = SIDE * SIDE, HEIGHT = 8 /* of chunks of "dia" */ };

static const int64_t far_away = ((int64_t)1 << 31) + 64; /* where entries begin */

/* An array that was moved; its previous state, to be restored. */
typedef struct moved {
  void *place; /* address of the pointer to it, of any type */
  void *before, *map;
  size_t bytes;
} moved;

enum { MOST_MOVED = 4 };
typedef struct moves {
  moved list[MOST_MOVED];
  int n;
} moves;

/* Moves n elements of `size` bytes to `skipped` bytes further on. False: not enough memory. */
static bool move_array(moves *m, void *place, size_t bytes, size_t skipped)
{
  moved *a = &m->list[m->n];
  *a = (moved){.place = place, .bytes = skipped + bytes};
  memcpy(&a->before, place, sizeof a->before);
  if (!a->before) return true;
  a->map = mmap(NULL, a->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                -1, 0);
  if (a->map == MAP_FAILED) return false;
  memcpy((char *)a->map + skipped, a->before, bytes);
  memcpy(place, &a->map, sizeof a->map);
  m->n++;
  return true;
}

static void move_back(moves *m)
{
  while (m->n > 0) {
    const moved *a = &m->list[--m->n];
    memcpy(a->place, &a->before, sizeof a->before);
    munmap(a->map, a->bytes);
  }
}

/* Has n + 1 places of entries begin `by` further on. */
static void shift(int64_t *first, int64_t n, int64_t by)
{
  for (int64_t k = 0; k <= n; k++) first[k] += by;
}

#define MOVE(m, array, n)                                                                          \
  move_array((m), &(array), (size_t)(n) * sizeof *(array), (size_t)far_away * sizeof *(array))

static bool move_csr(void *block, moves *m)
{
  ovk__csr *A = block;
  const int64_t n = ovk__csr_nnz(A);
  const bool done = MOVE(m, A->col, n) && MOVE(m, A->val, n);
  shift(A->ptr, A->rows, far_away);
  return done;
}

/* The one that "symdia" has begins its block. */
static bool move_diagonals(void *block, moves *m)
{
  ovk__diagonals *d = block;
  const int64_t n = d->first[d->nchunks], bytes = n / 8 + 1;
  const bool done =
      MOVE(m, d->val, n) && move_array(m, &d->stored, (size_t)bytes, (size_t)(far_away / 8));
  shift(d->first, d->nchunks, far_away);
  return done;
}

static bool move_entries(ovk__windows *w, ovk__entries *e, moves *m)
{
  const int64_t n = w->entry[w->n];
  const bool done = MOVE(m, e->near, n) && MOVE(m, e->far, n) && MOVE(m, e->val, n);
  shift(w->entry, w->n, far_away);
  return done;
}

static bool move_sell(void *block, moves *m)
{
  ovk__sell *b = block;
  return move_entries(&b->windows, &b->entries, m);
}

static bool move_sym(void *block, moves *m)
{
  ovk__sym *b = block;
  const bool done = MOVE(m, b->left_col, b->left[N]) && move_entries(&b->windows, &b->entries, m);
  shift(b->left, N, far_away);
  return done;
}

/* A symmetric block: five diagonals with some missing entries. */
static ovk__csr make_block(void)
{
  static const ovk_lidx offsets[5] = {-SIDE, -1, 0, 1, SIDE};
  ovk__csr A;
  assert_ok(ovk__csr_alloc(test_ctx(), N, 5 * N, &A));
  int64_t n = 0;
  for (ovk_lidx i = 0; i < N; i++) {
    for (int k = 0; k < 5; k++) {
      const ovk_lidx j = i + offsets[k], low = i < j ? i : j, high = i < j ? j : i;
      if (j < 0 || j >= N || (low % 7 == 3 && low != high)) continue;
      A.col[n] = j;
      A.val[n++] = random_number(3, (uint64_t)(low * N + high));
    }
    A.ptr[i + 1] = n;
  }
  return A;
}

static void assert_block_product(const ovk__format *format, const void *block, const double *x,
                                 const double *expected, double dot)
{
  double y[N], z[2][N];
  const double result = format->products->dot(block, x, y, ovk_poll_none(), NULL);
  assert_memory_equal(y, expected, sizeof y);
  assert_true(result == dot);
  if (!format->products->pair) return;
  format->products->pair(block, (const double *const[2]){x, x}, (double *const[2]){z[0], z[1]},
                         ovk_poll_none());
  assert_memory_equal(z[0], expected, sizeof y);
  assert_memory_equal(z[1], expected, sizeof y);
}

static void check_format(const char *name, bool (*move)(void *block, moves *m))
{
  const ovk__format *format = format_named(name);
  const ovk__csr A = make_block();
  void *block = format_build(format, &A);
  double *x = random_vector(N, 4), y[N], d[N], expected[N];
  moves m = {.n = 0};
  const double dot = format->products->dot(block, x, y, ovk_poll_none(), NULL);
  format->diagonal(block, expected);
  const bool done = move(block, &m);
  if (done) {
    assert_block_product(format, block, x, y, dot);
    format->diagonal(block, d);
    assert_memory_equal(d, expected, sizeof d);
    format_assert_rows(format, block, &A);
  }
  move_back(&m);
  format->destroy(block);
  free(x);
  ovk__csr copy = A;
  ovk__csr_free(&copy);
  if (!done) skip(); /* not enough address space */
}

TEST(csr_has_entries_beyond_2_to_the_31)
{
  check_format("csr", move_csr);
}

TEST(dia_has_entries_beyond_2_to_the_31)
{
  check_format("dia", move_diagonals);
}

TEST(symdia_has_entries_beyond_2_to_the_31)
{
  check_format("symdia", move_diagonals);
}

TEST(sell_has_entries_beyond_2_to_the_31)
{
  check_format("sell", move_sell);
}

TEST(sym_has_entries_beyond_2_to_the_31)
{
  check_format("sym", move_sym);
}

static jmp_buf after_first_rows;

static void leave(void *arg)
{
  longjmp(after_first_rows, 1);
}

/* Three diagonals whose entries are all 1; y is the first chunk of rows of the product. The product
 * is aborted by its poll, before it reads rows that do not exist. */
static void multiply_first_rows(ovk_lidx rows, const double *x, double *y)
{
  ovk_lidx offsets[3] = {-3, 0, 5};
  int64_t begin[2] = {0, 3}, first[2] = {0, 3 * HEIGHT};
  int32_t list[1] = {0};
  double val[3 * HEIGHT];
  for (int k = 0; k < 3 * HEIGHT; k++) val[k] = 1;
  const ovk__diagonals d = {.rows = rows,
                            .chunk_height = HEIGHT,
                            .nchunks = rows / HEIGHT + (rows % HEIGHT != 0),
                            .lists = {.begin = begin, .offset = offsets, .n = 1},
                            .list = list,
                            .first = first,
                            .val = val};
  const ovk_poll poll = {leave, NULL, HEIGHT};
  if (setjmp(after_first_rows) == 0) (void)format_named("dia")->products->dot(&d, x, y, poll, NULL);
}

TEST(padding_before_the_first_row_is_left_out_of_the_largest_block)
{
  enum { LENGTH = 16 };
  double x[LENGTH], y[2][LENGTH] = {{0}};
  for (int k = 0; k < LENGTH; k++) x[k] = 1 << k;
  multiply_first_rows(LENGTH, x, y[0]);
  multiply_first_rows(INT32_MAX, x, y[1]);
  assert_true(y[0][0] == x[0] + x[5]);
  assert_memory_equal(y[0], y[1], HEIGHT * sizeof **y);
}
