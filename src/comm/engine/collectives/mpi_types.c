/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of MPI operations that are defined for MPI types (MPI-3.1, section 5.9). An operation
 * on another type raises an error that aborts the program by default. */
#include "comm/engine/collectives/mpi_types.h"

#include <limits.h>
#include <stdio.h>

/* Kinds of types. Fortran integers and those for addresses have no logical operations. */
enum {
  INTEGER = 1 << 0,
  OTHER_INTEGER = 1 << 1,
  REAL = 1 << 2,
  LOGICAL = 1 << 3,
  COMPLEX = 1 << 4,
  BYTE = 1 << 5,
  PAIR = 1 << 6,
  INTEGERS = INTEGER | OTHER_INTEGER,
};

typedef struct named_type {
  MPI_Datatype type;
  unsigned kind;
} named_type;

/* A type that an MPI implementation lacks is MPI_DATATYPE_NULL, which no search finds. */
static const named_type types[] = {
    {MPI_SIGNED_CHAR, INTEGER},
    {MPI_UNSIGNED_CHAR, INTEGER},
    {MPI_SHORT, INTEGER},
    {MPI_UNSIGNED_SHORT, INTEGER},
    {MPI_INT, INTEGER},
    {MPI_UNSIGNED, INTEGER},
    {MPI_LONG, INTEGER},
    {MPI_UNSIGNED_LONG, INTEGER},
    {MPI_LONG_LONG, INTEGER},
    {MPI_UNSIGNED_LONG_LONG, INTEGER},
    {MPI_INT8_T, INTEGER},
    {MPI_INT16_T, INTEGER},
    {MPI_INT32_T, INTEGER},
    {MPI_INT64_T, INTEGER},
    {MPI_UINT8_T, INTEGER},
    {MPI_UINT16_T, INTEGER},
    {MPI_UINT32_T, INTEGER},
    {MPI_UINT64_T, INTEGER},
    {MPI_AINT, OTHER_INTEGER},
    {MPI_OFFSET, OTHER_INTEGER},
    {MPI_COUNT, OTHER_INTEGER},
    {MPI_INTEGER, OTHER_INTEGER},
    {MPI_FLOAT, REAL},
    {MPI_DOUBLE, REAL},
    {MPI_LONG_DOUBLE, REAL},
    {MPI_REAL, REAL},
    {MPI_DOUBLE_PRECISION, REAL},
    {MPI_C_BOOL, LOGICAL},
    {MPI_LOGICAL, LOGICAL},
    {MPI_C_FLOAT_COMPLEX, COMPLEX},
    {MPI_C_DOUBLE_COMPLEX, COMPLEX},
    {MPI_C_LONG_DOUBLE_COMPLEX, COMPLEX},
    {MPI_COMPLEX, COMPLEX},
    {MPI_DOUBLE_COMPLEX, COMPLEX},
    {MPI_BYTE, BYTE},
    {MPI_FLOAT_INT, PAIR},
    {MPI_DOUBLE_INT, PAIR},
    {MPI_LONG_INT, PAIR},
    {MPI_2INT, PAIR},
    {MPI_SHORT_INT, PAIR},
    {MPI_LONG_DOUBLE_INT, PAIR},
    {MPI_2REAL, PAIR},
    {MPI_2DOUBLE_PRECISION, PAIR},
    {MPI_2INTEGER, PAIR},
};

typedef struct named_op {
  MPI_Op op;
  unsigned kinds;
  const char *name;
} named_op;

