/* SPDX-License-Identifier: BSD-2-Clause */
/* Commands that are separate Python programs, installed next to this one. */
#ifndef OVK_TOOL_EXEC_REPORT_H
#define OVK_TOOL_EXEC_REPORT_H

/* Replaces this process by the Python program of `ovk report`, with argc words; after
 * MPI_Finalize(). Returns only on failure: the exit status, after a message on standard error. */
int exec_report(int argc, char **argv);

#endif
