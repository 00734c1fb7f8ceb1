/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the schedules of all ranks of a reduction to all: dump SPEC RANKS COUNT. One line per
 * action: rank, round, and the text of `ovk list schedule`. */
#include <ovkrylov/comm/schedule.h>
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>
#include <stdlib.h>

static void print(void *rank, int round, const char *action)
{
  printf("%d %d %s\n", *(const int *)rank, round, action);
}

static int dump(ovk_ctx *ctx, const char *spec, int ranks, int count)
{
  for (int rank = 0; rank < ranks; rank++) {
    if (ovk_list_schedule(ctx, spec, ranks, rank, count, print, &rank) == OVK_OK) continue;
    fprintf(stderr, "dump: %s\n", ovk_ctx_error(ctx));
    return 1;
  }
  return ranks < 1;
}

int main(int argc, char **argv)
{
  if (argc != 4) return 2;
  MPI_Init(&argc, &argv);
  ovk_ctx *ctx = NULL;
  int status = 1;
  if (ovk_ctx_create(MPI_COMM_WORLD, &ctx) == OVK_OK) {
    status = dump(ctx, argv[1], atoi(argv[2]), atoi(argv[3]));
  }
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return status;
}
