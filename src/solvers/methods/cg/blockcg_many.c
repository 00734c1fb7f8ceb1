/* SPDX-License-Identifier: BSD-2-Clause */
/* Block conjugate gradients: the columns share their directions, so that each is minimized over the
 * sum of the Krylov spaces of all. O'Leary, "The block conjugate gradient algorithm and related
 * methods" (Linear Algebra Appl. 29, 1980), in the form of Dubrulle, "Retooling the method of block
 * conjugate gradients" (ETNA 12, 2001): the residuals are R = Q sigma, Q^T M^-1 Q = I, so that
 * residuals that become dependent do no harm. Q comes from Cholesky factors of a Gram matrix, and
 * from further ones where the first are not accurate. Dependent columns of Q are dropped.
 *
 * If A or M is not definite for the block, or something is not finite, the columns continue as in
 * cg_many.c, which keeps them apart. */
#include "solvers/kernels/gram.h"
#include "solvers/kernels/many/block_many.h"
#include "solvers/many/columns.h"
#include "solvers/many/ops_many.h"
#include "solvers/methods/cg/cg_many.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>
#include <string.h>

enum { SDOTP, GAMMA, CURVATURE, GRAMS }; /* the first two of cg_many.c */
enum { WORK_R, WORK_P, WORK_S, WORK_VECTORS };

/* Squares of lengths below this are rounding error: of the residuals of a step, in parts of those
 * before, and of vectors that have been made orthonormal. */
static const double ZERO_RESIDUAL = 1e-26, ZERO_AGAIN = 1e-12;

/* The directions of residuals with a smaller pivot are made orthonormal: otherwise their Gram
 * matrix would lose more digits in the next steps. */
static const double ACCURATE = 1e-5;

/* With pivots from here on, one factorization makes them orthonormal. */
static const double AT_ONCE = 1e-8;

typedef struct block {
  ovk__many *B;
  double *r, *p, *s;
  ovk__gram H, inverse;                  /* Q^T M^-1 Q of the residuals' directions Q, in r */
  int rank;                              /* of Q */
  ovk__gram sigma;                       /* the residuals of the columns are Q sigma */
  ovk__lane_values grams[2 * OVK__GRAM]; /* parts and totals */
} block;

/* r <- r - s alpha; s <- M^-1 r where M is not diagonal; begins and ends r^T M^-1 r and the Gram
 * matrix of the norm in the test. */
static ovk_err block_update_r(block *K, ovk__gram alpha)
{
  ovk__many *B = K->B;
  ovk_solver *S = B->S;
  double *rz = *K->grams, *vv = K->grams[OVK__GRAM];
  OVK_SWEEP(S,
            ovk__block_update_r(rows(S), B->width, *alpha, K->s, S->D, tests_z(S), K->r, rz, vv));
  if (!S->D.d) {
    ovk__many_op_apply_other(B, K->r, K->s, ovk_poll_none());
    OVK_SWEEP(S, ovk__block_gram(rows(S), B->width, K->r, K->s, rz));
    if (tests_z(S)) {
      OVK_SWEEP(S, ovk__block_gram(rows(S), B->width, K->s, K->s, vv));
    }
  }
  return ovk__many_op_reduce(B, GRAMS, K->grams);
}

/* r <- r W; where M is not diagonal, s <- s W */
static void block_scale(block *K, ovk__gram W)
{
  ovk_solver *S = K->B->S;
  const int w = K->B->width;
  OVK_SWEEP(S, ovk__block_scale(rows(S), w, *W, K->r));
  if (!S->D.d) OVK_SWEEP(S, ovk__block_scale(rows(S), w, *W, K->s));
}

/* The Gram matrix of r, which has been scaled; s = M^-1 r */
static ovk_err block_gram_again(block *K)
{
  ovk__many *B = K->B;
  if (B->S->D.d) ovk__many_op_precond(B, K->r, K->s);
  OVK_SWEEP(B->S, ovk__block_gram(rows(B->S), B->width, K->r, K->s, *K->grams));
  return ovk__many_op_reduce(B, GRAMS, K->grams);
}

