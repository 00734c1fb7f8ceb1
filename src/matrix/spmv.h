/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations that the local rows of a product progress: the halo exchange, and the poll hook of
 * the caller. */
#ifndef OVK_MATRIX_SPMV_H
#define OVK_MATRIX_SPMV_H

#include "matrix/halo/halo.h"

#include <ovkrylov/plugin/poll.h>

typedef struct ovk__spmv_hooks {
  ovk__halo *halo;
  ovk_poll callers;
} ovk__spmv_hooks;

/* The hook of both, to be used as long as `hooks`. */
ovk_poll ovk__spmv_poll(ovk__spmv_hooks *hooks);

#endif
