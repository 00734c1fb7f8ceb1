/* SPDX-License-Identifier: BSD-2-Clause */
/* The "C" locale for one thread, temporarily: numbers have a '.' in every locale of the program. */
#ifndef OVK_CORE_CONTEXT_LOCALE_H
#define OVK_CORE_CONTEXT_LOCALE_H

#include "core/context/check.h"

#include <locale.h>

/* Initially zero: not begun. */
typedef struct ovk__locale {
  locale_t c, before;
} ovk__locale;

/* Switches this thread to the "C" locale; setlocale() would switch the whole process. */
static inline ovk_err ovk__locale_begin(ovk_ctx *ctx, ovk__locale *locale)
{
  *locale = (ovk__locale){0};
  locale->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  OVK_CHECK(locale->c, ctx, OVK_ERR_MEMORY, "no memory for the \"C\" locale");
  locale->before = uselocale(locale->c);
  return OVK_OK;
}

/* Switches back; does nothing if begin failed. */
static inline void ovk__locale_end(ovk__locale *locale)
{
  if (!locale->c) return;
  uselocale(locale->before);
  freelocale(locale->c);
  *locale = (ovk__locale){0};
}

#endif
