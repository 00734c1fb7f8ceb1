/* SPDX-License-Identifier: BSD-2-Clause */
/* Reductions of types and operations that libovk_mpi.so passes to the MPI, and an all-to-all in
 * place. */
#include <mpi.h>

static void keep(void *in, void *inout, int *count, MPI_Datatype *type)
{
  (void)in, (void)inout, (void)count, (void)type;
}

int main(int argc, char **argv)
{
  long double wide[4] = {1}, sum[4];
  double items[8] = {1}, kept[8];
  int counts[2] = {1, 1}, displs[2] = {0, 1};
  MPI_Datatype named, unnamed;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  MPI_Op_create(keep, 1, &op);
  MPI_Type_contiguous(2, MPI_DOUBLE, &named);
  MPI_Type_contiguous(4, MPI_DOUBLE, &unnamed);
  MPI_Type_set_name(named, "row, of\ntwo");
  MPI_Type_commit(&named);
  MPI_Type_commit(&unnamed);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < 3; k++) {
    MPI_Allreduce(wide, sum, 4, MPI_LONG_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Allreduce(items, kept, 1, named, op, MPI_COMM_WORLD); /* not the first */
  MPI_Reduce(items, kept, 3, named, op, 0, MPI_COMM_WORLD);
  MPI_Request request;
  MPI_Iallreduce(items, kept, 2, unnamed, op, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Alltoallv(MPI_IN_PLACE, counts, displs, MPI_DOUBLE, items, counts, displs, MPI_DOUBLE,
                MPI_COMM_WORLD);
  MPI_Type_free(&named);
  MPI_Type_free(&unnamed);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
