/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds plug-ins by name; the error for an unknown name lists the known ones. */
#include "core/registry.h"
#include "core/abi_struct.h"
#include "core/base/did_you_mean.h"
#include "core/context/check.h"
#include "core/context/ctx_impl.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 64, MAX_NAMES = 256 }; /* that an error message lists, that it considers */

/* A user's plug-in. */
typedef struct registered {
  ovk__resource resource; /* owner: the kind */
  void *user;
  max_align_t ops[]; /* kind->size bytes */
} registered;

static void registered_destroy(ovk__resource *self)
{
  free(self);
}

/* User entries have indices from nbuiltins on, in the order of registration. */
static const registered *user_entry(const ovk_ctx *ctx, const ovk__kind *kind, int index)
{
  int count = 0;
  for (const ovk__resource *r = ctx->resources; r; r = r->next) count += r->owner == kind;
  for (const ovk__resource *r = ctx->resources; r; r = r->next) {
    if (r->owner == kind && --count == index) return (const registered *)r;
  }
  return NULL;
}

static const void *registry_entry(const ovk_ctx *ctx, const ovk__kind *kind, int index, void **user)
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
  const void *ops = registry_entry(ctx, kind, index, &user);
  if (!ops) return false;
  ovk_choice own = kind->choice(ops);
  if (!own.summary) own.summary = "";
  if (!own.aliases) own.aliases = "";
  OVK_GIVE_SIZED(ovk_choice, aliases, &own, choice);
  return true;
}

static bool find_name(const ovk_ctx *ctx, const ovk__kind *kind, const char *name, bool alias,
                      const void **ops, void **user)
{
  for (int i = 0; (*ops = registry_entry(ctx, kind, i, user)) != NULL; i++) {
    const ovk_choice choice = kind->choice(*ops);
    const char *names = alias ? choice.aliases : choice.name;
    if (names && ovk__is_named(name, names)) return true;
  }
  return false;
}

/* Appends the words of `list`, which blanks separate, to n names. */
static int append_words(char names[MAX_NAMES][OVK__NAME_MAX + 1], int n, const char *list)
{
  while (*list && n < MAX_NAMES) {
    const size_t length = strcspn(list, " ");
    if (length && length <= OVK__NAME_MAX) snprintf(names[n++], length + 1, "%s", list);
    list += length + strspn(list + length, " ");
  }
  return n;
}

/* Writes into `closest` the name or alias that is most like `name`, "" for none. */
static void find_closest(const ovk_ctx *ctx, const ovk__kind *kind, const char *name,
                         char closest[OVK__NAME_MAX + 1])
{
  char words[MAX_NAMES][OVK__NAME_MAX + 1];
  const char *names[MAX_NAMES];
  ovk_choice choice = OVK_CHOICE;
  int n = 0;
  for (int i = 0; ovk__registry_at(ctx, kind, i, &choice); i++) {
    n = append_words(words, append_words(words, n, choice.name), choice.aliases);
  }
  for (int i = 0; i < n; i++) names[i] = words[i];
  const char *found = ovk_closest(name, names, n);
  snprintf(closest, OVK__NAME_MAX + 1, "%s", found ? found : "");
}

static ovk_err registry_unknown(ovk_ctx *ctx, const ovk__kind *kind, const char *name)
{
  const char *names[MAX_ENTRIES];
  char hint[OVK__HINT_SIZE], closest[OVK__NAME_MAX + 1];
  ovk_choice choice = OVK_CHOICE;
  int n = 0;
  for (const char *const(*absent)[2] = kind->absent; absent && (*absent)[0]; absent++) {
    OVK_CHECK(!ovk__is_named(name, (*absent)[0]), ctx, OVK_ERR_UNKNOWN, "unknown %s '%s': %s",
              kind->name, name, (*absent)[1]);
  }
  for (; n < MAX_ENTRIES && ovk__registry_at(ctx, kind, n, &choice); n++) names[n] = choice.name;
  find_closest(ctx, kind, name, closest);
  ovk__hint_of(hint, *closest ? closest : NULL, names, n, "there are");
  return OVK_FAIL(ctx, OVK_ERR_UNKNOWN, "unknown %s '%s'%s", kind->name, name, hint);
}

