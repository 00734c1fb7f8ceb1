/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of reductions: to <- to op from, element by element. */
#ifndef OVK_COMM_ENGINE_COMBINE_H
#define OVK_COMM_ENGINE_COMBINE_H

#include <ovkrylov/comm/collectives_reduce.h>
#include <stddef.h>

/* The two vectors do not overlap. */
typedef void ovk__combine(void *to, const void *from, size_t n);

ovk__combine ovk__combine_sum_double;

/* Return the combination for a type and an operation; NULL if one of them is unknown or the
 * operation is not defined for this type. */
ovk__combine *ovk__combine_of(ovk_type type, ovk_op op);

/* Bytes of an element; 0 for an unknown type. */
size_t ovk__type_size(ovk_type type);

/* Names for messages, such as "doubles" and "sum", of known types and operations. */
const char *ovk__type_name(ovk_type type);
const char *ovk__op_name(ovk_op op);

#endif
