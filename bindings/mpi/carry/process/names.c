/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of types and operations. MPI has none for operations. */
#include "carry/process/names.h"

#include <stdio.h>

static const char *name_of(MPI_Op op)
{
  const struct {
    MPI_Op op;
    const char *name;
  } ops[] = {{MPI_SUM, "MPI_SUM"},   {MPI_MAX, "MPI_MAX"},       {MPI_MIN, "MPI_MIN"},
             {MPI_PROD, "MPI_PROD"}, {MPI_LAND, "MPI_LAND"},     {MPI_LOR, "MPI_LOR"},
             {MPI_LXOR, "MPI_LXOR"}, {MPI_BAND, "MPI_BAND"},     {MPI_BOR, "MPI_BOR"},
             {MPI_BXOR, "MPI_BXOR"}, {MPI_MAXLOC, "MPI_MAXLOC"}, {MPI_MINLOC, "MPI_MINLOC"}};
  for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
    if (ops[k].op == op) return ops[k].name;
  }
  return "a user-defined operation";
}

void carry_name_reduction(MPI_Datatype type, MPI_Op op, char out[CARRY_NAMES])
{
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  PMPI_Type_get_name(type, name, &length);
  snprintf(out, CARRY_NAMES, "%s with %s", *name ? name : "a derived type", name_of(op));
  for (char *c = out; *c; c++) {
    if (*c == ',' || (unsigned char)*c < ' ') *c = ' '; /* names of the program */
  }
}
