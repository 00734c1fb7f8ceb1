/* SPDX-License-Identifier: BSD-2-Clause */
/* Commands that are programs of their own, in Python, installed beside this one. */
#ifndef OVK_TOOL_HAND_OVER_H
#define OVK_TOOL_HAND_OVER_H

/* Becomes the Python program of `ovk report`, with argc words; after MPI_Finalize(). Returns only
 * if that fails: what the program is to exit with, after a sentence on standard error. */
int hand_over_report(int argc, char **argv);

#endif
