/* SPDX-License-Identifier: BSD-2-Clause */
/* All storage formats: X(ops table). The first is the reference, and the choice of "auto" if none
 * of the others is cheaper. Formats that often are cheapest come first: their cost is the limit for
 * the rest, which are then rejected early. */
#define OVK_FORMAT_LIST(X)                                                                         \
  X(ovk__format_csr)                                                                               \
  X(ovk__format_pattern)                                                                           \
  X(ovk__format_symdia)                                                                            \
  X(ovk__format_sym3)                                                                              \
  X(ovk__format_sym)                                                                               \
  X(ovk__format_dia)                                                                               \
  X(ovk__format_sell)

/* Variants of these that "auto" may take. */
#define OVK_FORMAT_VARIANTS(X) X(ovk__format_dia_few)
