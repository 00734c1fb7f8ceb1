/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweep of the pipelined method, LANES rows at a time, whose inner products stay in registers.
 * For both kinds of lanes (core/base/lanes.h): each includes it in a separate file. */
#ifndef OVK_SOLVERS_KERNELS_UPDATES_PIPECG_ROWS_H
#define OVK_SOLVERS_KERNELS_UPDATES_PIPECG_ROWS_H

#include "core/exact/exact_fold_rows.h"
#include "core/exact/exact_sum.h"
#include "solvers/kernels/diagonal_step.h"
#include "solvers/kernels/lanes.h"
#include "solvers/kernels/updates/updates_overlapped.h"

/* y <- x + b y */
OVK_ALWAYS_INLINE void lanes_xpby(const ovk__lanes *x, const ovk__lanes *b, ovk__lanes *y)
{
  const ovk__lanes was = *y;
  *y = *x;
  ovk__lanes_add(y, b, &was);
}

/* z <- d r */
OVK_ALWAYS_INLINE void lanes_product(const ovk__lanes *d, const ovk__lanes *r, ovk__lanes *z)
{
  *z = *d;
  ovk__lanes_scale(z, r);
}

/* The scalars of a step, LANES times each. */
typedef struct pipecg_scalars {
  double alpha[LANES], beta[LANES], D[LANES];
} pipecg_scalars;

/* How many folds an exact inner product has (core/exact). Estimates have one, and (u, u) is one of
 * them or not. */
OVK_ALWAYS_INLINE int pipecg_folds(int k, bool exact_u)
{
  return k <= OVK__RR || (k == OVK__UU && exact_u) ? 2 : 1;
}

/* The exact inner products of some rows. */
typedef struct pipecg_exact {
  running sum[OVK__PIPECG_SUMS];
  fold_rest rest;
  fold_vector m[OVK__PIPECG_SUMS][2];
  bool exact_u; /* (u, u) is no estimate */
} pipecg_exact;

/* sum k <- sum k + a b, where only one of the kinds is there */
OVK_ALWAYS_INLINE void pipecg_add(ovk__lanes *sum, pipecg_exact *e, int k, const ovk__lanes *a,
                                  const ovk__lanes *b)
{
  if (sum) {
    ovk__lanes_add(&sum[k], a, b);
  } else if (pipecg_folds(k, e->exact_u) == 2) {
    fold_lanes(&e->sum[k], &e->rest, 2, a, b, e->m[k]);
  } else {
    fold_lanes(&e->sum[k], &e->rest, 1, a, b, e->m[k]);
  }
}

/* Rows i to i + LANES - 1. Here and below D is d[i step] in row i, or d is NULL; sum and exact
 * NULL: no inner products, or the others. `update`, step, and whether there are a d and sums, are
 * compile-time constants. */
