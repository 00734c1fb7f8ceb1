/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner that `auto` has chosen for a matrix, set up. */
#ifndef OVK_PRECOND_AUTO_SELECTION_H
#define OVK_PRECOND_AUTO_SELECTION_H

#include "precond/auto/choose.h"
#include "precond/precond_impl.h"

/* All zero except for A and solves: nothing is selected. */
typedef struct ovk__selection {
  const ovk_mat *A;
  int solves;
  ovk__auto_choice choice;
  ovk__auto_candidate M;
  ovk__auto_candidate F; /* the one that split methods use, if M has no factors and they asked */
  double *ones;          /* the inverse diagonal of `none`; NULL for the others */
  char why[OVK__AUTO_WHY], info[OVK__PRECOND_INFO];
  char failure[OVK__PRECOND_INFO]; /* of the first candidate whose setup failed; or empty */
} ovk__selection;

/* S->M <- the first candidate of the choice, or the next one if its setup fails.
 * Collective; errors are agreed. */
ovk_err ovk__selection_make(ovk__selection *S);

/* After new values of A: keeps the candidate, unless that refuses them, as ic does those of a
 * nonsymmetric A. Collective; errors are agreed. */
ovk_err ovk__selection_update(ovk__selection *S);

/* S->F <- the fastest candidate with factors, unless M has some; or nothing, if all fail. M stays,
 * as others may use it. Collective. */
void ovk__selection_factor(ovk__selection *S);

int64_t ovk__selection_bytes(const ovk__selection *S);
void ovk__selection_free(ovk__selection *S);

#endif
