/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers in files have a '.' whatever the program's locale says: the "C" locale for one thread,
 * for a while. */
#ifndef OVK_CORE_LOCALE_H
#define OVK_CORE_LOCALE_H

#include "core/check.h"

#include <locale.h>

/* All zero: not begun. */
typedef struct ovk__locale {
  locale_t c, before;
} ovk__locale;

/* Puts this thread into the "C" locale. */
ovk_err ovk__locale_begin(ovk_ctx *ctx, ovk__locale *locale);

/* Puts it back; does nothing if begin failed. */
void ovk__locale_end(ovk__locale *locale);

#endif
