/* SPDX-License-Identifier: BSD-2-Clause */
/* An outside project: runs the installed checks on the backend of an example, or on one whose test
 * omits the sum, which they must find. */
#define main example_main
#include <ex03_own_backend.c>
#undef main

#include <ovkrylov/plugin/conformance.h>

static ovk_err forget(ovk_sum *sum, bool *complete)
{
  gather *g = sum->request;
  MPI_Wait(&g->request, MPI_STATUS_IGNORE);
  *complete = true;
  return OVK_OK;
}

static ovk_err introduce(ovk_ctx *ctx)
{
  ovk_backend_ops forgetful = gather_ops;
  forgetful.name = "forgetful";
  forgetful.test = forget;
  const ovk_err err = ovk_backend_register(ctx, &forgetful, NULL);
  return err ? err : ovk_backend_register(ctx, &gather_ops, NULL);
}

int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const ovk_conformance what = {.comm = MPI_COMM_WORLD,
                                .spec = argc > 1 ? argv[1] : "gather",
                                .introduce = introduce,
                                .quick = true};
  ovk_conformance_check(&what);
  ovk_conformance_check_thousands(&what);
  if (rank == 0) printf("%s conforms\n", what.spec);
  MPI_Finalize();
  return 0;
}
