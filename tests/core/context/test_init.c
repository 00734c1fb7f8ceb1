/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs that make no MPI calls. A separate program without CMocka's main function, which
 * initializes MPI. */
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int faults;

static void check(bool holds, const char *what)
{
  if (holds) return;
  fprintf(stderr, "not so: %s\n", what);
  faults++;
}

static void solve_alone(void)
{
  ovk_ctx *ctx = NULL;
  ovk_vec *v = NULL;
  double norm = 0;
  check(ovk_ctx_create_self(&ctx) == OVK_OK, "a context of one process");
  check(ovk_ctx_size(ctx) == 1, "its size is 1");
  check(ovk_vec_create(ctx, 4, &v) == OVK_OK && ovk_vec_fill(v, 1) == OVK_OK, "a vector");
  check(ovk_vec_norm(v, &norm) == OVK_OK && norm == 2, "its norm");
  ovk_vec_destroy(&v);
  ovk_ctx_destroy(&ctx);
}

int main(void)
{
  bool initialized = false;
  ovk_ctx *ctx = NULL;
  check(ovk_finalize_self() == OVK_OK, "nothing to finalize");
  check(ovk_ctx_create_self(&ctx) == OVK_ERR_STATE && !ctx, "no context before MPI");
  check(strlen(ovk_mpi_library()) > strlen("MPICH "), "a name and a version of MPI");
  check(ovk_init_self(&initialized) == OVK_OK && initialized, "the first call initializes MPI");
  check(ovk_init_self(&initialized) == OVK_OK && !initialized, "the second call does not");
  check(ovk_init_self(NULL) == OVK_OK, "the result is optional");
  solve_alone();
  check(ovk_finalize_self() == OVK_OK, "MPI is finalized");
  check(ovk_finalize_self() == OVK_OK, "once only");
  check(ovk_init_self(&initialized) == OVK_ERR_STATE && !initialized, "never again");
  check(ovk_ctx_create_self(NULL) == OVK_ERR_STATE, "no context after MPI");
  return faults ? EXIT_FAILURE : EXIT_SUCCESS;
}
