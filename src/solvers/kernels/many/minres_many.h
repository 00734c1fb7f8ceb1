/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of updates/updates_minres.h for blocks of w columns; conventions as in
 * updates_many.h. Coefficient or sum number k of column c is number 8 k + c of an array. */
#ifndef OVK_SOLVERS_KERNELS_MANY_MINRES_MANY_H
#define OVK_SOLVERS_KERNELS_MANY_MINRES_MANY_H

#include "solvers/kernels/updates/updates_minres.h"

/* The members of ovk__minres_coeffs, in their order. */
enum {
  OVK__STEP_XP,
  OVK__STEP_EE,
  OVK__STEP_ED,
  OVK__STEP_PZ,
  OVK__STEP_PP,
  OVK__STEP_PO,
  OVK__STEP_VU,
  OVK__STEP_VV,
  OVK__STEP_VO,
  OVK__MINRES_COEFFS
};

/* As ovk__update_minres(). */
void ovk__many_update_minres(ovk_lidx n, int w, const double *step, ovk__diagonal D,
                             const ovk__minres_arrays *a, double *sums);

/* As ovk__dots_minres(). */
void ovk__many_dots_minres(ovk_lidx n, int w, const double *v, const double *z, const double *e,
                           bool d_is_z, double *sums);

#endif
