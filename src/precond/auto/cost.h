/* SPDX-License-Identifier: BSD-2-Clause */
/* A model of the time of a setup and an iteration with each candidate. It has no measured times of
 * this run, so that all runs choose equally. */
#ifndef OVK_PRECOND_AUTO_COST_H
#define OVK_PRECOND_AUTO_COST_H

#include "precond/auto/candidate.h"
#include "precond/auto/features.h"

/* Seconds on the rank with the most rows. */
typedef struct ovk__auto_cost {
  double setup, iteration;
} ovk__auto_cost;

ovk__auto_cost ovk__auto_cost_of(const ovk__auto_features *A, ovk__auto_kind kind);

#endif