OVK_ALWAYS_INLINE void pipecg_rows(ovk_lidx i, bool update, const pipecg_scalars *k,
                                   const double *d, ptrdiff_t step, const ovk__pipecg_arrays *v,
                                   ovk__lanes *sum, pipecg_exact *exact)
{
  ovk__lanes x, r, u, w, m, z, q, s, p, n, D, alpha, beta;
  ovk__lanes_of_doubles(&x, v->x + i);
  ovk__lanes_of_doubles(&r, v->r + i);
  ovk__lanes_of_doubles(&w, v->w + i);
  ovk__lanes_of_doubles(&z, v->z + i);
  ovk__lanes_of_doubles(&s, v->s + i);
  ovk__lanes_of_doubles(&p, v->p + i);
  if (d) {
    ovk__lanes_of_doubles(&D, step ? d + i : k->D);
    lanes_product(&D, &r, &u); /* u = D r */
  } else {
    ovk__lanes_of_doubles(&u, v->u + i);
    ovk__lanes_of_doubles(&q, v->q + i);
  }
  if (update) {
    ovk__lanes_of_doubles(&alpha, k->alpha);
    ovk__lanes_of_doubles(&beta, k->beta);
    ovk__lanes_of_doubles(&n, v->n + i);
    lanes_xpby(&n, &beta, &z);           /* z <- n + beta z */
    lanes_xpby(&w, &beta, &s);           /* s <- w + beta s */
    lanes_xpby(&u, &beta, &p);           /* p <- u + beta p */
    ovk__lanes_add(&x, &alpha, &p);      /* x <- x + alpha p */
    ovk__lanes_subtract(&r, &alpha, &s); /* r <- r - alpha s */
    ovk__lanes_subtract(&w, &alpha, &z); /* w <- w - alpha z */
    if (!d) {
      ovk__lanes_of_doubles(&m, v->m + i);
      lanes_xpby(&m, &beta, &q);           /* q <- m + beta q */
      ovk__lanes_subtract(&u, &alpha, &q); /* u <- u - alpha q */
      ovk__lanes_to_doubles(v->q + i, &q);
      ovk__lanes_to_doubles(v->u + i, &u);
    }
    ovk__lanes_to_doubles(v->z + i, &z);
    ovk__lanes_to_doubles(v->s + i, &s);
    ovk__lanes_to_doubles(v->p + i, &p);
    ovk__lanes_to_doubles(v->x + i, &x);
    ovk__lanes_to_doubles(v->r + i, &r);
    ovk__lanes_to_doubles(v->w + i, &w);
  }
  if (d) {
    lanes_product(&D, &r, &u); /* u = D r */
    lanes_product(&D, &s, &q); /* q = D s */
    lanes_product(&D, &w, &m); /* m <- D w */
    ovk__lanes_to_doubles(v->m + i, &m);
  }
  if (!sum && !exact) return;
  pipecg_add(sum, exact, OVK__RU, &r, &u);
  pipecg_add(sum, exact, OVK__WU, &w, &u);
  pipecg_add(sum, exact, OVK__RR, &r, &r);
  pipecg_add(sum, exact, OVK__XX, &x, &x);
  pipecg_add(sum, exact, OVK__UU, &u, &u);
  pipecg_add(sum, exact, OVK__WW, &w, &w);
  pipecg_add(sum, exact, OVK__PP, &p, &p);
  pipecg_add(sum, exact, OVK__SS, &s, &s);
  pipecg_add(sum, exact, OVK__QQ, &q, &q);
  pipecg_add(sum, exact, OVK__ZZ, &z, &z);
}

/* The last n rows, fewer than LANES, from row i on: as rows that zeros follow. */
OVK_ALWAYS_INLINE void pipecg_end(ovk_lidx i, ovk_lidx n, bool update, const pipecg_scalars *k,
                                  const double *d, ptrdiff_t step, const ovk__pipecg_arrays *v,
                                  ovk__lanes *sum, pipecg_exact *exact)
{
  enum { VECTORS = 9 };
  double *const to[VECTORS] = {v->x, v->r, v->u, v->w, v->m, v->z, v->q, v->s, v->p};
  double rows[VECTORS][LANES] = {{0}}, rows_n[LANES] = {0}, rows_d[LANES] = {0};
  const size_t bytes = (size_t)n * sizeof(double);
  const ovk__pipecg_arrays padded = {.x = rows[0],
                                     .r = rows[1],
                                     .u = rows[2],
                                     .w = rows[3],
                                     .m = rows[4],
                                     .n = rows_n,
                                     .z = rows[5],
                                     .q = rows[6],
                                     .s = rows[7],
                                     .p = rows[8]};
  for (int l = 0; l < VECTORS; l++) memcpy(rows[l], to[l] + i, bytes);
  memcpy(rows_n, v->n + i, bytes);
  if (step) memcpy(rows_d, d + i, bytes);
  pipecg_rows(0, update, k, d ? rows_d : NULL, step, &padded, sum, exact);
  for (int l = 0; l < VECTORS; l++) memcpy(to[l] + i, rows[l], bytes);
}

/* Rows from `i` to end - 1. Only the last block of the rows may have a number of them that is no
 * multiple of LANES. */
