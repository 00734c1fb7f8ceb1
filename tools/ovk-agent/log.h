/* SPDX-License-Identifier: BSD-2-Clause */
/* The log, on standard error. */
#ifndef OVK_AGENT_LOG_H
#define OVK_AGENT_LOG_H

#include <ovkrylov/error.h>

/* A line, with the time (UTC) and the process. */
void note(const char *format, ...) OVK_PRINTF(1, 2);

/* The same about a connection that is not authenticated: at most one a second, so that a flood does
 * not fill the log. The next line has the number of omitted ones. */
void note_stranger(const char *format, ...) OVK_PRINTF(1, 2);

#endif
