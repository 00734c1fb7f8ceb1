/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line: one table of options serves parsing, help and "did you mean". */
#ifndef OVK_TOOL_ARGS_H
#define OVK_TOOL_ARGS_H

#include <ovkrylov/ovkrylov.h>

enum { ARGS_MAX_OPTIONS = 32 };

/* In place of a number of words: after the options a program follows, with its own arguments. */
enum { ARGS_PROGRAM = -1 };

/* One option. A table of them ends with a NULL name; its indices number the options. */
typedef struct option {
  const char *name;   /* "--grid" */
  int nvalues;        /* words that must follow it */
  const char *values; /* their names: "PX PY PZ" */
  const char *help;   /* one line */
} option;

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
 * options; or ARGS_PROGRAM, where the first such word, or what follows "--", ends the options. */
ovk_err args_parse(ovk_ctx *ctx, const option *options, int words, int argc, char **argv,
                   args *out);

/* Whether the option was given. */
bool args_has(const args *given, int which);

/* The value of an option, or `otherwise` if it was not given. */
const char *args_text(const args *given, int which, const char *otherwise);

/* The values of an option, whole numbers from `least` to `most`; unchanged if it was not given. */
ovk_err args_int(ovk_ctx *ctx, const args *given, int which, int least, int most, int *values);

/* A word of the option `name` that is a whole number from `least` to `most`. */
ovk_err args_number(ovk_ctx *ctx, const char *name, const char *word, int least, int most,
                    int *value);

/* The value of an option, a finite number >= 0; unchanged if it was not given. */
ovk_err args_real(ovk_ctx *ctx, const args *given, int which, double *value);

/* OVK_ERR_UNKNOWN: "unknown WHAT 'word', did you mean ...?", or else with the list of names. */
ovk_err args_unknown(ovk_ctx *ctx, const char *what, const char *word, const char *const *names,
                     int n);

/* Writes the table. */
void args_help(FILE *file, const option *options);

#endif