static const named_op ops[] = {
    {MPI_SUM, INTEGERS | REAL | COMPLEX, "MPI_SUM"},
    {MPI_PROD, INTEGERS | REAL | COMPLEX, "MPI_PROD"},
    {MPI_MAX, INTEGERS | REAL, "MPI_MAX"},
    {MPI_MIN, INTEGERS | REAL, "MPI_MIN"},
    {MPI_LAND, INTEGER | LOGICAL, "MPI_LAND"},
    {MPI_LOR, INTEGER | LOGICAL, "MPI_LOR"},
    {MPI_LXOR, INTEGER | LOGICAL, "MPI_LXOR"},
    {MPI_BAND, INTEGERS | BYTE, "MPI_BAND"},
    {MPI_BOR, INTEGERS | BYTE, "MPI_BOR"},
    {MPI_BXOR, INTEGERS | BYTE, "MPI_BXOR"},
    {MPI_MAXLOC, PAIR, "MPI_MAXLOC"},
    {MPI_MINLOC, PAIR, "MPI_MINLOC"},
    {MPI_REPLACE, 0, "MPI_REPLACE"}, /* for one-sided communication only */
    {MPI_NO_OP, 0, "MPI_NO_OP"},
};

/* Returns the kind of a type; 0: it has no predefined operations. */
static unsigned kind_of(MPI_Datatype type)
{
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    if (types[k].type == type) return types[k].kind;
  }
  return 0;
}

/* NULL: user-defined */
static const named_op *find_op(MPI_Op op)
{
  for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
    if (ops[k].op == op) return &ops[k];
  }
  return NULL;
}

/* A user-defined type may have any name or none. */
static bool is_made(MPI_Datatype type)
{
  int integers, addresses, inner, combiner = MPI_COMBINER_NAMED;
  MPI_Type_get_envelope(type, &integers, &addresses, &inner, &combiner);
  return combiner != MPI_COMBINER_NAMED;
}

void ovk__mpi_type_describe(MPI_Datatype type, MPI_Op op, char text[OVK__MPI_TYPE_TEXT])
{
  const named_op *known = find_op(op);
  char name[MPI_MAX_OBJECT_NAME] = "a type of one's own";
  int length;
  if (!is_made(type)) MPI_Type_get_name(type, name, &length);
  snprintf(text, OVK__MPI_TYPE_TEXT, "%.32s, %s", name,
           op == MPI_OP_NULL ? "no operation"
           : known           ? known->name
                             : "an operation of one's own");
}

static ovk_err check_layout(ovk_ctx *ctx, const char *what, MPI_Datatype type, size_t *size)
{
  MPI_Aint lower, extent, true_lower, true_extent;
  OVK_CHECK(type != MPI_DATATYPE_NULL, ctx, OVK_ERR_ARG, "%s: the type is MPI_DATATYPE_NULL", what);
  OVK_TRY_MPI(ctx, MPI_Type_get_extent(type, &lower, &extent));
  OVK_TRY_MPI(ctx, MPI_Type_get_true_extent(type, &true_lower, &true_extent));
  OVK_CHECK(extent >= 1 && extent <= INT_MAX && lower == 0 && true_lower >= 0 &&
                true_lower + true_extent <= extent,
            ctx, OVK_ERR_ARG,
            "%s: a type of %lld bytes from %lld on, in use are %lld from %lld on; items must not "
            "overlap, and begin at 0",
            what, (long long)extent, (long long)lower, (long long)true_extent,
            (long long)true_lower);
  *size = (size_t)extent;
  return OVK_OK;
}

ovk_err ovk__mpi_type_check(ovk_ctx *ctx, const char *what, MPI_Datatype type, MPI_Op op,
                            bool any_order, size_t *size)
{
  char text[OVK__MPI_TYPE_TEXT];
  int commutes = 1;
  OVK_TRY(check_layout(ctx, what, type, size));
  if (op == MPI_OP_NULL) return OVK_OK;
  const named_op *known = find_op(op);
  ovk__mpi_type_describe(type, op, text);
  OVK_CHECK(!known || known->kinds & kind_of(type), ctx, OVK_ERR_ARG,
            "%s: MPI does not define this operation for this type: %s", what, text);
  if (!known) OVK_TRY_MPI(ctx, MPI_Op_commutative(op, &commutes));
  OVK_CHECK(
      commutes || !any_order, ctx, OVK_ERR_ARG,
      "%s: the order of combinations is not that of ranks, so the operation must be commutative",
      what);
  return OVK_OK;
}