ovk_err ovk__registry_find(ovk_ctx *ctx, const ovk__kind *kind, const char *name, const void **ops,
                           void **user)
{
  /* a plug-in's name comes before an alias of another one */
  if (find_name(ctx, kind, name, false, ops, user)) return OVK_OK;
  return find_name(ctx, kind, name, true, ops, user) ? OVK_OK : registry_unknown(ctx, kind, name);
}

/* Finds the plug-in of a spec's first component. */
static ovk_err find_first(ovk_ctx *ctx, const ovk__kind *kind, ovk_spec *spec, const void **ops,
                          void **user)
{
  const char *name = ovk_spec_name(spec);
  OVK_TRY(ovk__registry_find(ctx, kind, name, ops, user));
  const ovk_choice choice = kind->choice(*ops);
  OVK_TRY(ovk__spec_name_keys(ctx, spec, choice.keys));
  OVK_TRY(ovk_spec_check_keys(ctx, spec, choice.keys));
  OVK_CHECK(choice.decorates || !ovk_spec_inner(spec), ctx, OVK_ERR_ARG,
            "%s '%s' is no decorator: '|' must not follow", kind->name, name);
  OVK_CHECK(!choice.decorates || ovk_spec_inner(spec), ctx, OVK_ERR_ARG,
            "%s '%s' decorates another one, which is missing: '%s|NAME'", kind->name, name,
            ovk_spec_text(spec));
  ovk__spec_set_name(spec, choice.name);
  return OVK_OK;
}

static ovk_err find_for(ovk_ctx *ctx, const ovk__kind *kind, ovk_spec *spec, const void **ops,
                        void **user)
{
  OVK_TRY(find_first(ctx, kind, spec, ops, user));
  for (spec = ovk__spec_inner(spec); spec; spec = ovk__spec_inner(spec)) {
    const void *inner_ops;
    void *inner_user;
    OVK_TRY(find_first(ctx, kind, spec, &inner_ops, &inner_user));
  }
  return OVK_OK;
}

ovk_err ovk__registry_parse(ovk_ctx *ctx, const ovk__kind *kind, const char *text, ovk_spec **spec,
                            const void **ops, void **user)
{
  void *unwanted;
  OVK_TRY(ovk__spec_parse(ctx, kind->name, text, spec));
  const ovk_err err = find_for(ctx, kind, *spec, ops, user ? user : &unwanted);
  if (err) ovk_spec_destroy(spec);
  return err;
}

ovk_err ovk__registry_add(ovk_ctx *ctx, const ovk__kind *kind, const void *ops, void *user)
{
  const char *name = kind->choice(ops).name;
  const size_t word = name ? ovk__name_length(name) : 0;
  OVK_CHECK(word > 0 && !name[word] && word <= OVK__NAME_MAX, ctx, OVK_ERR_ARG,
            "a %s's name needs 1 to %d letters, digits, '-' or '_', this is '%s'", kind->name,
            OVK__NAME_MAX, name ? name : "(null)");
  const void *taken;
  void *of;
  OVK_CHECK(!find_name(ctx, kind, name, false, &taken, &of), ctx, OVK_ERR_ARG,
            "there is a %s '%s' already", kind->name, name);
  registered *r = malloc(sizeof *r + kind->size);
  OVK_CHECK(r, ctx, OVK_ERR_MEMORY, "no memory for %s '%s'", kind->name, name);
  r->resource = (ovk__resource){NULL, kind, registered_destroy};
  r->user = user;
  memcpy(r->ops, ops, kind->size);
  ovk__ctx_own(ctx, &r->resource);
  return OVK_OK;
}
