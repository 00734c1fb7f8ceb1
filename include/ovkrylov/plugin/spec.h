/* SPDX-License-Identifier: BSD-2-Clause */
/* Specs: the strings "name:key=value,flag" that choose and configure plug-ins at run time. */
#ifndef OVKRYLOV_PLUGIN_SPEC_H
#define OVKRYLOV_PLUGIN_SPEC_H

#include <ovkrylov/ctx.h>
#include <stdbool.h>

OVK_BEGIN_DECLS

/**
 * A parsed spec. Grammar:
 *
 *     spec      = component { "|" component }     decorators and what they decorate, 8 at most
 *     component = name [ ":" item { "," item } ]
 *     item      = key "=" value | flag            names and keys: letters, digits, '-' and '_'
 *
 * A value runs to the next ',' or '|'. No white space is skipped. A component has 32 items at most.
 */
typedef struct ovk_spec ovk_spec;

/**
 * Parses `text`. Not collective.
 *
 * @param out  the parsed spec, to be freed with ovk_spec_destroy()
 * @return OVK_ERR_ARG with the column of the fault, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_spec_parse(ovk_ctx *ctx, const char *text, ovk_spec **out);

/** Frees a spec and its inner ones, and sets *spec to NULL. NULL is allowed. Not collective. */
OVK_API void ovk_spec_destroy(ovk_spec **spec);

/** @return the name before the ':'. Not collective. */
OVK_API const char *ovk_spec_name(const ovk_spec *spec);

/** @return the text that was parsed, from this component on. Not collective. */
OVK_API const char *ovk_spec_text(const ovk_spec *spec);

/** @return the component behind the '|', or NULL. It belongs to `spec`. Not collective. */
OVK_API const ovk_spec *ovk_spec_inner(const ovk_spec *spec);

/**
 * Checks that every key is in the NULL-terminated list `keys` (NULL: takes none). Not collective.
 * Front ends call it before a plug-in sees the spec.
 *
 * @return OVK_ERR_UNKNOWN, naming the keys that are taken and the closest one
 */
OVK_API ovk_err ovk_spec_check_keys(ovk_ctx *ctx, const ovk_spec *spec, const char *const *keys);

/** @return true if `flag` stands in the spec, with or without a value. Not collective. */
OVK_API bool ovk_spec_has(const ovk_spec *spec, const char *flag);

/** @return the value of `key`, or `otherwise` where the spec has not got it ("" for a flag). Not
 * collective. */
OVK_API const char *ovk_spec_string(const ovk_spec *spec, const char *key, const char *otherwise);

/**
 * The whole number behind `key`, or `otherwise` where the spec has not got it. Not collective.
 *
 * @return OVK_ERR_ARG if it is no whole number from `least` to `most`
 */
OVK_API ovk_err ovk_spec_int(ovk_ctx *ctx, const ovk_spec *spec, const char *key, long least,
                             long most, long otherwise, long *value);

/**
 * The number behind `key`, or `otherwise` where the spec has not got it. Not collective.
 *
 * @return OVK_ERR_ARG if it is no finite number from `least` to `most`
 */
OVK_API ovk_err ovk_spec_double(ovk_ctx *ctx, const ovk_spec *spec, const char *key, double least,
                                double most, double otherwise, double *value);

/**
 * The place of the word behind `key` in the list `words`, or `otherwise` where the spec has not got
 * the key. Not collective.
 *
 * @param words  NULL-terminated
 * @return OVK_ERR_UNKNOWN if the word is not in the list, naming the list and the closest one
 */
OVK_API ovk_err ovk_spec_word(ovk_ctx *ctx, const ovk_spec *spec, const char *key,
                              const char *const *words, int otherwise, int *value);

OVK_END_DECLS

#endif
