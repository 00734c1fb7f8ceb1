/* SPDX-License-Identifier: BSD-2-Clause */
/* The predefined types and operations of MPI as those of boards. */
#include "carry/types/types.h"
#include "carry/process/process.h"

#include <stddef.h>

typedef struct entry {
  MPI_Datatype type;
  size_t size; /* of an item, to the next */
  ovk_type as;
  int numbers;        /* of an item; 0: reductions are not carried */
  ovk_op first, last; /* those that the MPI has, in the order of ovk_op */
  const carry_pairs *pairs;
} entry;

#define SIGNED(bytes)                                                                              \
  ((bytes) == 1   ? OVK_TYPE_INT8                                                                  \
   : (bytes) == 2 ? OVK_TYPE_INT16                                                                 \
   : (bytes) == 4 ? OVK_TYPE_INT32                                                                 \
                  : OVK_TYPE_INT64)
#define UNSIGNED(bytes)                                                                            \
  ((bytes) == 1   ? OVK_TYPE_UINT8                                                                 \
   : (bytes) == 2 ? OVK_TYPE_UINT16                                                                \
   : (bytes) == 4 ? OVK_TYPE_UINT32                                                                \
                  : OVK_TYPE_UINT64)
#define INTEGER(mpi, c)                                                                            \
  {                                                                                                \
    .type = mpi, .size = sizeof(c), .as = SIGNED(sizeof(c)), .numbers = 1, .last = OVK_OP_BXOR     \
  }
#define NATURAL(mpi, c)                                                                            \
  {                                                                                                \
    .type = mpi, .size = sizeof(c), .as = UNSIGNED(sizeof(c)), .numbers = 1, .last = OVK_OP_BXOR   \
  }
#define REAL(mpi, ours, c)                                                                         \
  {                                                                                                \
    .type = mpi, .size = sizeof(c), .as = ours, .numbers = 1, .last = OVK_OP_PROD                  \
  }
#define COMPLEX(mpi, ours, c)                                                                      \
  {                                                                                                \
    .type = mpi, .size = 2 * sizeof(c), .as = ours, .numbers = 2, .last = OVK_OP_SUM               \
  }
#define LOGICAL(mpi, c)                                                                            \
  {                                                                                                \
    .type = mpi, .size = sizeof(c), .as = SIGNED(sizeof(c)), .numbers = 1, .first = OVK_OP_LAND,   \
    .last = OVK_OP_LXOR                                                                            \
  }
#define BITS(mpi)                                                                                  \
  {                                                                                                \
    .type = mpi, .size = 1, .as = OVK_TYPE_UINT8, .numbers = 1, .first = OVK_OP_BAND,              \
    .last = OVK_OP_BXOR                                                                            \
  }
#define ITEMS(mpi, c)                                                                              \
  {                                                                                                \
    .type = mpi, .size = sizeof(c), .as = OVK_TYPE_UINT8                                           \
  }

#define PAIRS(mpi, what)                                                                           \
  {                                                                                                \
    .type = mpi, .as = OVK_TYPE_UINT8, .pairs = &(what)                                            \
  }

/* The most frequent ones first. */
static const entry entries[] = {
    REAL(MPI_DOUBLE, OVK_TYPE_DOUBLE, double),
    INTEGER(MPI_INT, int),
    REAL(MPI_FLOAT, OVK_TYPE_FLOAT, float),
    INTEGER(MPI_LONG, long),
    BITS(MPI_BYTE),
    ITEMS(MPI_CHAR, char),
    REAL(MPI_DOUBLE_PRECISION, OVK_TYPE_DOUBLE, double),
    INTEGER(MPI_INTEGER, MPI_Fint),
    REAL(MPI_REAL, OVK_TYPE_FLOAT, float),
    REAL(MPI_REAL8, OVK_TYPE_DOUBLE, double),
    REAL(MPI_REAL4, OVK_TYPE_FLOAT, float),
    LOGICAL(MPI_LOGICAL, MPI_Fint),
    INTEGER(MPI_INTEGER4, int32_t),
    INTEGER(MPI_INTEGER8, int64_t),
    INTEGER(MPI_LONG_LONG, long long),
    INTEGER(MPI_SHORT, short),
    INTEGER(MPI_SIGNED_CHAR, signed char),
    NATURAL(MPI_UNSIGNED_CHAR, unsigned char),
    NATURAL(MPI_UNSIGNED_SHORT, unsigned short),
    NATURAL(MPI_UNSIGNED, unsigned),
    NATURAL(MPI_UNSIGNED_LONG, unsigned long),
    NATURAL(MPI_UNSIGNED_LONG_LONG, unsigned long long),
    INTEGER(MPI_INT8_T, int8_t),
    INTEGER(MPI_INT16_T, int16_t),
    INTEGER(MPI_INT32_T, int32_t),
    INTEGER(MPI_INT64_T, int64_t),
    NATURAL(MPI_UINT8_T, uint8_t),
    NATURAL(MPI_UINT16_T, uint16_t),
    NATURAL(MPI_UINT32_T, uint32_t),
    NATURAL(MPI_UINT64_T, uint64_t),
    LOGICAL(MPI_C_BOOL, bool),
    INTEGER(MPI_AINT, MPI_Aint),
    INTEGER(MPI_OFFSET, MPI_Offset),
    INTEGER(MPI_COUNT, MPI_Count),
    COMPLEX(MPI_C_DOUBLE_COMPLEX, OVK_TYPE_DOUBLE, double),
    COMPLEX(MPI_C_FLOAT_COMPLEX, OVK_TYPE_FLOAT, float),
    COMPLEX(MPI_DOUBLE_COMPLEX, OVK_TYPE_DOUBLE, double),
    COMPLEX(MPI_COMPLEX, OVK_TYPE_FLOAT, float),
    ITEMS(MPI_LONG_DOUBLE, long double),
    ITEMS(MPI_CHARACTER, char),
    ITEMS(MPI_PACKED, char),
    PAIRS(MPI_DOUBLE_INT, carry_double_int),
    PAIRS(MPI_2INT, carry_int_int),
    PAIRS(MPI_FLOAT_INT, carry_float_int),
    PAIRS(MPI_LONG_INT, carry_long_int),
    PAIRS(MPI_SHORT_INT, carry_short_int),
    PAIRS(MPI_2INTEGER, carry_int_int),
    PAIRS(MPI_2REAL, carry_float_float),
    PAIRS(MPI_2DOUBLE_PRECISION, carry_double_double),
};
enum { ENTRIES = sizeof entries / sizeof *entries };

