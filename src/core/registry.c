/* SPDX-License-Identifier: BSD-2-Clause */
/* Looking plug-ins up by name, with a useful answer for a name that is none. */
#include "core/registry.h"
#include "core/check.h"
#include "core/ctx_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 63, MAX_ENTRIES = 64 };

/* A user's plug-in. */
typedef struct registered {
  ovk__resource resource; /* owner: the kind */
  const void *ops;
  void *user;
} registered;

static void registered_destroy(ovk__resource *self)
{
  free(self);
}

/* User entries in the order of registration have indices from nbuiltins on. */
static const registered *user_entry(const ovk_ctx *ctx, const ovk__kind *kind, int index)
{
  int count = 0;
  for (const ovk__resource *r = ctx->resources; r; r = r->next)
    count += r->owner == kind;
  for (const ovk__resource *r = ctx->resources; r; r = r->next) {
    if (r->owner == kind && --count == index) return (const registered *)r;
  }
  return NULL;
}

static const void *entry(const ovk_ctx *ctx, const ovk__kind *kind, int index, void **user)
{
  *user = NULL;
  if (index < 0) return NULL;
  if (index < kind->nbuiltins) return kind->builtins[index];
  if (!ctx) return NULL;
  const registered *r = user_entry(ctx, kind, index - kind->nbuiltins);
  if (!r) return NULL;
  *user = r->user;
  return r->ops;
}

bool ovk__registry_at(const ovk_ctx *ctx, const ovk__kind *kind, int index, ovk_choice *choice)
{
  void *user;
  const void *ops = entry(ctx, kind, index, &user);
  if (!ops) return false;
  *choice = kind->choice(ops);
  if (!choice->summary) choice->summary = "";
  return true;
}

/* Edit distance (insert, delete, replace, swap of neighbours cost 1 each). */
static int distance(const char *a, const char *b)
{
  const int na = (int)strlen(a), nb = (int)strlen(b);
  int rows[3][MAX_NAME + 1];
  if (na > MAX_NAME || nb > MAX_NAME) return MAX_NAME;
  int *before = rows[0], *last = rows[1], *now = rows[2];
  for (int j = 0; j <= nb; j++)
    last[j] = j;
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

const char *ovk__closest(const char *name, const char *const *names, int n)
{
  const char *closest = NULL;
  int least = (int)strlen(name) / 2 + 1; /* more edits than half the word is another word */
  for (int i = 0; i < n; i++) {
    const int d = distance(name, names[i]);
    if (d < least) {
      least = d;
      closest = names[i];
    }
  }
  return closest;
}

static ovk_err unknown(ovk_ctx *ctx, const ovk__kind *kind, const char *name)
{
  const char *names[MAX_ENTRIES];
  char list[512] = "";
  size_t used = 0;
  int n = 0;
  ovk_choice choice;
  for (; n < MAX_ENTRIES && ovk__registry_at(ctx, kind, n, &choice); n++) {
    names[n] = choice.name;
    const int wrote = snprintf(list + used, sizeof list - used, "%s%s", n ? ", " : "", choice.name);
    used += (size_t)wrote < sizeof list - used ? (size_t)wrote : sizeof list - used - 1;
  }
  const char *closest = ovk__closest(name, names, n);
  return OVK_FAIL(ctx, OVK_ERR_UNKNOWN, "unknown %s '%s'%s%s%s; there are: %s", kind->name, name,
                  closest ? ", did you mean '" : "", closest ? closest : "", closest ? "'?" : "",
                  list);
}

ovk_err ovk__registry_find(ovk_ctx *ctx, const ovk__kind *kind, const char *name, const void **ops,
                           void **user)
{
  for (int i = 0; (*ops = entry(ctx, kind, i, user)) != NULL; i++) {
    if (strcmp(kind->choice(*ops).name, name) == 0) return OVK_OK;
  }
  return unknown(ctx, kind, name);
}

ovk_err ovk__registry_add(ovk_ctx *ctx, const ovk__kind *kind, const void *ops, void *user)
{
  const char *name = kind->choice(ops).name;
  const size_t word = name ? strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789-_")
                           : 0;
  OVK_CHECK(word > 0 && !name[word] && word <= MAX_NAME, ctx, OVK_ERR_ARG,
            "a %s's name needs 1 to %d letters, digits, '-' or '_', this is '%s'", kind->name,
            MAX_NAME, name ? name : "(null)");
  ovk_choice taken;
  for (int i = 0; ovk__registry_at(ctx, kind, i, &taken); i++) {
    OVK_CHECK(strcmp(taken.name, name) != 0, ctx, OVK_ERR_ARG, "there is a %s '%s' already",
              kind->name, name);
  }
  registered *r = malloc(sizeof *r);
  OVK_CHECK(r, ctx, OVK_ERR_MEMORY, "no memory for %s '%s'", kind->name, name);
  *r = (registered){{NULL, kind, registered_destroy}, ops, user};
  ovk__ctx_own(ctx, &r->resource);
  return OVK_OK;
}