static void block_identity(int rank, ovk__gram I)
{
  memset(I, 0, sizeof(ovk__gram));
  for (int c = 0; c < rank; c++) I[c][c] = 1;
}

/* r <- Q, where r = Q factor: r itself, or orthonormal directions where r, whose Gram matrix is in
 * K->grams, is not independent enough. *holds <- whether all is finite and M definite. */
static ovk_err block_directions(block *K, ovk__gram factor, bool *holds)
{
  const int w = K->B->width;
  double largest = 0;
  ovk__gram_factors Q;
  ovk__gram product;
  for (int c = 0; c < w; c++) largest = fmax(largest, K->H[c][c]);
  block_identity(w, factor);
  *holds = ovk__gram_factor(w, K->grams, ZERO_RESIDUAL * largest, OVK__GRAM_KEEP, &Q);
  for (int k = 0; *holds && (Q.least < ACCURATE || Q.drops) && k < 4; k++) {
    block_scale(K, Q.inverse);
    ovk__gram_multiply(w, Q.factor, factor, product);
    memcpy(factor, product, sizeof product);
    if (Q.least >= AT_ONCE) {
      block_identity(Q.rank, K->grams);
    } else {
      OVK_TRY(block_gram_again(K));
    }
    *holds = ovk__gram_factor(w, K->grams, ZERO_AGAIN, OVK__GRAM_DROP, &Q);
  }
  memcpy(K->H, K->grams, sizeof K->H);
  ovk__gram_multiply_transpose(w, Q.inverse, Q.inverse, K->inverse);
  K->rank = Q.rank;
  *holds = *holds && Q.rank > 0;
  return OVK_OK;
}

/* x <- x + p E; p <- M^-1 Q + p F; sigma <- factor sigma */
static void block_step(block *K, ovk__gram E, ovk__gram F, ovk__gram factor)
{
  ovk__many *B = K->B;
  ovk_solver *S = B->S;
  ovk__gram sigma;
  const bool stored = !S->D.d; /* M^-1 Q is in s */
  OVK_SWEEP(S, ovk__block_step(rows(S), B->width, *E, *F, stored ? ovk__diagonal_identity() : S->D,
                               stored ? K->s : K->r, K->p, B->x));
  ovk__gram_multiply(B->width, factor, K->sigma, sigma);
  memcpy(K->sigma, sigma, sizeof sigma);
}

/* The first Q and p of the residuals in r. */
static ovk_err block_start(block *K, bool *holds)
{
  ovk__gram none = {{0}}, factor;
  for (int c = 0; c < OVK__GRAM; c++) K->sigma[c][c] = 1;
  ovk__many_op_zero(K->B, K->p);
  ovk__many_op_zero(K->B, K->s);
  OVK_TRY(block_update_r(K, none));
  OVK_TRY(block_directions(K, factor, holds));
  if (*holds) block_step(K, none, none, factor);
  return OVK_OK;
}

/* inverse <- (p^T s)^-1, s = A p, of its independent directions. Returns false if A is not
 * definite. */
static ovk_err block_curvature(block *K, ovk__gram inverse, bool *holds)
{
  ovk__many *B = K->B;
  ovk__gram_factors A;
  ovk__many_op_product(B, K->p, K->s, ovk_poll_none());
  OVK_SWEEP(B->S, ovk__block_gram(rows(B->S), B->width, K->p, K->s, *K->grams));
  OVK_TRY(ovk__many_op_reduce(B, CURVATURE, K->grams));
  *holds = ovk__gram_factor(B->width, K->grams, 0, OVK__GRAM_DROP, &A) && A.rank > 0 &&
           A.vectors == K->rank;
  ovk__gram_multiply_transpose(B->width, A.inverse, A.inverse, inverse);
  return OVK_OK;
}