/* Fortran compilers may have used other sizes when the MPI was built. */
static bool has_size(const entry *e)
{
  MPI_Aint start, extent;
  const size_t size = e->pairs ? e->pairs->extent : e->size;
  return !PMPI_Type_get_extent(e->type, &start, &extent) && (size_t)extent == size;
}

static const entry *search(MPI_Datatype type)
{
  for (int k = 0; k < ENTRIES; k++) {
    if (entries[k].type == type) return has_size(&entries[k]) ? &entries[k] : NULL;
  }
  return NULL;
}

/* Programs call many times with few types. Handles of predefined types do not change, and no other
 * type gets one of them, so results are cached. */
static const entry *find(MPI_Datatype type)
{
  enum { FEW = 4 };
  typedef struct known {
    MPI_Datatype type;
    const entry *found;
    bool set;
  } known;
  static CARRY_THREADS_OWN known list[FEW];
  static CARRY_THREADS_OWN unsigned oldest;
  for (int k = 0; k < FEW; k++) {
    if (list[k].set && list[k].type == type) return list[k].found;
  }
  known *k = &list[oldest++ % FEW];
  *k = (known){type, search(type), true};
  return k->found;
}

bool carry_is_plain(MPI_Datatype type)
{
  const entry *e = find(type);
  return e && !e->pairs;
}

bool carry_plain_size(MPI_Datatype type, int64_t *size)
{
  const entry *e = find(type);
  const bool plain = e && !e->pairs;
  MPI_Count items = 0;
  if (!plain) PMPI_Type_size_x(type, &items);
  *size = plain ? (int64_t)e->size : items;
  return plain;
}

static bool find_op(MPI_Op op, const entry *e, ovk_op *out)
{
  static const struct {
    MPI_Op op;
    ovk_op as;
  } ops[] = {{MPI_SUM, OVK_OP_SUM},   {MPI_MAX, OVK_OP_MAX},   {MPI_MIN, OVK_OP_MIN},
             {MPI_PROD, OVK_OP_PROD}, {MPI_LAND, OVK_OP_LAND}, {MPI_LOR, OVK_OP_LOR},
             {MPI_LXOR, OVK_OP_LXOR}, {MPI_BAND, OVK_OP_BAND}, {MPI_BOR, OVK_OP_BOR},
             {MPI_BXOR, OVK_OP_BXOR}};
  const size_t known = sizeof ops / sizeof *ops;
  for (size_t k = 0; k < known; k++) {
    if (ops[k].op != op) continue;
    *out = ops[k].as;
    return *out >= e->first && *out <= e->last;
  }
  return false;
}

static bool find_pairs(const carry_pairs *pairs, MPI_Op op, int count, ovk_board_operation *out,
                       int64_t *bytes)
{
  *bytes = (int64_t)count * (int64_t)pairs->extent - (count > 0 ? (int64_t)pairs->gap : 0);
  if (op != MPI_MAXLOC && op != MPI_MINLOC) return false;
  out->items = op == MPI_MAXLOC ? &pairs->maxloc : &pairs->minloc;
  out->count = *bytes <= CARRY_MOST ? (int)*bytes : 0; /* more is never carried */
  return true;
}

bool carry_numbers(MPI_Datatype type, MPI_Op op, int count, ovk_board_operation *out,
                   int64_t *bytes)
{
  const entry *e = find(type);
  if (!e || (e->numbers == 0 && !e->pairs)) return false;
  out->type = e->as;
  if (e->pairs) return find_pairs(e->pairs, op, count, out, bytes);
  *bytes = (int64_t)count * (int64_t)e->size;
  out->count = *bytes <= CARRY_MOST ? e->numbers * count : 0; /* more is never carried */
  return find_op(op, e, &out->op);
}
