/* SPDX-License-Identifier: BSD-2-Clause */
/* Sine waves in a box, amplitude sin(2 pi x / nx) sin(2 pi y / ny) sin(2 pi z / nz), whose
 * transforms are known. Errors are the maximum on this rank, relative to the amplitude. */
#ifndef OVK_TOOL_WAVES_H
#define OVK_TOOL_WAVES_H

#include "bench/fft/pencils.h"

/* In real lines along x. */
void waves_fill(const pencils *p, double amplitude, double complex *u);
double waves_error(const pencils *p, double amplitude, const double complex *u);

/* Divides coefficients, in lines along z, by the number of points. */
void waves_normalize(const pencils *p, double complex *s);
double waves_error_of_coefficients(const pencils *p, double amplitude, const double complex *s);

#endif
