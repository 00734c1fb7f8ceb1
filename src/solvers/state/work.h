/* SPDX-License-Identifier: BSD-2-Clause */
/* Work vectors by their letters. The vectors of a method are a struct of pointers: the work vectors
 * in their order, then x. */
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

/* For lists of letters (core/base/by_name.h): a member of the struct of vectors, and the
 * initializer of an array from the struct of vectors *v. */
#define OVK__VECTOR(letter) ovk_vec *letter;
#define OVK__ARRAY_OF(letter) .letter = v->letter->array,

#endif
