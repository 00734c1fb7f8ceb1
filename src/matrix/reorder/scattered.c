/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether the columns of rows that follow each other are far apart. */
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/mat_impl.h"

#include <ovkrylov/reorder.h>

/* Vectors of fewer rows stay in the first cache. */
enum { LEAST_ROWS = 1 << 14 };

/* Groups of rows that follow each other, all over the block, which are looked at. */
enum { GROUPS = 64, GROUP_ROWS = 16 };

/* Doubles of a cache line. */
enum { LINE = 8 };

/* In a good order the rows of a group use a line of x several times. */
static const double SCATTERED = 0.6;

/* The lines of x that the rows of groups use, and their entries. */
typedef struct lines {
  const ovk_mat *A;
  ovk_lidx *col;
  int64_t entries, used;
} lines;

static ovk_lidx lines_count(const ovk_mat *A, ovk_lidx first)
{
  ovk_lidx n = 0;
  for (int k = 0; k < GROUP_ROWS; k++) n += A->format->row(A->local, first + k, NULL, NULL);
  return n;
}

static int lines_compare(const void *a, const void *b)
{
  const ovk_lidx x = *(const ovk_lidx *)a, y = *(const ovk_lidx *)b;
  return (x > y) - (x < y);
}

/* The rows from `first` on, of n entries. */
static void lines_add(lines *l, ovk_lidx first, ovk_lidx n)
{
  const ovk_mat *A = l->A;
  ovk_lidx at = 0;
  for (int k = 0; k < GROUP_ROWS; k++) {
    at += A->format->row(A->local, first + k, l->col + at, NULL);
  }
  qsort(l->col, (size_t)n, sizeof *l->col, lines_compare);
  for (ovk_lidx k = 0; k < n; k++) l->used += k == 0 || l->col[k] / LINE != l->col[k - 1] / LINE;
  l->entries += n;
}

static ovk_lidx lines_group(const ovk_mat *A, int k)
{
  return (ovk_lidx)((int64_t)(A->layout.local - GROUP_ROWS) * k / (GROUPS - 1));
}

/* *scattered <- whether the rows of this rank are */
static ovk_err scattered_here(const ovk_mat *A, bool *scattered)
{
  lines l = {.A = A};
  ovk_lidx most = 0;
  *scattered = false;
  OVK_TRY(ovk__mat_check_ready(A));
  if (A->state == OVK__MAT_SHELL || A->layout.local < LEAST_ROWS) return OVK_OK;
  for (int k = 0; k < GROUPS; k++) {
    const ovk_lidx n = lines_count(A, lines_group(A, k));
    if (n > most) most = n;
  }
  OVK_NEW_ARRAY(A->ctx, l.col, most);
  for (int k = 0; k < GROUPS; k++) {
    const ovk_lidx first = lines_group(A, k);
    lines_add(&l, first, lines_count(A, first));
  }
  free(l.col);
  *scattered = (double)l.used > SCATTERED * (double)l.entries;
  return OVK_OK;
}

ovk_err ovk_mat_is_scattered(const ovk_mat *A, bool *scattered)
{
  if (!A) return OVK_ERR_ARG;
  bool here = false;
  const ovk_err err =
      scattered ? scattered_here(A, &here) : OVK_FAIL(A->ctx, OVK_ERR_ARG, "scattered is NULL");
  bool nowhere = !here;
  OVK_TRY(ovk__agree_flag(A->ctx, err, &nowhere));
  *scattered = !nowhere;
  return OVK_OK;
}
