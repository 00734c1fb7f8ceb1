/* SPDX-License-Identifier: BSD-2-Clause */
/* One line of a Matrix Market file: its words, its numbers, and what is wrong with it. */
#ifndef OVK_MATRIX_MM_WORDS_H
#define OVK_MATRIX_MM_WORDS_H

#include "core/check.h"

#include <stdbool.h>

/* A line. A rank does not know yet how many lines stand before its share of the file, so a fault is
 * kept here until that is known and ovk__mm_line_raise() can say where it is. */
typedef struct ovk__mm_line {
  const char *at, *end; /* what is left of it; *end is 0 */
  int64_t number;       /* among the lines of this rank's share, from 1 */
  ovk_err fault;        /* OVK_OK: none so far */
  char why[256];        /* the fault's sentence */
} ovk__mm_line;

typedef struct ovk__mm_word {
  const char *text; /* not terminated */
  int length;       /* 0: the line has no more words */
} ovk__mm_word;

/* Neither blank nor a comment? The line is then at its first word. */
bool ovk__mm_line_has_data(ovk__mm_line *line);

/* The next word: what stands between white space. */
ovk__mm_word ovk__mm_line_word(ovk__mm_line *line);

/* Is word the same as text, which is in lower case, if case does not matter? */
bool ovk__mm_word_is(ovk__mm_word word, const char *text);

/* The next word as a number; `what` says in messages what it stands for. */
ovk_err ovk__mm_line_int(ovk__mm_line *line, const char *what, int64_t *value);
ovk_err ovk__mm_line_double(ovk__mm_line *line, const char *what, double *value);

/* Fails if there is another word. */
ovk_err ovk__mm_line_end(ovk__mm_line *line);

/* Keeps a fault of this line and returns its code. */
ovk_err ovk__mm_line_fault(ovk__mm_line *line, ovk_err code, const char *format, ...)
    OVK_PRINTF(3, 4);

/* The same for a word, of which it shows the beginning: "`what` 'word' `complaint`". */
ovk_err ovk__mm_line_fault_word(ovk__mm_line *line, ovk_err code, const char *what,
                                ovk__mm_word word, const char *complaint);

/* Records "path:line: fault" in ctx, where `before` lines stand before this rank's share. */
ovk_err ovk__mm_line_raise(ovk_ctx *ctx, const char *path, int64_t before,
                           const ovk__mm_line *line);

#endif
