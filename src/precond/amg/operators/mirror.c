/* SPDX-License-Identifier: BSD-2-Clause */
/* Arranges sums and their mirror images in rows, which the matrix takes over. Entries with rows or
 * columns of other ranks are added one by one: of S + S^T both terms, as each is on one rank.
 * Blocks are visited by increasing row, so the columns of each row increase. */
#include "precond/amg/operators/mirror.h"
#include "core/base/hash64.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/mat_impl.h"
#include "precond/amg/operators/fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct mirror {
  const ovk__amg_sums *sums;
  const ovk__layout *layout;
  bool symmetric, halved; /* of the whole matrix there is a part */
  ovk_mat *A;
  ovk__csr own;   /* this rank's rows and columns; ptr: where the next entry of each row goes */
  double largest; /* on the diagonal, of all ranks; 1 if there is none */
  uint64_t hash;  /* of this rank's sums */
} mirror;

typedef ovk_err visit_fn(mirror *m, ovk_gidx row, ovk_gidx col, double value);

static bool mirror_owns(const mirror *m, ovk_gidx row, ovk_gidx col)
{
  return ovk__layout_owns(m->layout, row) && ovk__layout_owns(m->layout, col);
}

static ovk_err mirror_count(mirror *m, ovk_gidx row, ovk_gidx col, double value)
{
  (void)value;
  if (mirror_owns(m, row, col)) m->own.ptr[row - m->layout->first + 1]++;
  return OVK_OK;
}

static ovk_err mirror_place(mirror *m, ovk_gidx row, ovk_gidx col, double value)
{
  const ovk_gidx first = m->layout->first;
  if (!mirror_owns(m, row, col)) return ovk_mat_add(m->A, row, col, value);
  const int64_t at = m->own.ptr[row - first]++;
  m->own.col[at] = (ovk_lidx)(col - first);
  m->own.val[at] = value;
  return OVK_OK;
}

/* Only entries of modes that an aggregate does not need are omitted; -0 is a sum. */
static bool mirror_is_needed(const mirror *m, ovk_gidx row, ovk_gidx col, double value)
{
  return value != 0 || signbit(value) || row == col || m->sums->size == 1;
}

/* Whether a block left of the diagonal has been added to its mirror image. */
static bool mirror_is_folded(const mirror *m, ovk_lidx I, ovk_lidx col)
{
  const ovk__amg_numbering *columns = m->sums->columns;
  return m->symmetric && ovk__amg_numbering_owns(columns, col) && col < columns->first + I;
}

/* Visits a block; of a symmetric matrix its upper half and its mirror image: for (I,I) row by row
 * of that block. */
static ovk_err mirror_visit_block(mirror *m, ovk_gidx first, ovk_gidx first_col, const double *val,
                                  visit_fn *visit)
{
  const int size = m->sums->size;
  for (int k = 0; k < size; k++) {
    for (int l = m->symmetric && first == first_col ? k : 0; l < size; l++) {
      const ovk_gidx row = first + k, col = first_col + l;
      double value = val[k * size + l];
      if (!mirror_is_needed(m, row, col, value)) continue;
      if (value == 0) value = row == col ? m->largest : 0; /* not -0 */
      OVK_TRY(visit(m, row, col, value));
      if (m->symmetric && row != col) OVK_TRY(visit(m, col, row, value));
    }
  }
  return OVK_OK;
}

/* Whether sums are single numbers of a symmetric matrix: a frequent case, which is faster by
 * itself. */
static bool mirror_is_plain(const mirror *m)
{
  return m->symmetric && m->sums->size == 1;
}

/* ptr[i + 1] <- the entries of row i, its part of mirror images included. */
static void mirror_count_plain(const mirror *m, int64_t *ptr)
{
  const ovk__amg_numbering *columns = m->sums->columns;
  for (ovk_lidx i = 0; i < columns->own; i++) {
    const ovk__amg_sum_row *r = &m->sums->row[i];
    for (int32_t k = 0; k < r->n; k++) {
      const ovk_lidx j = r->col[k] - columns->first;
      if (!ovk__amg_numbering_owns(columns, r->col[k]) || j < i) continue;
      ptr[i + 1]++;
      if (j > i) ptr[j + 1]++;
    }
  }
}

/* Enters rows and their mirror images. */
static ovk_err mirror_place_plain(mirror *m)
{
  const ovk__amg_numbering *columns = m->sums->columns;
  const ovk__csr *own = &m->own;
  for (ovk_lidx i = 0; i < columns->own; i++) {
    const ovk__amg_sum_row *r = &m->sums->row[i];
    int64_t at = own->ptr[i];
    for (int32_t k = 0; k < r->n; k++) {
      const ovk_lidx j = r->col[k] - columns->first;
      const double value = j == i && r->val[k] == 0 ? m->largest : r->val[k];
      if (!ovk__amg_numbering_owns(columns, r->col[k])) {
        const ovk_gidx row = m->layout->first + i, col = columns->global[r->col[k]];
        OVK_TRY(ovk_mat_add(m->A, row, col, value));
        OVK_TRY(ovk_mat_add(m->A, col, row, value));
        continue;
      }
      if (j < i) continue;
      own->col[at] = j;
      own->val[at++] = value;
      if (j == i) continue;
      const int64_t image = own->ptr[j]++;
      own->col[image] = i;
      own->val[image] = value;
    }
    own->ptr[i] = at;
  }
  return OVK_OK;
}

