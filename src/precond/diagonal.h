/* SPDX-License-Identifier: BSD-2-Clause */
/* The kinds of preconditioners, and a diagonal M^-1 = D in the form that the vector sweeps take.
 * Not with the sweeps, because the preconditioners provide it. */
#ifndef OVK_PRECOND_DIAGONAL_H
#define OVK_PRECOND_DIAGONAL_H

#include <stdbool.h>
#include <stddef.h>

/* From special to general: the maximum over the ranks is valid for all ranks. */
typedef enum ovk__precond_kind {
  OVK__M_CONSTANT, /* c I, where c may differ from rank to rank */
  OVK__M_DIAGONAL,
  OVK__M_OTHER,
  OVK__M_KINDS
} ovk__precond_kind;

typedef struct ovk__diagonal {
  const double *d; /* row by row; or d[0] for all rows if `constant` */
  bool constant;   /* so that sweeps do not read an array */
} ovk__diagonal;

/* The rows of D from row i on. */
static inline ovk__diagonal ovk__diagonal_from(ovk__diagonal D, ptrdiff_t i)
{
  return (ovk__diagonal){D.d && !D.constant ? D.d + i : D.d, D.constant};
}

static inline ovk__diagonal ovk__diagonal_identity(void)
{
  static const double one = 1;
  return (ovk__diagonal){&one, true};
}

#endif
