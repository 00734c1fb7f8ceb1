/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of block methods. A part of the rows stays in the L1 cache between the formulas of a
 * sweep. A formula treats four columns at a time, whose coefficients or sums are in registers. */
#include "solvers/kernels/many/block_many.h"
#include "core/base/columns.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/diagonal_step.h"

enum { PART = 32, NUMBERS = 8 * PART, SMALL = 8 * 8 };

OVK_ALWAYS_INLINE ovk_lidx block_part(ovk_lidx from, ovk_lidx n)
{
  return PART < n - from ? PART : n - from;
}

/* The V of row i of a block from column c on: a vector of four columns, or of two. */
#define BLOCK_LOAD(v, w, x, i, c) memcpy(&(v), (x) + (int64_t)(i) * (w) + (c), sizeof(v))
#define BLOCK_STORE(v, w, x, i, c) memcpy((x) + (int64_t)(i) * (w) + (c), &(v), sizeof(v))
#define BLOCK_UNROLL _Pragma("GCC unroll 8")

/* sum <- sum + the first `of` rows of x^T y in the columns from c on */
#define BLOCK_ADD_GRAM(V, w, of, c, n, x, y, sum)                                                  \
  do {                                                                                             \
    V g_[8] = {{0}}, y_;                                                                           \
    for (ovk_lidx i_ = 0; i_ < (n); i_++) {                                                        \
      const double *x_ = (x) + (int64_t)i_ * (w);                                                  \
      BLOCK_LOAD(y_, w, y, i_, c);                                                                 \
      BLOCK_UNROLL for (int k_ = 0; k_ < (of); k_++) g_[k_] += x_[k_] * y_;                        \
    }                                                                                              \
    for (int k_ = 0; k_ < (of); k_++) {                                                            \
      BLOCK_LOAD(y_, 8, sum, k_, c);                                                               \
      y_ += g_[k_];                                                                                \
      BLOCK_STORE(y_, 8, sum, k_, c);                                                              \
    }                                                                                              \
  } while (0)

/* The same of r^T D r and r^T r, or (D r)^T D r if `of_z`, with row i of D in d[i]. */
#define BLOCK_ADD_GRAMS(V, w, of, c, n, d, of_z, r, sum_z, sum_v)                                  \
  do {                                                                                             \
    V g_[8] = {{0}}, h_[8] = {{0}}, y_, z_;                                                        \
    for (ovk_lidx i_ = 0; i_ < (n); i_++) {                                                        \
      const double *x_ = (r) + (int64_t)i_ * (w);                                                  \
      BLOCK_LOAD(y_, w, r, i_, c);                                                                 \
      z_ = (d)[i_] * y_;                                                                           \
      if (of_z) y_ = (d)[i_] * z_;                                                                 \
      BLOCK_UNROLL for (int k_ = 0; k_ < (of); k_++) g_[k_] += x_[k_] * z_;                        \
      BLOCK_UNROLL for (int k_ = 0; k_ < (of); k_++) h_[k_] += x_[k_] * y_;                        \
    }                                                                                              \
    for (int k_ = 0; k_ < (of); k_++) {                                                            \
      BLOCK_LOAD(y_, 8, sum_z, k_, c);                                                             \
      y_ += g_[k_];                                                                                \
      BLOCK_STORE(y_, 8, sum_z, k_, c);                                                            \
      BLOCK_LOAD(y_, 8, sum_v, k_, c);                                                             \
      y_ += h_[k_];                                                                                \
      BLOCK_STORE(y_, 8, sum_v, k_, c);                                                            \
    }                                                                                              \
  } while (0)

/* y <- y - x C, or if `set` y <- x C, in the columns from c on */
#define BLOCK_SUBTRACT(V, w, c, n, set, x, C, y)                                                   \
  do {                                                                                             \
    V c_[8], y_;                                                                                   \
    for (int k_ = 0; k_ < (w); k_++) BLOCK_LOAD(c_[k_], 8, C, k_, c);                              \
    for (ovk_lidx i_ = 0; i_ < (n); i_++) {                                                        \
      const double *x_ = (x) + (int64_t)i_ * (w);                                                  \
      V t_ = x_[0] * c_[0];                                                                        \
      BLOCK_UNROLL for (int k_ = 1; k_ < (w); k_++) t_ += x_[k_] * c_[k_];                         \
      BLOCK_LOAD(y_, w, y, i_, c);                                                                 \
      if (set) y_ = t_;                                                                            \
      if (!(set)) y_ -= t_;                                                                        \
      BLOCK_STORE(y_, w, y, i_, c);                                                                \
    }                                                                                              \
  } while (0)

