/* SPDX-License-Identifier: BSD-2-Clause */
/* Contexts for failures. */
#include "fault_world.h"
#include "core/context/agree.h"

static void take_notice(void *arg, const char *message)
{
  world *w = arg;
  w->notices++;
  snprintf(w->notice, sizeof w->notice, "%s", message);
}

void world_open(world *w)
{
  *w = (world){0};
  assert_int_equal(ovk_ctx_create(MPI_COMM_WORLD, &w->ctx), OVK_OK);
  ovk_ctx_on_notice(w->ctx, take_notice, w);
}

void world_close(world *w)
{
  ovk_ctx_destroy(&w->ctx);
}

bool alike(const world *w, bool here)
{
  int all[2] = {here, !here}; /* the minimum, and the complement of the maximum */
  if (w->ctx) assert_int_equal(ovk__agree(w->ctx, OVK_OK), OVK_OK);
  MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (all[0] == all[1]) fail_msg("rank %d: %d here, and not so on all ranks", test_rank, here);
  return here;
}

bool has_failed(const world *w, ovk_err err, const char *part)
{
  char said[1024];
  snprintf(said, sizeof said, "%s", ovk_ctx_error(w->ctx));
  if (err != OVK_OK && err != OVK_ERR_NETWORK) {
    fail_msg("rank %d: %s: %s", test_rank, ovk_err_name(err), said);
  }
  if (err && !strstr(said, part)) {
    fail_msg("rank %d: \"%s\" should contain \"%s\"", test_rank, said, part);
  }
  return alike(w, err != OVK_OK);
}

int stride(int n)
{
  enum { SPARSE = 61 };
  const char *device = getenv("OVK_TEST_DEVICE");
  return device && strcmp(device, "emulated") != 0 ? SPARSE * n : n;
}