/* Counts and tests an iteration of each column. */
static ovk_err block_test(block *K, const double *square)
{
  for (int c = 0; c < K->B->width; c++) {
    if (ovk__many_runs(K->B, c)) OVK_TRY(ovk__many_test(K->B, c, square[c]));
  }
  return OVK_OK;
}

static ovk_err block_iteration(block *K, bool *holds)
{
  ovk__many *B = K->B;
  const int w = B->width, of_norm = B->S->opts.norm == OVK_NORM_NATURAL ? 0 : OVK__GRAM;
  ovk__gram inverse, alpha, factor, E, F, product;
  double square[OVK__GRAM] = {0};
  OVK_TRY(block_curvature(K, inverse, holds)); /* s = A p */
  if (!*holds) return OVK_OK;
  ovk__gram_multiply(w, inverse, K->H, alpha); /* alpha = (p^T s)^-1 H */
  OVK_TRY(block_update_r(K, alpha));           /* r = r - s alpha */
  for (int c = 0; c < w; c++) {
    square[c] = fmax(0, ovk__gram_square(w, K->grams + of_norm, K->sigma, c));
  }
  ovk__gram_multiply(w, alpha, K->sigma, E);
  memcpy(inverse, K->inverse, sizeof inverse); /* H^-1 */
  OVK_TRY(block_directions(K, factor, holds)); /* r = Q factor; r = Q */
  if (!*holds) return OVK_OK;
  ovk__gram_multiply_transpose(w, inverse, factor, product);
  ovk__gram_multiply(w, product, K->H, F); /* beta = H_old^-1 factor^T H */
  block_step(K, E, F, factor);
  return block_test(K, square);
}

/* Stores x of the columns that have ended; returns whether one runs. */
static bool block_settle(block *K)
{
  ovk__many *B = K->B;
  bool ended[OVK__WIDEST] = {false}, runs = false;
  for (int c = 0; c < B->width; c++) ended[c] = B->lane[c] && B->lane[c]->end == OVK__COLUMN_ENDED;
  ovk__many_store(B, ended, B->solution);
  for (int c = 0; c < B->width; c++) {
    if (ovk__many_runs(B, c)) {
      runs = true;
      continue;
    }
    B->lane[c] = NULL;
    for (int i = 0; i < OVK__GRAM; i++) K->sigma[i][c] = 0;
  }
  return runs;
}

/* The columns that run continue by themselves from their x. */
static ovk_err block_part(block *K)
{
  ovk__many *B = K->B;
  double ignored[2][OVK__WIDEST];
  bool idle[OVK__WIDEST] = {false};
  for (int c = 0; c < B->width; c++) {
    idle[c] = !B->lane[c];
    if (B->lane[c]) B->lane[c]->solve.counts.restarts++;
  }
  ovk__many_clear(B, idle);
  ovk__many_gather(B, B->rhs, K->r);
  ovk__many_op_product(B, B->x, K->s, ovk_poll_none());
  ovk__many_op_residual(B, K->s, K->r, ignored[0], ignored[1]);
  return ovk__many_cg.iterate(B);
}

static ovk_err blockcg_iterate(ovk__many *B)
{
  block K = {.B = B, .r = B->work[WORK_R], .p = B->work[WORK_P], .s = B->work[WORK_S]};
  bool holds;
  if (!ovk__many_settle(B)) return OVK_OK;
  if (B->width == 1) return ovk__many_cg.iterate(B);
  OVK_TRY(block_start(&K, &holds));
  while (holds && block_settle(&K)) OVK_TRY(block_iteration(&K, &holds));
  return holds ? OVK_OK : block_part(&K);
}

const ovk__many_form ovk__many_blockcg = {
    .vectors = WORK_VECTORS,
    .sums = {[SDOTP] = 1, [GAMMA] = 2, [CURVATURE] = OVK__GRAM, [GRAMS] = 2 * OVK__GRAM},
    .scalars = OVK__CG_SCALARS,
    .reductions_per_iteration = 2,
    .iterate = blockcg_iterate,
};
