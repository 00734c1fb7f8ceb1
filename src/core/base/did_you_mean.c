/* SPDX-License-Identifier: BSD-2-Clause */
/* Names, and "did you mean". */
#include "core/base/did_you_mean.h"

#include <limits.h>
#include <ovkrylov/list.h>
#include <stdio.h>
#include <string.h>

size_t ovk__name_length(const char *text)
{
  return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
}

static char lower_case(char c)
{
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; /* in any locale */
}

bool ovk__is_named(const char *name, const char *list)
{
  for (const char *word = list; *word; word += strspn(word, " ")) {
    size_t n = 0;
    while (name[n] && name[n] != ' ' && lower_case(name[n]) == lower_case(word[n])) n++;
    if (n && !name[n] && (!word[n] || word[n] == ' ')) return true;
    word += strcspn(word, " ");
  }
  return false;
}

/* Edit distance (insert, delete, replace, swap of neighbors cost 1 each). */
static int edit_distance(const char *a, const char *b)
{
  const int na = (int)strlen(a), nb = (int)strlen(b);
  int rows[3][OVK__NAME_MAX + 1];
  if (na > OVK__NAME_MAX || nb > OVK__NAME_MAX) return INT_MAX; /* longer than any name */
  int *before = rows[0], *last = rows[1], *now = rows[2];
  for (int j = 0; j <= nb; j++) last[j] = j;
  for (int i = 1; i <= na; i++) {
    now[0] = i;
    for (int j = 1; j <= nb; j++) {
      int best = last[j - 1] + (a[i - 1] != b[j - 1]);
      if (last[j] + 1 < best) best = last[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
      now[j] = best;
    }
    int *oldest = before;
    before = last;
    last = now;
    now = oldest;
  }
  return last[nb];
}

const char *ovk_closest(const char *name, const char *const *names, int n)
{
  const char *closest = NULL;
  int least = (int)strlen(name) / 2 + 1; /* beyond half its length it is another word */
  for (int i = 0; i < n; i++) {
    const int d = edit_distance(name, names[i]);
    if (d < least) {
      least = d;
      closest = names[i];
    }
  }
  return closest;
}

/* Appends piece to hint, truncated if there is no space. */
static void suggestion_append(char *hint, const char *piece)
{
  strncat(hint, piece, OVK__HINT_SIZE - 1 - strlen(hint));
}

void ovk__hint_of(char hint[OVK__HINT_SIZE], const char *closest, const char *const *names, int n,
                  const char *intro)
{
  snprintf(hint, OVK__HINT_SIZE, "%s%s%s %s: ", closest ? ", did you mean '" : "",
           closest ? closest : "", closest ? "'?" : ";", intro);
  for (int i = 0; i < n; i++) {
    if (i) suggestion_append(hint, ", ");
    suggestion_append(hint, names[i]);
  }
}

void ovk__hint(char hint[OVK__HINT_SIZE], const char *name, const char *const *names, int n,
               const char *intro)
{
  ovk__hint_of(hint, ovk_closest(name, names, n), names, n, intro);
}
