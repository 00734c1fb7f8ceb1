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
 *     spec      = component { "|" component }     decorators, then a backend; at most 8
 *     component = name [ ":" item { "," item } ]
 *     item      = key "=" value | flag            names and keys: letters, digits, '-' and '_'
 *
 * A value runs to the next ',' or '|'. No white space is skipped. A component has 32 items at most.
 */
typedef struct ovk_spec ovk_spec;

/**
 * Parse a spec. Not collective.
 *
 * @param out  the parsed spec, to be freed with ovk_spec_destroy()
 * @return OVK_ERR_ARG with the column of the error, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_spec_parse(ovk_ctx *ctx, const char *text, ovk_spec **out);

/** Free a spec and its inner ones, and set *spec to NULL. NULL is allowed. Not collective. */
OVK_API void ovk_spec_destroy(ovk_spec **spec);

/** @return the name before the ':'. Not collective. */
OVK_API const char *ovk_spec_name(const ovk_spec *spec);

/** @return the text that was parsed, from this component on. Not collective. */
OVK_API const char *ovk_spec_text(const ovk_spec *spec);

/** @return the component after the '|', or NULL. It belongs to `spec`. Not collective. */
OVK_API const ovk_spec *ovk_spec_inner(const ovk_spec *spec);

/** @return true if the key is in the spec, with or without a value. Not collective. */
OVK_API bool ovk_spec_has(const ovk_spec *spec, const char *key);

/** @return the value of `key`: "" for a flag, `default_value` if the key is absent. Not collective.
 */
OVK_API const char *ovk_spec_string(const ovk_spec *spec, const char *key,
                                    const char *default_value);

/** The type of the value of an option. */
typedef enum ovk_option_type {
  OVK_OPTION_FLAG,    /**< no value: the key is present or absent */
  OVK_OPTION_INTEGER, /**< a whole number */
  OVK_OPTION_REAL,    /**< a finite number */
  OVK_OPTION_WORD,    /**< one of a list of words */
  OVK_OPTION_TEXT     /**< a text, in a form that the plug-in parses */
} ovk_option_type;

/**
 * One option of a plug-in: a key of its spec. A plug-in has a table of them. The table is the only
 * place with the type, the range, and the default of each option: the functions below check and
 * read values by it, and `ovk list` prints it. Write the rows with the macros OVK_INTEGER(),
 * OVK_REAL(), OVK_WORD(), OVK_TEXT() and OVK_FLAG(), and end the table with OVK_OPTIONS_END.
 */
typedef struct ovk_option {
  const char *name;         /**< the key; NULL ends the table */
  const char *summary;      /**< one line, without a period */
  const char *form;         /**< of a text: its form, such as "HOST:PORT" */
  const char *default_text; /**< of a text: the default; NULL: none */
  const char *const *words; /**< of a word: the allowed ones, NULL-terminated */
  double least, most;       /**< of a number: the bounds */
  double default_value;     /**< of a number, or the index of a word. A number outside the bounds,
                                 or an index of -1, means that the plug-in chooses. */
  ovk_option_type type;
  const char *alias; /**< another accepted name of the key, such as a former one; NULL: none */
} ovk_option;

/** A row for a flag. */
#define OVK_FLAG(name_, summary_)                                                                  \
  {                                                                                                \
    .name = (name_), .summary = (summary_), .type = OVK_OPTION_FLAG                                \
  }

/** A row for a whole number. Bounds beyond 2^53 lose digits. */
#define OVK_INTEGER(name_, least_, most_, default_, summary_)                                      \
  {                                                                                                \
    .name = (name_), .summary = (summary_), .type = OVK_OPTION_INTEGER, .least = (least_),         \
    .most = (most_), .default_value = (default_)                                                   \
  }

/** A row for a finite number. */
#define OVK_REAL(name_, least_, most_, default_, summary_)                                         \
  {                                                                                                \
    .name = (name_), .summary = (summary_), .type = OVK_OPTION_REAL, .least = (least_),            \
    .most = (most_), .default_value = (default_)                                                   \
  }

/** A row for a word; the words follow. `default_`: an index, or -1. */
#define OVK_WORD(name_, default_, summary_, ...)                                                   \
  {                                                                                                \
    .name = (name_), .summary = (summary_), .type = OVK_OPTION_WORD,                               \
    .words = (const char *const[]){__VA_ARGS__, NULL}, .default_value = (default_)                 \
  }

/** A row for a text. `default_`: NULL for none. */
#define OVK_TEXT(name_, form_, default_, summary_)                                                 \
  {                                                                                                \
    .name = (name_), .summary = (summary_), .type = OVK_OPTION_TEXT, .form = (form_),              \
    .default_text = (default_)                                                                     \
  }

/** The end of a table. */
#define OVK_OPTIONS_END                                                                            \
  {                                                                                                \
    .name = NULL                                                                                   \
  }

/**
 * Write the allowed values of an option in words, such as "integer, 1 to 1000". Not collective.
 *
 * @param size  bytes of `text`; longer words are cut
 */
OVK_API void ovk_option_values(const ovk_option *option, char *text, size_t size);

/**
 * Write the default of an option as it is written in a spec; "" if the plug-in chooses. Not
 * collective.
 *
 * @param size  bytes of `text`; longer words are cut
 */
OVK_API void ovk_option_default(const ovk_option *option, char *text, size_t size);

/**
 * Test whether an option is for the tests of the library. Not collective.
 *
 * @return true for an option that lists omit
 */
OVK_API bool ovk_option_is_for_tests(const ovk_option *option);

/**
 * Check that each key of the spec is in the table, and that no flag has a value. Not collective.
 * The library calls it before a plug-in sees its spec.
 *
 * @param options  NULL: the plug-in has no options
 * @return OVK_ERR_UNKNOWN, with the allowed keys and the closest one; OVK_ERR_ARG for a value
 */
OVK_API ovk_err ovk_spec_check_keys(ovk_ctx *ctx, const ovk_spec *spec, const ovk_option *options);

/**
 * Read the whole number of an option. Not collective.
 *
 * @param options  the table of the plug-in
 * @param value    the value in the spec, or the default. Unchanged if the table lacks `key`.
 * @return OVK_ERR_ARG, with the value and the bounds, if it is no whole number within the bounds
 */
OVK_API ovk_err ovk_spec_int(ovk_ctx *ctx, const ovk_spec *spec, const ovk_option *options,
                             const char *key, long *value);

/**
 * Read the number of an option. Not collective. The parameters are those of ovk_spec_int().
 *
 * @return OVK_ERR_ARG, with the value and the bounds, if it is no number within the bounds
 */
OVK_API ovk_err ovk_spec_double(ovk_ctx *ctx, const ovk_spec *spec, const ovk_option *options,
                                const char *key, double *value);

/**
 * Read the word of an option, as its index in the list of words. Not collective. Parameters are
 * those of ovk_spec_int().
 *
 * @return OVK_ERR_UNKNOWN, with the value, the allowed words and the closest one
 */
OVK_API ovk_err ovk_spec_word(ovk_ctx *ctx, const ovk_spec *spec, const ovk_option *options,
                              const char *key, int *value);

OVK_END_DECLS

#endif
