/* SPDX-License-Identifier: BSD-2-Clause */
/* Several right-hand sides at once: a block of columns that a method iterates together, with one
 * pass over A, one halo exchange and one message for the sums of all columns. Each column has its
 * own scalars, stopping test and end.
 *
 * A block handles the usual cases. A column that needs more leaves it, and is solved by itself:
 * from its initial guess if it breaks down, has a NaN or diverges, so that reason, message and x
 * are those of a single solve; from its x if the true residual does not confirm its convergence. */
#ifndef OVK_SOLVERS_MANY_MANY_H
#define OVK_SOLVERS_MANY_MANY_H

#include "matrix/vector/multivec_impl.h"
#include "solvers/state/state.h"

/* The sums of a form, and that of the squares at the start and at the end. */
enum { OVK__MANY_SQUARES = 4, OVK__MANY_SUMS };

typedef struct ovk__many ovk__many;

/* The form of a method for a block. */
struct ovk__many_form {
  int vectors;                 /* blocks in `work`; the first is r. At least 3 */
  int sums[OVK__MANY_SQUARES]; /* values of a column in each sum; all have a status */
  int scalars;                 /* numbers of a lane, which move with it */
  size_t own;                  /* bytes of ovk__column.own */
  int reductions_per_iteration;
  bool overwrites; /* writes all of `work` before it reads it; else that is 0 at the start */

  /* Changes sizes to those for the settings of a solver; returns whether the form has these
   * settings. NULL: for all solvers. */
  bool (*fit)(const ovk_solver *S, ovk__many_form *form);

  /* Iterates from r = b - A x in work[OVK__WORK_R] until no column runs. Returns only errors that
   * all ranks have. */
  ovk_err (*iterate)(ovk__many *B);
};

/* The state of a column. */
typedef enum ovk__column_end {
  OVK__COLUMN_RUNS,
  OVK__COLUMN_ENDED,    /* its x is to be confirmed */
  OVK__COLUMN_LEFT,     /* to be solved by itself from its initial guess */
  OVK__COLUMN_CONTINUES /* the same from its x */
} ovk__column_end;

/* One column, with all that the stopping rules need. */
typedef struct ovk__column {
  int index; /* in the caller's b and x */
  ovk__column_end end;
  ovk_solver solve; /* a copy of the solver; only its members of one solve are used */
  void *own;        /* of the method, for this column alone; not cleared between solves */
} ovk__column;

/* A number of each lane; those without a column are 0. */
typedef double ovk__lane_values[OVK__WIDEST];

struct ovk__many {
  ovk_solver *S;
  const ovk__many_form *form;
  ovk__many_form size; /* the same, fitted */
  int widest;          /* there is memory for so many columns */
  int width;           /* columns of the blocks now: 8, 4, 2 or 1 */
  const ovk_multivec *rhs;
  ovk_multivec *solution;
  ovk__column *lane[OVK__WIDEST]; /* the column that runs in each lane; NULL: none, all is 0 */
  double *x, **work;              /* blocks of all rows */
  ovk__lane_values *scalar;       /* of the method */
  ovk__dots *sums[OVK__MANY_SUMS];
  int n; /* columns of the solve */
  ovk__column columns[OVK__WIDEST];
};

/* The form of the solver's method; NULL: it has none for its settings. */
const ovk__many_form *ovk__many_form_of(const ovk_solver *S);

/* S->columns.block <- memory for blocks of at least `columns` columns. Collective; errors are
 * agreed. */
ovk_err ovk__many_open(ovk_solver *S, const ovk__many_form *form, int columns);
void ovk__many_close(ovk_solver *S);

/* Starts with columns `first` to first + n - 1 of b and x, n <= 8: computes r and tests it. x_is_0
 * says of all of x, and is the same on all ranks. Collective; errors are agreed. */
ovk_err ovk__many_load(ovk__many *B, const ovk_multivec *b, ovk_multivec *x, int first, int n,
                       bool x_is_zero);

/* Counts an iteration of the column in lane c and tests rr, the square of r's norm in the test. */
ovk_err ovk__many_test(ovk__many *B, int c, double rr);

/* Decides about a column whose test may have set a reason. */
void ovk__many_judge(ovk__column *column);

/* Whether a value that must be positive is: otherwise the column in lane c leaves. */
bool ovk__many_positive(ovk__many *B, int c, double value);

/* Whether the column in lane c iterates. */
static inline bool ovk__many_runs(const ovk__many *B, int c)
{
  return B->lane[c] && B->lane[c]->end == OVK__COLUMN_RUNS;
}

/* Between two iterations: stores x of the columns that have ended or continue by themselves, and
 * frees the lanes of these and of those that have left. If at most half of the lanes run, the rest
 * moves to blocks of half the width. Returns whether a column runs. */
bool ovk__many_settle(ovk__many *B);

/* Recomputes the residuals of the columns that have ended, and confirms or refutes their ends.
 * Collective; errors are agreed. */
ovk_err ovk__many_finish(ovk__many *B);

/* Column number `index` of X: a number every `step` doubles, from `first` on. */
typedef struct ovk__strided {
  double *first;
  int step;
} ovk__strided;
ovk__strided ovk__many_column(const ovk_multivec *X, int index);

#endif
