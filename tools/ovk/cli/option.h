/* SPDX-License-Identifier: BSD-2-Clause */
/* Options of a command. A table has the name, values, range, default and help of each. Parsing,
 * --help and the manual pages read the table. */
#ifndef OVK_TOOL_OPTION_H
#define OVK_TOOL_OPTION_H

#include <limits.h>
#include <math.h>

typedef enum option_type {
  OPTION_IS_FLAG,    /* without a value */
  OPTION_IS_TEXT,    /* the command checks it */
  OPTION_IS_WORD,    /* one of a list of words */
  OPTION_IS_INTEGER, /* each value is a whole number */
  OPTION_IS_REAL,    /* each value is a finite number */
  OPTION_IS_LIST     /* whole numbers, separated by commas */
} option_type;

/* One option. A table of them ends with a NULL name; its indices number the options. */
typedef struct option {
  const char *name;   /* "--grid" */
  int nvalues;        /* arguments that must follow it */
  const char *values; /* their names: "PX PY PZ" */
  const char *help;   /* one line, without range and default */
  const char *preset; /* the default, written as on a command line; NULL: none */
  option_type type;
  double least, most;       /* of numbers: the bounds */
  const char *const *words; /* of a word, or of the first value before integers: the allowed ones,
                               NULL-terminated */
} option;

/* Rows of a table. */
#define OPTION_FLAG(name_, help_)                                                                  \
  {                                                                                                \
    .name = (name_), .values = "", .help = (help_)                                                 \
  }
#define OPTION_TEXT(name_, values_, preset_, help_)                                                \
  {                                                                                                \
    .name = (name_), .nvalues = 1, .values = (values_), .help = (help_), .preset = (preset_),      \
    .type = OPTION_IS_TEXT                                                                         \
  }
#define OPTION_WORD(name_, preset_, help_, ...)                                                    \
  {                                                                                                \
    .name = (name_), .nvalues = 1, .values = "NAME", .help = (help_), .preset = (preset_),         \
    .type = OPTION_IS_WORD, .words = (const char *const[])                                         \
    {                                                                                              \
      __VA_ARGS__, NULL                                                                            \
    }                                                                                              \
  }
#define OPTION_INTEGERS(name_, nvalues_, values_, least_, most_, preset_, help_)                   \
  {                                                                                                \
    .name = (name_), .nvalues = (nvalues_), .values = (values_), .help = (help_),                  \
    .preset = (preset_), .type = OPTION_IS_INTEGER, .least = (least_), .most = (most_)             \
  }
#define OPTION_INTEGER(name_, values_, least_, most_, preset_, help_)                              \
  OPTION_INTEGERS(name_, 1, values_, least_, most_, preset_, help_)
#define OPTION_WORD_INTEGERS(name_, nvalues_, values_, least_, most_, help_, ...)                  \
  {                                                                                                \
    .name = (name_), .nvalues = (nvalues_), .values = (values_), .help = (help_),                  \
    .type = OPTION_IS_INTEGER, .least = (least_), .most = (most_), .words = (const char *const[])  \
    {                                                                                              \
      __VA_ARGS__, NULL                                                                            \
    }                                                                                              \
  }
#define OPTION_REAL(name_, values_, least_, most_, preset_, help_)                                 \
  {                                                                                                \
    .name = (name_), .nvalues = 1, .values = (values_), .help = (help_), .preset = (preset_),      \
    .type = OPTION_IS_REAL, .least = (least_), .most = (most_)                                     \
  }
#define OPTION_LIST(name_, least_, most_, preset_, help_)                                          \
  {                                                                                                \
    .name = (name_), .nvalues = 1, .values = "A,B,C", .help = (help_), .preset = (preset_),        \
    .type = OPTION_IS_LIST, .least = (least_), .most = (most_)                                     \
  }

enum { OPTION_RANGE_SIZE = 128, OPTION_TEXT_SIZE = 512 };

/* text <- the values that the option allows, such as "integer, 1 to 99"; "" if the command checks
 * them. */
void option_write_range(const option *o, char text[OPTION_RANGE_SIZE]);

/* text <- help, range and default, in one line. */
void option_describe(const option *o, char text[OPTION_TEXT_SIZE]);

#endif