OVK_ALWAYS_INLINE void pipecg_block_of(ovk_lidx i, ovk_lidx end, bool update,
                                       const pipecg_scalars *k, const double *d, ptrdiff_t step,
                                       const ovk__pipecg_arrays *v, ovk__lanes *sum,
                                       pipecg_exact *exact)
{
  for (; i <= end - LANES; i += LANES) pipecg_rows(i, update, k, d, step, v, sum, exact);
  if (i < end) pipecg_end(i, end - i, update, k, d, step, v, sum, exact);
}

OVK_ALWAYS_INLINE void pipecg_block(ovk_lidx i, ovk_lidx end, bool update, const pipecg_scalars *k,
                                    const double *d, ptrdiff_t step, const ovk__pipecg_arrays *v,
                                    ovk__lanes sum[OVK__PIPECG_SUMS])
{
  pipecg_block_of(i, end, update, k, d, step, v, sum, NULL);
}

OVK_ALWAYS_INLINE void pipecg_end_sums(const ovk__lanes sum[OVK__PIPECG_SUMS],
                                       double sums[OVK__PIPECG_SUMS])
{
  for (int l = 0; l < OVK__PIPECG_SUMS; l++) {
    double lane[LANES];
    ovk__lanes_to_doubles(lane, &sum[l]);
    sums[l] = ovk__lanes_total(lane);
  }
}

OVK_ALWAYS_INLINE pipecg_scalars pipecg_scalars_of(double alpha, double beta, const double *d,
                                                   ptrdiff_t step)
{
  pipecg_scalars k;
  for (int l = 0; l < LANES; l++) {
    k.alpha[l] = alpha;
    k.beta[l] = beta;
    k.D[l] = d && !step ? d[0] : 0;
  }
  return k;
}

OVK_ALWAYS_INLINE void pipecg_all(ovk_lidx rows, bool update, double alpha, double beta,
                                  const double *d, ptrdiff_t step, const ovk__pipecg_arrays *v,
                                  double *sums)
{
  ovk__lanes sum[OVK__PIPECG_SUMS];
  const pipecg_scalars k = pipecg_scalars_of(alpha, beta, d, step);
  memset(sum, 0, sizeof sum);
  pipecg_block(0, rows, update, &k, d, step, v, sums ? sum : NULL);
  if (sums) pipecg_end_sums(sum, sums);
}

/* Returns false, without the inner products, if their terms do not fit. */
OVK_ALWAYS_INLINE bool pipecg_exact_all(ovk_lidx rows, double alpha, double beta, const double *d,
                                        ptrdiff_t step, const ovk__pipecg_arrays *v,
                                        ovk__exact_sum *const sums[])
{
  pipecg_exact s;
  const pipecg_scalars k = pipecg_scalars_of(alpha, beta, d, step);
  memset(&s.rest, 0, sizeof s.rest);
  s.exact_u = sums[OVK__UU]->folds > 1;
#pragma GCC unroll 10
  for (int l = 0; l < OVK__PIPECG_SUMS; l++) {
    fold_begin(&s.sum[l], pipecg_folds(l, s.exact_u), sums[l]->exponent, s.m[l]);
  }
  pipecg_block_of(0, rows, true, &k, d, step, v, NULL, &s);
  if (!fold_fits(&s.rest)) return false;
#pragma GCC unroll 10
  for (int l = 0; l < OVK__PIPECG_SUMS; l++) {
    fold_end(&s.sum[l], s.m[l], &sums[l]->now, pipecg_folds(l, s.exact_u), rows);
  }
  return true;
}

OVK_ALWAYS_INLINE void pipecg_sweep(ovk_lidx rows, bool update, double alpha, double beta,
                                    ovk__diagonal D, const ovk__pipecg_arrays *v, double *sums)
{
  if (sums) {
    OVK_WITH_DIAGONAL(D, d, step, pipecg_all(rows, update, alpha, beta, d, step, v, sums));
  } else {
    OVK_WITH_DIAGONAL(D, d, step, pipecg_all(rows, update, alpha, beta, d, step, v, NULL));
  }
}

OVK_ALWAYS_INLINE bool pipecg_exact_sweep(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                                          const ovk__pipecg_arrays *v, ovk__exact_sum *const sums[])
{
  OVK_WITH_DIAGONAL(D, d, step, return pipecg_exact_all(rows, alpha, beta, d, step, v, sums));
}

#endif
