/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line, parsed and checked by the table of options of a command. */
#ifndef OVK_TOOL_ARGS_H
#define OVK_TOOL_ARGS_H

#include "cli/option.h"

#include <ovkrylov/ovkrylov.h>

enum { ARGS_MAX_OPTIONS = 48 };

/* In place of a number of words: after the options a program follows, with its own arguments. */
enum { ARGS_PROGRAM = -1 };

/* A command line, checked against a table. All pointers lead into argv or into this struct, which
 * must not be copied. */
typedef struct args {
  const option *options;
  char **values[ARGS_MAX_OPTIONS]; /* by option: its first value; NULL: not given */
  char *joined[ARGS_MAX_OPTIONS];  /* the value of one that was given as "--name=value" */
  const char *word;                /* the word that is not an option, or NULL */
  const char *detail;              /* a second such word, or NULL */
  char **program;                  /* with ARGS_PROGRAM: the words that follow the options, */
  int program_words;               /* and how many */
  bool help;                       /* --help was given; nothing after it was parsed */
} args;

/* Parses argv[0] to argv[argc - 1], which may contain up to `words` (0 to 2) words that are not
 * options; or ARGS_PROGRAM, where the first such word, or the word after "--", ends the options.
 * Checks every value by the range of its option. ctx is NULL in a program without MPI, which
 * finds the message of a failure in args_message(). */
ovk_err args_parse(ovk_ctx *ctx, const option *options, int words, int argc, char **argv,
                   args *out);

/* The message of the last failure. */
const char *args_message(void);

/* Whether a word is --help or -h. */
bool args_ask_for_help(const char *word);

/* Whether the option was given. */
bool args_has(const args *given, int which);

/* The value of an option: the one given, the default, or NULL. */
const char *args_text(const args *given, int which);

/* The index of the value among the words of the option; -1: not given, and no default. */
int args_word(const args *given, int which);

/* The value of an option of one whole number; 0: not given, and no default. */
int args_integer(const args *given, int which);

/* Set the values of an option to those given, or to the default. Without a default they are
 * unchanged if it was not given. */
void args_int(const args *given, int which, int *values);
void args_real(const args *given, int which, double *value);

/* A word that is a whole number from `least` to `most`, of the option `name`. */
ovk_err args_number(ovk_ctx *ctx, const char *name, const char *word, int least, int most,
                    int *value);

/* OVK_ERR_UNKNOWN: "unknown `what` 'word', did you mean ...?", or else with the list of names. */
ovk_err args_unknown(ovk_ctx *ctx, const char *what, const char *word, const char *const *names,
                     int n);

#endif
