/* SPDX-License-Identifier: BSD-2-Clause */
/* Text in lines of at most 100 letters. */
#include "cli/wrap.h"

#include <stdbool.h>
#include <string.h>

enum { WIDTH = 100 };

void wrap_print(FILE *file, const char *text, int at, int left)
{
  while (*text) {
    const int length = (int)strcspn(text, " ");
    const bool starts_line = at == left;
    if (!starts_line && at + 1 + length > WIDTH) {
      fprintf(file, "\n%*s", left, "");
      at = left;
    } else if (!starts_line) {
      fputc(' ', file);
      at++;
    }
    fprintf(file, "%.*s", length, text);
    at += length;
    text += length;
    while (*text == ' ') text++;
  }
  fputc('\n', file);
}
