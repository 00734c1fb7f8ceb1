/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI's predefined types and operations in the library's words. */
#include "carry.h"

#include <stddef.h>

typedef struct entry {
  MPI_Datatype type;
  size_t size;
  ovk_type as;
  bool numbers; /* reductions are carried */
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
    .type = mpi, .size = sizeof(c), .as = SIGNED(sizeof(c)), .numbers = true                       \
  }
#define NATURAL(mpi, c)                                                                            \
  {                                                                                                \
    .type = mpi, .size = sizeof(c), .as = UNSIGNED(sizeof(c)), .numbers = true                     \
  }
#define ITEMS(mpi, c)                                                                              \
  {                                                                                                \
    .type = mpi, .size = sizeof(c), .as = OVK_TYPE_UINT8                                           \
  }

/* The most frequent ones first. */
static const entry entries[] = {
    {MPI_DOUBLE, sizeof(double), OVK_TYPE_DOUBLE, true},
    INTEGER(MPI_INT, int),
    {MPI_FLOAT, sizeof(float), OVK_TYPE_FLOAT, true},
    INTEGER(MPI_LONG, long),
    NATURAL(MPI_BYTE, char),
    ITEMS(MPI_CHAR, char),
    {MPI_DOUBLE_PRECISION, sizeof(double), OVK_TYPE_DOUBLE, true},
    INTEGER(MPI_INTEGER, MPI_Fint),
    {MPI_REAL, sizeof(float), OVK_TYPE_FLOAT, true},
    {MPI_REAL8, sizeof(double), OVK_TYPE_DOUBLE, true},
    {MPI_REAL4, sizeof(float), OVK_TYPE_FLOAT, true},
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
    NATURAL(MPI_C_BOOL, _Bool),
    INTEGER(MPI_AINT, MPI_Aint),
    INTEGER(MPI_OFFSET, MPI_Offset),
    INTEGER(MPI_COUNT, MPI_Count),
    ITEMS(MPI_CHARACTER, char),
    ITEMS(MPI_LOGICAL, MPI_Fint),
    ITEMS(MPI_PACKED, char),
};

/* Compilers of Fortran may have been told other sizes when the MPI was built. */
static const entry *search(MPI_Datatype type)
{
  for (size_t k = 0; k < sizeof entries / sizeof *entries; k++) {
    int size = 0;
    if (entries[k].type != type) continue;
    return !PMPI_Type_size(type, &size) && (size_t)size == entries[k].size ? &entries[k] : NULL;
  }
  return NULL;
}

/* Programs call many times with one type. Handles of predefined types stay, and others never become
 * one of theirs, so what was found once holds. */
static const entry *find(MPI_Datatype type)
{
  static _Thread_local struct {
    MPI_Datatype type;
    const entry *found;
    bool known;
  } last;
  if (!last.known || last.type != type) {
    last.found = search(type);
    last.type = type;
    last.known = true;
  }
  return last.found;
}

bool carry_is_plain(MPI_Datatype type)
{
  return find(type) != NULL;
}

bool carry_type(MPI_Datatype type, ovk_type *out, size_t *size)
{
  const entry *e = find(type);
  if (!e || !e->numbers) return false;
  *out = e->as;
  *size = e->size;
  return true;
}

bool carry_op(MPI_Op op, ovk_type type, ovk_op *out)
{
  static const struct {
    MPI_Op op;
    ovk_op as;
  } ops[] = {{MPI_SUM, OVK_OP_SUM},   {MPI_MAX, OVK_OP_MAX},   {MPI_MIN, OVK_OP_MIN},
             {MPI_PROD, OVK_OP_PROD}, {MPI_LAND, OVK_OP_LAND}, {MPI_LOR, OVK_OP_LOR},
             {MPI_LXOR, OVK_OP_LXOR}, {MPI_BAND, OVK_OP_BAND}, {MPI_BOR, OVK_OP_BOR},
             {MPI_BXOR, OVK_OP_BXOR}};
  const bool real = type == OVK_TYPE_DOUBLE || type == OVK_TYPE_FLOAT;
  const size_t known = sizeof ops / sizeof *ops;
  for (size_t k = 0; k < known; k++) {
    if (ops[k].op != op) continue;
    *out = ops[k].as;
    return !real || *out <= OVK_OP_PROD;
  }
  return false;
}
