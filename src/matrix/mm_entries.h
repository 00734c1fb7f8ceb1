/* SPDX-License-Identifier: BSD-2-Clause */
/* The entries of a Matrix Market file: each rank parses a share of the bytes behind the head. */
#ifndef OVK_MATRIX_MM_ENTRIES_H
#define OVK_MATRIX_MM_ENTRIES_H

#include "matrix/mm_header.h"

/* Takes one entry; indices count from 0. */
typedef ovk_err (*ovk__mm_entry_fn)(void *arg, ovk_gidx i, ovk_gidx j, double value);

/* Gives the entries that this rank parsed to `entry`, with those that a symmetry implies. They come
 * before it is known whether all ranks' lines are good. The zeros of an array, but not -0, are left
 * out. Collective; errors are agreed: that of the first bad line of the file. */
ovk_err ovk__mm_entries_read(ovk__mm_lines *lines, const ovk__mm_header *header,
                             ovk__mm_entry_fn entry, void *arg);

#endif
