/* SPDX-License-Identifier: BSD-2-Clause */
/* The small problem of GMRES: minimise ||beta e_0 - H y|| for the Hessenberg matrix H of an Arnoldi
 * process, B V_j = V_j+1 H. Its QR factors are kept column by column with Givens rotations (Saad
 * and Schultz 1986). */
#ifndef OVK_SOLVERS_KERNELS_HESSENBERG_H
#define OVK_SOLVERS_KERNELS_HESSENBERG_H

#include <stdbool.h>
#include <stddef.h>

/* Entry (i, j) of H and R is at index ovk__hessenberg_at(). All arrays are one piece of memory of
 * ovk__hessenberg_size() doubles, the caller's. */
typedef struct ovk__hessenberg {
  int most;              /* columns */
  double *H, *R;         /* H, and the triangle of its QR factors */
  double *cosine, *sine; /* the rotations */
  double *g;             /* beta e_0, rotated; |g_k| is the residual's norm after k columns */
  double *y;
  double largest; /* norm of a column of H so far */
} ovk__hessenberg;

static inline size_t ovk__hessenberg_at(const ovk__hessenberg *P, int i, int j)
{
  return (size_t)j * ((size_t)P->most + 1) + (size_t)i;
}

/* Doubles for problems of `most` columns; and where they are. */
size_t ovk__hessenberg_size(int most);
void ovk__hessenberg_place(ovk__hessenberg *P, int most, double *memory);

/* Begins a problem without columns. */
void ovk__hessenberg_start(ovk__hessenberg *P, double beta);

/* Takes column j of H, entries 0 to j + 1, into the factors. Returns whether R is regular: false if
 * its diagonal entry is below the fraction `negligible` of H's largest column. B is singular on the
 * space then, and column j must not be used; the residual stays that of j columns. */
bool ovk__hessenberg_push(ovk__hessenberg *P, int j, double negligible);

/* The norm of the residual of k columns. */
double ovk__hessenberg_residual(const ovk__hessenberg *P, int k);

/* P->y <- the y of the first k columns. */
void ovk__hessenberg_solve(ovk__hessenberg *P, int k);

/* out <- H s, for the first k columns: k + 1 numbers. */
void ovk__hessenberg_multiply(const ovk__hessenberg *P, int k, const double *s, double *out);

#endif
