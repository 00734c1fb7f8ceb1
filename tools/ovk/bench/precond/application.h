/* SPDX-License-Identifier: BSD-2-Clause */
/* Measuring one preconditioner: its setup, its applications, and a solve with it. */
#ifndef OVK_TOOL_APPLICATION_H
#define OVK_TOOL_APPLICATION_H

#include "problem/problem.h"

/* Times are seconds of the slowest rank. */
typedef enum application_figure {
  APPLICATION_SETUP,
  APPLICATION_UPDATE,     /* a setup with new values */
  APPLICATION_APPLY,      /* z <- C^-1 r */
  APPLICATION_COLUMN,     /* a column of Z <- C^-1 R / APPLY */
  APPLICATION_LEFT_RIGHT, /* t <- L^-1 r, w <- L^-T t; NaN without factors */
  APPLICATION_HELD,       /* bytes of the preconditioner, all ranks, */
  APPLICATION_OF_CSR,     /* and over those of the matrix in compressed rows */
  APPLICATION_TRAFFIC,    /* bytes that z <- C^-1 r moves by the model, all ranks */
  APPLICATION_MODEL,      /* seconds of that traffic at the bandwidth of the machine */
  APPLICATION_RATIO,      /* APPLY / MODEL */
  APPLICATION_ITERATIONS, /* of a solve; NaN, as its time, if it did not converge */
  APPLICATION_SOLVE,
  APPLICATION_FIGURES
} application_figure;

typedef struct application {
  ovk_ctx *ctx;
  problem problem;
  ovk_vec *in, *out, *x;
  ovk_multivec *columns_in, *columns_out;
  const char *method; /* of the solve */
  double rtol;
  int maxit, times; /* applications in a round */
} application;

/* One round with the preconditioner `spec`. Collective. */
ovk_err application_measure(application *a, const char *spec, double figures[APPLICATION_FIGURES]);

#endif
