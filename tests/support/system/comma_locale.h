/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs that write 1,5 for 1.5. */
#ifndef OVK_TEST_COMMA_LOCALE_H
#define OVK_TEST_COMMA_LOCALE_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

/* Sets a locale whose decimal point is a comma; false if the machine has none. */
static inline bool use_comma_locale(void)
{
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
  bool set = false;
  for (size_t i = 0; i < sizeof names / sizeof *names && !set; i++)
    set = setlocale(LC_NUMERIC, names[i]) != NULL;
  return set;
}

#endif
