/* SPDX-License-Identifier: BSD-2-Clause */
/* Plug-ins by name: built-in ones from a list, and those registered by a user with the context. */
#ifndef OVK_CORE_REGISTRY_H
#define OVK_CORE_REGISTRY_H

#include <ovkrylov/list.h>
#include <ovkrylov/plugin/spec.h>
#include <stddef.h>

/* A kind of plug-in: methods, backends, preconditioners, formats. Each front end has one, static
 * const. */
typedef struct ovk__kind {
  const char *name;            /* singular, for messages: "backend" */
  const void *const *builtins; /* ops tables */
  int nbuiltins;
  ovk_choice (*choice)(const void *ops); /* the entry of an ops table in lists */
  size_t size;                           /* of an ops table; 0 where users have none to add */
  const char *const (*absent)[2];        /* names that are not here, each with a sentence for its
                                            message; {NULL} at the end; or NULL */
} ovk__kind;

/* ovk_spec_parse() with messages that name the kind of plug-in. */
ovk_err ovk__spec_parse(ovk_ctx *ctx, const char *kind, const char *text, ovk_spec **out);

/* The row of a key in a table of options, which may be NULL; NULL if there is none. */
const ovk_option *ovk__spec_option(const ovk_option *options, const char *key);

/* Gives the keys of a component that are aliases the names in the table, which must live as long as
 * the spec. OVK_ERR_ARG if a key is then given twice. */
ovk_err ovk__spec_name_keys(ovk_ctx *ctx, ovk_spec *spec, const ovk_option *options);

/* Gives a component the name of its plug-in, in place of an alias or other cases of letters. The
 * name must live as long as the spec. */
void ovk__spec_set_name(ovk_spec *spec, const char *name);

/* ovk_spec_inner() of a spec that may be changed. */
ovk_spec *ovk__spec_inner(ovk_spec *spec);

/* The ops table with this name or alias, in any case of letters, and the user pointer that it was
 * registered with (NULL for built-in ones). OVK_ERR_UNKNOWN with the list of names and the closest
 * match. */
ovk_err ovk__registry_find(ovk_ctx *ctx, const ovk__kind *kind, const char *name, const void **ops,
                           void **user);

/* Parses `text`, finds its name as above and checks its keys, also those of the
 * decorated specs. The parsed spec is to be freed with ovk_spec_destroy(); there is none after an
 * error. `user` may be NULL. */
ovk_err ovk__registry_parse(ovk_ctx *ctx, const ovk__kind *kind, const char *text, ovk_spec **spec,
                            const void **ops, void **user);

/* Adds a copy of a user's ops table, which must have a new name. */
ovk_err ovk__registry_add(ovk_ctx *ctx, const ovk__kind *kind, const void *ops, void *user);

/* Fills *choice with entry number `index`; false past the end. */
bool ovk__registry_at(const ovk_ctx *ctx, const ovk__kind *kind, int index, ovk_choice *choice);

#endif
