/* SPDX-License-Identifier: BSD-2-Clause */
/* The table that -ovk_report writes. */
#ifndef OVKPETSC_COUNT_H
#define OVKPETSC_COUNT_H

#include "take/take.h"

/* Why ovkrylov did not execute a solve. */
typedef enum ovkpetsc_reason {
  OURS,
  ESTIMATES,  /* of eigenvalues */
  BOTH_SIDES, /* have the PC */
  GIVEN_BACK, /* for another reason, see taken.c */
  ASKED_FOR,
  NAMED,
  NO_METHOD
} ovkpetsc_reason;

/* Solves of the same kind. */
typedef struct ovkpetsc_row {
  char type[OVKPETSC_TYPE_SIZE];
  char method[OVKPETSC_TYPE_SIZE]; /* of ovkrylov; or "" */
  ovkpetsc_reason why;
  bool inside; /* of the solve of another KSP */
  long solves, iterations;
  double seconds;
} ovkpetsc_row;

/* print.c: appends the rows to the file of this name, or prints them to stderr if that is "". */
void ovkpetsc_count_print(const ovkpetsc_row *rows, int n, const char *file);

#endif
