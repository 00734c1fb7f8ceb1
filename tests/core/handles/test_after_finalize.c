/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects of each kind are destroyed after MPI_Finalize(), in any order: no MPI function is called,
 * no thread keeps running, all memory is freed. A separate program without CMocka's main function,
 * which uses MPI at its end. */
#include "support/malloc_fail.h"
#include "support/objects.h"

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 4, RUNNING = SETS - 1 }; /* the last one with sums that run */

static int rank, faults;

static void check(bool holds, const char *what)
{
  if (holds) return;
  fprintf(stderr, "[rank %d] not so: %s\n", rank, what);
  faults++;
}

static void make_objects(objects *o)
{
  if (objects_make(o) == OVK_OK) return;
  fprintf(stderr, "[rank %d] %s\n", rank, ovk_ctx_error(o->ctx));
  MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static void refuse_contexts(const char *what, const char *message)
{
  ovk_ctx *ctx = NULL;
  check(ovk_ctx_create(MPI_COMM_WORLD, &ctx) == OVK_ERR_STATE && !ctx, what);
  check(ovk_ctx_create_f(0, &ctx) == OVK_ERR_STATE && !ctx, what);
  check(strstr(ovk_ctx_error(ctx), message), message);
}

/* Without "iallreduce", whose sums MPI itself could not end, and without threads: none may be
 * inside MPI when MPI_Finalize() begins. */
static bool may_run_at_the_end(const ovk_reduction *sum)
{
  const char *spec = ovk_reduction_spec(sum);
  return strncmp(spec, "iallreduce", 10) != 0 && !strstr(spec, "progress=thread");
}

static void begin_sums(objects *o)
{
  for (int k = 0; k < OBJECT_SUMS; k++) {
    if (!o->sums[k] || !may_run_at_the_end(o->sums[k])) continue;
    check(ovk_reduction_begin(o->sums[k]) == OVK_OK, "each sum begins");
  }
  for (int k = 0; k < OBJECT_COLLECTIVES; k++) {
    check(ovk_collective_begin(o->collectives[k]) == OVK_OK, "each collective begins");
  }
}

int main(int argc, char **argv)
{
  static objects sets[SETS];
  int level;
  double norm;
  refuse_contexts("no context before MPI_Init()", "MPI is not initialized: call MPI_Init()");
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int k = 0; k < SETS; k++) {
    if (k == 1) setenv("OVK_HALO", "nbc", 1);
    if (k == 2) setenv("OVK_HALO", "verbs:device=emulated", 1);
    make_objects(&sets[k]);
  }
  begin_sums(&sets[RUNNING]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();

  refuse_contexts("no context after MPI_Finalize()", "MPI is finalized");
  check(ovk_vec_norm(sets[0].b, &norm) == OVK_ERR_STATE, "a collective call is an error");
  check(strstr(ovk_ctx_error(sets[0].ctx), "MPI is finalized") != NULL, "with a message");
  for (int k = 0; k < SETS; k++) {
    objects_destroy_all(&sets[k], (uint64_t)(2 * k + rank));
    check(sets[k].shells_freed == 1, "the user's operator is freed once");
    check(sets[k].backends_closed == 1, "the user's backend is closed once");
  }
  check(malloc_live() == 0, "all memory is freed");
  return faults ? EXIT_FAILURE : EXIT_SUCCESS;
}
