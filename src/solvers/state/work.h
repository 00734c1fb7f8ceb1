/* SPDX-License-Identifier: BSD-2-Clause */
/* Work vectors by their letters. A method's vectors are a struct of pointers: the work vectors in
 * their order, then x. The arrays of a sweep are a struct of pointers with the same letters in the
 * same order. */
#ifndef OVK_SOLVERS_STATE_WORK_H
#define OVK_SOLVERS_STATE_WORK_H

#include "solvers/state/state.h"

#include <stddef.h>
#include <string.h>

/* The work vectors of a struct of vectors, and the place of one of them in S->work. */
#define OVK__WORK_COUNT(type) OVK__WORK_PLACE(type, x)
#define OVK__WORK_PLACE(type, letter) ((int)(offsetof(type, letter) / sizeof(ovk_vec *)))

/* *v <- the vectors of a method */
#define OVK__WORK_NAME(S, type, v)                                                                 \
  ((void)memcpy(v, (S)->work, offsetof(type, x)), (void)((v)->x = (S)->x))

/* The n arrays, of double * or const double *, <- those of n vectors. */
static inline void ovk__work_arrays(int n, const void *vectors, void *arrays)
{
  for (int k = 0; k < n; k++) {
    const ovk_vec *v;
    memcpy(&v, (const char *)vectors + (size_t)k * sizeof v, sizeof v);
    memcpy((char *)arrays + (size_t)k * sizeof(double *), &v->array, sizeof(double *));
  }
}

#endif
