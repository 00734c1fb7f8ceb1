/* SPDX-License-Identifier: BSD-2-Clause */
/* One line of a Matrix Market file: its words, its numbers, and its fault. */
#ifndef OVK_MATRIX_IO_MM_WORDS_H
#define OVK_MATRIX_IO_MM_WORDS_H

#include "core/context/check.h"

#include <stdbool.h>

/* A line. The number of lines before this rank's share of the file is not known while parsing, so a
 * fault is recorded here until ovk__mm_line_raise() can report its line number. */
typedef struct ovk__mm_line {
  char *at;        /* the unparsed rest; parsing a number may write to it, and restores it */
  const char *end; /* its end, a 0 */
  int64_t number;  /* among the lines of this rank's share, from 1 */
  ovk_err fault;   /* OVK_OK: none so far */
  char why[256];   /* the message of the fault */
} ovk__mm_line;

typedef struct ovk__mm_word {
  char *text; /* not terminated */
  int length; /* 0: the line has no more words */
} ovk__mm_word;

/* Whether the line is neither blank nor a comment; it is then at its first word. */
bool ovk__mm_line_has_data(ovk__mm_line *line);

/* The next word, delimited by white space. */
ovk__mm_word ovk__mm_line_word(ovk__mm_line *line);

/* Whether a word equals text, which is in lower case, ignoring case. */
bool ovk__mm_word_is(ovk__mm_word word, const char *text);

/* The next word as a number; `what` names it in messages. */
ovk_err ovk__mm_line_int(ovk__mm_line *line, const char *what, int64_t *value);
ovk_err ovk__mm_line_double(ovk__mm_line *line, const char *what, double *value);

/* Fails if there is another word. */
ovk_err ovk__mm_line_end(ovk__mm_line *line);

/* Records a fault of this line and returns its code. */
ovk_err ovk__mm_line_fault(ovk__mm_line *line, ovk_err code, const char *format, ...)
    OVK_PRINTF(3, 4);

/* The same for a word, with its beginning: "`what` 'word' `complaint`". */
ovk_err ovk__mm_line_fault_word(ovk__mm_line *line, ovk_err code, const char *what,
                                ovk__mm_word word, const char *complaint);

/* Records "path:line: fault" in ctx, where `before` lines precede this rank's share. */
ovk_err ovk__mm_line_raise(ovk_ctx *ctx, const char *path, int64_t before,
                           const ovk__mm_line *line);

#endif