/* x <- x + q E; p <- D r + q F, in the columns from c on, with row i of D in d[i step] */
#define BLOCK_STEP(V, w, c, n, q, E, F, d, step, r, p, x)                                          \
  do {                                                                                             \
    V e_[8], f_[8], x_, r_;                                                                        \
    for (int k_ = 0; k_ < (w); k_++) BLOCK_LOAD(e_[k_], 8, E, k_, c);                              \
    for (int k_ = 0; k_ < (w); k_++) BLOCK_LOAD(f_[k_], 8, F, k_, c);                              \
    for (ovk_lidx i_ = 0; i_ < (n); i_++) {                                                        \
      const double *q_ = (q) + (int64_t)i_ * (w);                                                  \
      V t_ = q_[0] * e_[0], u_ = q_[0] * f_[0];                                                    \
      BLOCK_UNROLL for (int k_ = 1; k_ < (w); k_++) t_ += q_[k_] * e_[k_];                         \
      BLOCK_UNROLL for (int k_ = 1; k_ < (w); k_++) u_ += q_[k_] * f_[k_];                         \
      BLOCK_LOAD(x_, w, x, i_, c);                                                                 \
      BLOCK_LOAD(r_, w, r, i_, c);                                                                 \
      x_ += t_;                                                                                    \
      r_ = (d)[i_ * (step)] * r_ + u_;                                                             \
      BLOCK_STORE(x_, w, x, i_, c);                                                                \
      BLOCK_STORE(r_, w, p, i_, c);                                                                \
    }                                                                                              \
  } while (0)

/* For w = 8 without the lower left quarter, here and below. */
OVK_ALWAYS_INLINE void block_add_gram(int w, ovk_lidx n, const double *x, const double *y,
                                      double *sum)
{
  if (w == 2) BLOCK_ADD_GRAM(ovk__two, w, 2, 0, n, x, y, sum);
  if (w >= 4) BLOCK_ADD_GRAM(ovk__half, w, 4, 0, n, x, y, sum);
  if (w == 8) BLOCK_ADD_GRAM(ovk__half, w, 8, 4, n, x, y, sum);
}

OVK_ALWAYS_INLINE void block_add_grams(int w, ovk_lidx n, const double *d, bool of_z,
                                       const double *r, double *sum_z, double *sum_v)
{
  if (w == 2) BLOCK_ADD_GRAMS(ovk__two, w, 2, 0, n, d, of_z, r, sum_z, sum_v);
  if (w >= 4) BLOCK_ADD_GRAMS(ovk__half, w, 4, 0, n, d, of_z, r, sum_z, sum_v);
  if (w == 8) BLOCK_ADD_GRAMS(ovk__half, w, 8, 4, n, d, of_z, r, sum_z, sum_v);
}

OVK_ALWAYS_INLINE void block_subtract(int w, ovk_lidx n, bool set, const double *x, const double *C,
                                      double *y)
{
  if (w == 2) BLOCK_SUBTRACT(ovk__two, w, 0, n, set, x, C, y);
  if (w >= 4) BLOCK_SUBTRACT(ovk__half, w, 0, n, set, x, C, y);
  if (w == 8) BLOCK_SUBTRACT(ovk__half, w, 4, n, set, x, C, y);
}

OVK_ALWAYS_INLINE void block_step_part(int w, ovk_lidx n, const double *q, const double *E,
                                       const double *F, const double *d, ptrdiff_t step,
                                       const double *r, double *p, double *x)
{
  if (w == 2) BLOCK_STEP(ovk__two, w, 0, n, q, E, F, d, step, r, p, x);
  if (w >= 4) BLOCK_STEP(ovk__half, w, 0, n, q, E, F, d, step, r, p, x);
  if (w == 8) BLOCK_STEP(ovk__half, w, 4, n, q, E, F, d, step, r, p, x);
}

