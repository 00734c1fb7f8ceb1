/* SPDX-License-Identifier: BSD-2-Clause */
/* Irregular rows, empty and long rows, and unusual values. */
#include "format_rows.h"

void row_sparse(row *r)
{
  for (ovk_gidx j = 0; j < r->n; j++) {
    if (at(r, 1, r->i, j) < 0.03) put(r, j, at(r, 2, r->i, j) - 0.5);
  }
}

void row_half_full(row *r)
{
  for (ovk_gidx j = 0; j < r->n; j++) {
    if (at(r, 1, r->i, j) < 0.5) put(r, j, at(r, 2, r->i, j) - 0.5);
  }
}

void row_full(row *r)
{
  for (ovk_gidx j = 0; j < r->n; j++) put(r, j, at_both(r, 1, r->i, j) - 0.5);
}

void row_irregular_symmetric(row *r)
{
  for (ovk_gidx j = 0; j < r->n; j++) {
    if (j == r->i || at_both(r, 1, r->i, j) < 0.02) put(r, j, at_both(r, 2, r->i, j) - 0.5);
  }
}

void row_symmetric_places_only(row *r)
{
  for (ovk_gidx j = 0; j < r->n; j++) {
    if (at_both(r, 1, r->i, j) < 0.02) put(r, j, at(r, 2, r->i, j) - 0.5);
  }
}

void row_dense_rows(row *r)
{
  const bool dense = r->i % 97 == 5;
  for (ovk_gidx j = 0; j < r->n; j++) {
    if (dense || llabs(r->i - j) < 2) put(r, j, at(r, 1, r->i, j) - 0.5);
  }
}

/* Rows and columns: an arrow in both directions. */
void row_dense_symmetric_rows(row *r)
{
  for (ovk_gidx j = 0; j < r->n; j++) {
    if (r->i % 97 == 5 || j % 97 == 5 || r->i == j) put(r, j, at_both(r, 1, r->i, j));
  }
}

void row_empty_rows(row *r)
{
  if (r->i % 3 == 1 || (r->i > 100 && r->i < 200)) return;
  for (ovk_gidx d = -8; d <= 8; d += 4) put(r, r->i + d, at(r, 1, r->i, r->i + d));
}

void row_no_entries(row *r)
{
}

void row_upper_triangle(row *r)
{
  for (ovk_gidx j = r->i; j < r->i + 12; j += 1 + j % 3) put(r, j, at(r, 1, r->i, j));
}

void row_diagonal(row *r)
{
  put(r, r->i, at(r, 1, r->i, r->i));
}

void row_diagonal_with_holes(row *r)
{
  if (r->i % 5) put(r, r->i, (double)(r->i % 2));
}

void row_antidiagonal(row *r)
{
  put(r, r->n - 1 - r->i, (double)r->i);
}

/* Columns farther away than 16 bits reach; symmetric. */
void row_wide_offsets(row *r)
{
  const ovk_gidx far = 66000, every = 50;
  if (r->i >= far && (r->i - far) % every == 0) put(r, r->i - far, at_both(r, 1, r->i, r->i - far));
  put(r, r->i, 1);
  if (r->i % every == 0) put(r, r->i + far, at_both(r, 1, r->i, r->i + far));
}

/* Stored zeros of both signs. */
void row_signed_zeros(row *r)
{
  static const double values[] = {0.0, -0.0, 1, -1};
  for (ovk_gidx j = r->i - 3; j <= r->i + 3; j++) {
    put(r, j, values[(int)(4 * at_both(r, 1, r->i, j))]);
  }
}

/* The same, but that A(7,8) = 0 and A(8,7) = -0. */
void row_zeros_of_other_sign(row *r)
{
  for (ovk_gidx j = r->i - 2; j <= r->i + 2; j++) {
    const bool corner = (r->i == 7 && j == 8) || (r->i == 8 && j == 7);
    put(r, j, corner ? (r->i > j ? -0.0 : 0.0) : 1);
  }
}

void row_denormals(row *r)
{
  for (ovk_gidx j = r->i - 3; j <= r->i + 3; j++) put(r, j, 0x1p-1060 * at_both(r, 1, r->i, j));
}

void row_huge_and_tiny(row *r)
{
  for (ovk_gidx j = r->i - 4; j <= r->i + 4; j += 2) {
    put(r, j, ldexp(at_both(r, 1, r->i, j) - 0.5, (int)(2000 * at_both(r, 2, r->i, j)) - 1000));
  }
}

/* NaN with different payloads, and infinities. */
void row_not_numbers(row *r)
{
  for (ovk_gidx j = r->i - 2; j <= r->i + 2; j++) {
    const double place = at_both(r, 1, r->i, j);
    double value = place;
    if (place < 0.02) {
      const uint64_t bits = UINT64_C(0x7ff8000000000000) | (uint64_t)(place * 0x1p40);
      memcpy(&value, &bits, sizeof value);
    } else if (place < 0.04) {
      value = place < 0.03 ? INFINITY : -INFINITY;
    }
    put(r, j, value);
  }
}
