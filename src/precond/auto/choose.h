/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice of `auto`, and its reason. */
#ifndef OVK_PRECOND_AUTO_CHOOSE_H
#define OVK_PRECOND_AUTO_CHOOSE_H

#include "precond/auto/candidate.h"

enum { OVK__AUTO_WHY = 160 };

typedef struct ovk__auto_choice {
  ovk__auto_kind order[OVK__AUTO_KINDS]; /* the best one first, then those to try if it fails */
  int n;
  char why[OVK__AUTO_WHY]; /* a clause about the first one */
} ovk__auto_choice;

/* Chooses for `solves` solves with A. *M <- the first of the order, if the choice needed its setup;
 * else empty. Collective; errors are agreed. */
ovk_err ovk__auto_choose(const ovk_mat *A, int solves, ovk__auto_choice *out,
                         ovk__auto_candidate *M);

#endif
