/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts another program and waits for it. */
#ifndef OVK_TOOL_LAUNCH_H
#define OVK_TOOL_LAUNCH_H

/* Starts words[0], found in PATH, with these arguments, NULL-terminated, and waits until it ends.
 * Returns 0, or an error number if it could not be started. *status <- its exit status; 128 + n if
 * signal n ended it. */
int launch(char *const *words, int *status);

#endif