/* out <- the sums times `factor`, with that quarter */
OVK_ALWAYS_INLINE void block_give(int w, const double *sum, double factor, double *out)
{
  for (int i = 0; i < w; i++) {
    for (int j = 0; j < w; j++) {
      out[8 * i + j] = factor * (i >= 4 && j < 4 ? sum[8 * j + i] : sum[8 * i + j]);
    }
  }
}

OVK_ALWAYS_INLINE void block_copy(int w, ovk_lidx n, const double *from, double *to)
{
  for (int64_t k = 0; k < (int64_t)n * w; k++) to[k] = from[k];
}

OVK_ALWAYS_INLINE void block_gram(int w, ovk_lidx n, const double *x, const double *y, double *xy)
{
  double sum[SMALL] = {0};
  for (ovk_lidx i = 0, part; i < n; i += part) {
    part = block_part(i, n);
    block_add_gram(w, part, x + (int64_t)i * w, y + (int64_t)i * w, sum);
  }
  block_give(w, sum, 1, xy);
}

OVK_ALWAYS_INLINE void block_scale(int w, ovk_lidx n, const double *C, double *x)
{
  double old[NUMBERS];
  for (ovk_lidx i = 0, part; i < n; i += part) {
    double *at = x + (int64_t)i * w;
    part = block_part(i, n);
    block_copy(w, part, at, old);
    block_subtract(w, part, true, old, C, at);
  }
}

OVK_ALWAYS_INLINE void block_update_r(int w, ovk_lidx n, const double *C, const double *s,
                                      const double *d, ptrdiff_t step, bool of_z, double *r,
                                      double *rz, double *vv)
{
  double sum_v[SMALL] = {0}, sum_z[SMALL] = {0};
  for (ovk_lidx i = 0, part; i < n; i += part) {
    double *at = r + (int64_t)i * w;
    part = block_part(i, n);
    block_subtract(w, part, false, s + (int64_t)i * w, C, at); /* r <- r - s C */
    if (step && of_z) block_add_grams(w, part, d + i, true, at, sum_z, sum_v);
    if (step && !of_z) block_add_grams(w, part, d + i, false, at, sum_z, sum_v);
    if (!step) block_add_gram(w, part, at, at, sum_v);
  }
  if (step) block_give(w, sum_z, 1, rz);
  if (!step && d) block_give(w, sum_v, d[0], rz);
  block_give(w, sum_v, !step && d && of_z ? d[0] * d[0] : 1, vv);
}

OVK_ALWAYS_INLINE void block_step(int w, ovk_lidx n, const double *E, const double *F,
                                  const double *d, ptrdiff_t step, const double *r, double *p,
                                  double *x)
{
  double old[NUMBERS];
  for (ovk_lidx i = 0, part; i < n; i += part) {
    const int64_t k = (int64_t)i * w;
    part = block_part(i, n);
    block_copy(w, part, p + k, old);
    block_step_part(w, part, old, E, F, d + i * step, step, r + k, p + k, x + k);
  }
}

OVK_FOR_EACH_CPU
void ovk__block_gram(ovk_lidx n, int w, const double *x, const double *y, double *xy)
{
  OVK__FOR_WIDTH(w, block_gram, n, x, y, xy);
}

OVK_FOR_EACH_CPU
void ovk__block_scale(ovk_lidx n, int w, const double *C, double *x)
{
  OVK__FOR_WIDTH(w, block_scale, n, C, x);
}

OVK_FOR_EACH_CPU
void ovk__block_update_r(ovk_lidx n, int w, const double *C, const double *s, ovk__diagonal D,
                         bool of_z, double *r, double *rz, double *vv)
{
  OVK_WITH_DIAGONAL(D, d, step,
                    OVK__FOR_WIDTH(w, block_update_r, n, C, s, d, step, of_z, r, rz, vv));
}

OVK_FOR_EACH_CPU
void ovk__block_step(ovk_lidx n, int w, const double *E, const double *F, ovk__diagonal D,
                     const double *r, double *p, double *x)
{
  OVK_WITH_STEP(D, step, OVK__FOR_WIDTH(w, block_step, n, E, F, D.d, step, r, p, x));
}
