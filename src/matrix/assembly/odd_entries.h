/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries that are no error but hardly meant, which assembly reports as notices: numbers that are
 * not finite, and rows without any. They are no error as a Newton method recovers from a solve that
 * ends with OVK_REASON_NAN, and null spaces may be given for empty rows. */
#ifndef OVK_MATRIX_ASSEMBLY_ODD_ENTRIES_H
#define OVK_MATRIX_ASSEMBLY_ODD_ENTRIES_H

#include "matrix/formats/csr.h"

typedef struct ovk__odd_entries {
  bool not_finite; /* the first such entry added here: */
  ovk_gidx row, col;
  double value;
  int64_t empty_rows; /* of this rank, and the first of them */
  ovk_gidx first_empty;
} ovk__odd_entries;

/* The index of the first of n values that is not finite, or n. */
int64_t ovk__find_not_finite(int64_t n, const double *values);

/* Keeps the first entry that is not finite. */
void ovk__odd_entries_keep(ovk__odd_entries *odd, ovk_gidx row, ovk_gidx col, double value);

/* Counts the rows that have no entry in `local`, nor one in the rows listed in remote_rows, which
 * increase. `first` is the number of the first row. */
void ovk__odd_entries_count_empty(ovk__odd_entries *odd, const ovk__csr *local,
                                  const ovk_lidx *remote_rows, ovk_lidx nremote, ovk_gidx first);

/* Notifies all ranks. ranks_not_finite and empty_rows are sums over the ranks, `rows` is the
 * matrix's number. Collective; errors are agreed. */
ovk_err ovk__odd_entries_report(ovk_ctx *ctx, const ovk__odd_entries *odd, int64_t ranks_not_finite,
                                int64_t empty_rows, ovk_gidx rows);

#endif