static ovk_err mirror_visit(mirror *m, visit_fn *visit)
{
  const int size = m->sums->size;
  for (ovk_lidx I = 0; I < m->sums->columns->own; I++) {
    const ovk__amg_sum_row *r = &m->sums->row[I];
    const ovk_gidx first = m->layout->first + (ovk_gidx)I * size;
    for (int32_t k = 0; k < r->n; k++) {
      if (mirror_is_folded(m, I, r->col[k])) continue;
      OVK_TRY(mirror_visit_block(m, first, m->sums->columns->global[r->col[k]] * size,
                                 r->val + (size_t)k * (size_t)(size * size), visit));
    }
  }
  return OVK_OK;
}

/* Adds the sums of block row I to the hash. No number waits for the hash of the one before. */
static void mirror_add_hash(mirror *m, ovk_lidx I)
{
  const ovk__amg_sum_row *r = &m->sums->row[I];
  const int32_t size = m->sums->size * m->sums->size;
  uint64_t of_row = 0;
  for (int32_t k = 0; k < r->n; k++) {
    const uint64_t col = (uint64_t)m->sums->columns->global[r->col[k]] * (uint64_t)size;
    for (int32_t l = 0; l < size; l++) {
      uint64_t bits;
      if (r->val[k * size + l] == 0) continue; /* an update has zeros that a setup does not have */
      memcpy(&bits, &r->val[k * size + l], sizeof bits);
      of_row += ovk__mix(bits ^ ovk__mix(col + (uint64_t)l));
    }
  }
  m->hash += ovk__mix(of_row + (uint64_t)(m->layout->first + (ovk_gidx)I * m->sums->size));
}

static double mirror_largest(int size, const double *block)
{
  double largest = 0;
  for (int k = 0; k < size; k++) largest = fmax(largest, block[k * size + k]);
  return largest;
}

/* *diagonal <- the block (I,I), which is added to its row if that lacks it. */
static ovk_err mirror_find_diagonal(ovk__amg_sums *sums, ovk_lidx I, double **diagonal)
{
  const ptrdiff_t numbers = (ptrdiff_t)sums->size * sums->size;
  const ovk_lidx col = sums->columns->first + I;
  const ovk__amg_sum_row *r = &sums->row[I];
  for (int32_t k = 0; k < r->n; k++) {
    if (r->col[k] == col) {
      *diagonal = r->val + k * numbers;
      return OVK_OK;
    }
  }
  ovk__amg_sums_open(sums, I);
  const ovk_err err = ovk__amg_sums_block(sums, col, numbers, diagonal);
  ovk__amg_sums_close(sums);
  return err;
}

/* Adds missing diagonals, sorts, and makes S + S^T of S. */
static ovk_err mirror_sort(mirror *m, ovk__amg_sums *sums)
{
  for (ovk_lidx I = 0; I < sums->columns->own; I++) {
    double *diagonal;
    OVK_TRY(mirror_find_diagonal(sums, I, &diagonal));
    m->largest = fmax(m->largest, mirror_largest(sums->size, diagonal));
    ovk__amg_sums_sort(sums, I);
    mirror_add_hash(m, I);
  }
  if (!m->halved) return OVK_OK;
  m->largest *= 2;
  return ovk__amg_sums_fold(sums);
}

static ovk_err mirror_fill(mirror *m, ovk__amg_sums *sums)
{
  ovk_ctx *ctx = sums->ctx;
  const ovk_lidx n = m->layout->local;
  ovk__csr *own = &m->own;
  own->rows = n;
  OVK_NEW_ZEROS(ctx, own->ptr, n + 1);
  if (mirror_is_plain(m)) {
    mirror_count_plain(m, own->ptr);
  } else {
    OVK_TRY(mirror_visit(m, mirror_count));
  }
  for (ovk_lidx i = 0; i < n; i++) own->ptr[i + 1] += own->ptr[i];
  OVK_NEW_ARRAY(ctx, own->col, own->ptr[n]);
  OVK_NEW_ARRAY(ctx, own->val, own->ptr[n]);
  OVK_TRY(mirror_is_plain(m) ? mirror_place_plain(m) : mirror_visit(m, mirror_place));
  for (ovk_lidx i = n; i > 0; i--) own->ptr[i] = own->ptr[i - 1];
  own->ptr[0] = 0;
  return ovk__mat_give_rows(m->A, own);
}

static ovk_err mirror_assemble(mirror *m, ovk__amg_sums *sums, uint64_t *hash)
{
  ovk_ctx *ctx = sums->ctx;
  OVK_TRY(ovk_mat_create(ctx, m->layout->local, &m->A));
  OVK_TRY(ovk__agree(ctx, mirror_sort(m, sums)));
  OVK_TRY(ovk__agree(ctx, ovk__total(ctx, &m->largest, 1, MPI_MAX)));
  if (!(m->largest > 0)) m->largest = 1;
  OVK_TRY(ovk__agree(ctx, mirror_fill(m, sums)));
  OVK_TRY(ovk_mat_assemble(m->A));
  OVK_TRY_MPI(ctx, MPI_Allreduce(&m->hash, hash, 1, MPI_UINT64_T, MPI_SUM, ovk_ctx_comm(ctx)));
  return OVK_OK;
}

ovk_err ovk__amg_mirror(ovk__amg_sums *sums, const ovk__layout *layout, ovk__amg_part part,
                        ovk_mat **out, uint64_t *hash)
{
  mirror m = {.sums = sums,
              .layout = layout,
              .symmetric = part != OVK__AMG_WHOLE,
              .halved = part == OVK__AMG_HALF};
  const ovk_err err = mirror_assemble(&m, sums, hash);
  if (err) ovk_mat_destroy(&m.A);
  *out = m.A;
  ovk__csr_free(&m.own);
  return err;
}
