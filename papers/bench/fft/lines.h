/* SPDX-License-Identifier: BSD-2-Clause */
/* Fourier transforms of single lines, in place, by FFTW if the program was built with it. */
#ifndef OVK_TOOL_LINES_H
#define OVK_TOOL_LINES_H

#include <complex.h>
#include <ovkrylov/ovkrylov.h>

typedef enum direction { X, Y, Z } direction;

typedef enum sense { FORWARD, BACKWARD } sense;

typedef struct lines lines;

/* Plans the transforms of lines of n[X] real numbers, and of n[Y] and n[Z] complex ones. A real
 * line has space for its n[X] / 2 + 1 complex coefficients. Collective. @return OVK_ERR_UNSUPPORTED
 * in a build without FFTW, OVK_ERR_MEMORY */
ovk_err lines_create(ovk_ctx *ctx, const int n[3], lines **out);
void lines_destroy(lines **l);

/* Transforms a line, which begins at a multiple of 16 bytes, without normalization: forward and
 * back multiplies it by its length. */
void lines_transform(const lines *l, direction along, sense which, double complex *line);

#endif
