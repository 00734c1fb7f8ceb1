/* SPDX-License-Identifier: BSD-2-Clause */
/* Elementary functions from + - * / and powers of two alone, with the same bits everywhere: those
 * of the C library depend on its version and, in some, on the processor. Errors are a few units in
 * the last place. */
#ifndef OVK_CORE_MATH_ELEMENTARY_H
#define OVK_CORE_MATH_ELEMENTARY_H

double ovk__log(double x);
double ovk__log1p(double x); /* log(1 + x) */
double ovk__exp(double x);
double ovk__expm1(double x);     /* e^x - 1 */
double ovk__cosh(double x);      /* for |x| < 700 */
double ovk__acosh(double x);     /* for x >= 1 */
double ovk__cos_pi(double part); /* cos(pi part) for 0 <= part <= 1 */

#endif
