/* SPDX-License-Identifier: BSD-2-Clause */
/* The coarse matrix P^T A P. */
#ifndef OVK_PRECOND_AMG_SETUP_GALERKIN_H
#define OVK_PRECOND_AMG_SETUP_GALERKIN_H

#include "precond/amg/setup/entries.h"
#include "precond/amg/setup/rows.h"

/* *coarse <- P^T A P, assembled: symmetric bit for bit, with the same bits on any number of ranks.
 * `layout` is that of its rows; *hash <- a hash of its entries, the same on all ranks. Collective;
 * errors are agreed. */
ovk_err ovk__amg_galerkin(const ovk__amg_rows *rows, const ovk__amg_entries *P,
                          const ovk__layout *layout, ovk_mat **coarse, uint64_t *hash);

#endif
