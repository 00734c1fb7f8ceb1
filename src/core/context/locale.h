/* SPDX-License-Identifier: BSD-2-Clause */
/* The "C" locale for one thread, temporarily: numbers in files have a '.' independently of the
 * program's locale. */
#ifndef OVK_CORE_CONTEXT_LOCALE_H
#define OVK_CORE_CONTEXT_LOCALE_H

#include "core/context/check.h"

#include <locale.h>

/* Initially zero: not begun. */
typedef struct ovk__locale {
  locale_t c, before;
} ovk__locale;

/* Switches this thread to the "C" locale. */
ovk_err ovk__locale_begin(ovk_ctx *ctx, ovk__locale *locale);

/* Switches back; does nothing if begin failed. */
void ovk__locale_end(ovk__locale *locale);

#endif
