/* SPDX-License-Identifier: BSD-2-Clause */
/* Noise, which makes ranks uneven. */
#ifndef OVK_MODEL_NOISE_H
#define OVK_MODEL_NOISE_H

#include <ovkrylov/model.h>

/* Seconds of piece number `piece` of a rank, `work` seconds without noise. Depends only on these
 * and the seed, so methods compared with the same seed get the same noise. */
double ovk__noise_add(const ovk_model *model, int rank, uint64_t piece, double work);

#endif
