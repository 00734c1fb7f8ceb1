/* SPDX-License-Identifier: BSD-2-Clause */
/* Check mode of the sums, OVK_CHECK=1: the front end (reduction.c) puts this decorator around every
 * backend. */
#ifndef OVK_BACKENDS_CHECK_MODE_H
#define OVK_BACKENDS_CHECK_MODE_H

#include "base/check.h"

#include <ovkrylov/backend.h>
#include <stdarg.h>

/* Its open agrees on errors. A sum has one value more than its user asked for. */
extern const ovk_backend_ops ovk__check_mode;

/* Lets begin return before all ranks have begun the sum. */
void ovk__check_mode_begins_at_once(ovk_backend *backend);

/* Whether every sum has ended. If not, a timeout has expired, and the decorated backend must not be
 * closed. */
bool ovk__check_mode_idle(const ovk_backend *backend);

/* In check mode: a text about what this rank has decided when it next begins the sum, to be
 * compared with the other ranks' texts. */
void ovk__reduction_note(ovk_reduction *red, const char *format, ...) OVK_PRINTF(2, 3);
void ovk__check_mode_note(ovk_sum *sum, const char *format, va_list args);

#endif
