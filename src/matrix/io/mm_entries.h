/* SPDX-License-Identifier: BSD-2-Clause */
/* The entries of a Matrix Market file: each rank parses a share of the bytes after the head. */
#ifndef OVK_MATRIX_IO_MM_ENTRIES_H
#define OVK_MATRIX_IO_MM_ENTRIES_H

#include "matrix/io/mm_header.h"

/* Receives one entry; indices count from 0. */
typedef ovk_err (*ovk__mm_entry_fn)(void *arg, ovk_gidx i, ovk_gidx j, double value);

/* Calls `entry` for the entries that this rank parses and those implied by symmetry, before it is
 * known whether all lines are valid on all ranks. Zeros of an array, but not -0, are skipped.
 * Collective; errors are agreed: the error of the first bad line of the file. */
ovk_err ovk__mm_entries_read(ovk__mm_lines *lines, const ovk__mm_header *header,
                             ovk__mm_entry_fn entry, void *arg);

#endif
