/* SPDX-License-Identifier: BSD-2-Clause */
/* What makes ranks uneven. */
#ifndef OVK_MODEL_NOISE_H
#define OVK_MODEL_NOISE_H

#include <ovkrylov/model.h>

/* What piece number `piece` of a rank, `work` seconds without noise, takes. Depends on nothing else
 * than these and the seed, so methods compared under one seed have the same luck. */
double ovk__noise_add(const ovk_model *model, int rank, uint64_t piece, double work);

#endif
