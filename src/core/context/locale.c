/* SPDX-License-Identifier: BSD-2-Clause */
/* The "C" locale for one thread: setlocale would change the whole process. */
#include "core/context/locale.h"

ovk_err ovk__locale_begin(ovk_ctx *ctx, ovk__locale *locale)
{
  *locale = (ovk__locale){0};
  locale->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  OVK_CHECK(locale->c, ctx, OVK_ERR_MEMORY, "no memory for the \"C\" locale");
  locale->before = uselocale(locale->c);
  return OVK_OK;
}

void ovk__locale_end(ovk__locale *locale)
{
  if (!locale->c) return;
  uselocale(locale->before);
  freelocale(locale->c);
  *locale = (ovk__locale){0};
}
