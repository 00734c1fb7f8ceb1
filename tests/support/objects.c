/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects of each kind. */
#include "support/objects.h"

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/plugin/backend.h>
#include <string.h>

enum { ROWS = 5 };

#define TRY(call)                                                                                  \
  do {                                                                                             \
    const ovk_err err_ = (call);                                                                   \
    if (err_) return err_;                                                                         \
  } while (0)

/* "keeper" is a backend that holds a vector and a barrier of a separate context from open to close.
 */
static ovk_err keeper_open(ovk_backend *backend)
{
  objects *o = backend->user;
  TRY(ovk_vec_create(backend->ctx, 1, &o->kept_vec));
  return ovk_collective_create_barrier(backend->ctx, "nbc", &o->kept_barrier);
}

static void keeper_close(ovk_backend *backend)
{
  objects *o = backend->user;
  ovk_collective_destroy(&o->kept_barrier);
  ovk_vec_destroy(&o->kept_vec);
  o->backends_closed++;
}

static ovk_err keeper_begin(ovk_sum *sum)
{
  const int err =
      MPI_Allreduce(MPI_IN_PLACE, sum->values, sum->count, MPI_DOUBLE, MPI_SUM, sum->backend->comm);
  return err ? OVK_ERR_MPI : OVK_OK;
}

static ovk_err keeper_test(ovk_sum *sum, bool *complete)
{
  (void)sum;
  *complete = true;
  return OVK_OK;
}

static const ovk_backend_ops keeper_ops = {.name = "keeper",
                                           .open = keeper_open,
                                           .close = keeper_close,
                                           .begin = keeper_begin,
                                           .test = keeper_test};

static ovk_err identity(void *user, const double *x, double *y, ovk_poll poll)
{
  (void)user;
  (void)poll;
  memcpy(y, x, ROWS * sizeof *y);
  return OVK_OK;
}

static void shell_freed(void *user)
{
  ((objects *)user)->shells_freed++;
}

/* The tridiagonal matrix of -1, 3, -1. */
static ovk_err make_matrix(ovk_ctx *ctx, ovk_mat **A)
{
  TRY(ovk_mat_create(ctx, ROWS, A));
  const ovk_gidx first = ovk_mat_row_begin(*A), n = ovk_mat_size(*A);
  for (ovk_gidx i = first; i < first + ROWS; i++) {
    TRY(ovk_mat_add(*A, i, i, 3));
    if (i > 0) TRY(ovk_mat_add(*A, i, i - 1, -1));
    if (i < n - 1) TRY(ovk_mat_add(*A, i, i + 1, -1));
  }
  return ovk_mat_assemble(*A);
}

static ovk_err make_sum(ovk_ctx *ctx, const char *spec, ovk_reduction **out)
{
  const ovk_err err = ovk_reduction_create(ctx, spec, 3, out);
  if (err == OVK_ERR_UNSUPPORTED) return OVK_OK;
  TRY(err);
  for (int k = 0; k < 3; k++) ovk_reduction_values(*out)[k] = k;
  TRY(ovk_reduction_begin(*out));
  return ovk_reduction_wait(*out);
}

static ovk_err use_collective(ovk_collective *c)
{
  TRY(ovk_collective_begin(c));
  return ovk_collective_wait(c);
}

static ovk_err make_collectives(objects *o)
{
  TRY(ovk_collective_create_barrier(o->ctx, "nbc", &o->collectives[0]));
  TRY(ovk_collective_create_bcast(o->ctx, "verbs:device=emulated", &o->values[0], 1, sizeof(double),
                                  0, &o->collectives[1]));
  TRY(ovk_collective_create_allreduce(o->ctx, "nbc:channel=shm", &o->values[1], &o->values[1], 1,
                                      OVK_TYPE_DOUBLE, OVK_OP_SUM, &o->collectives[2]));
  for (int k = 0; k < OBJECT_COLLECTIVES; k++) TRY(use_collective(o->collectives[k]));
  return OVK_OK;
}

ovk_err objects_make(objects *out)
{
  static const char *const specs[OBJECT_SUMS] = {
      "blocking",
      "iallreduce",
      "iallreduce:persistent",
      "shm",
      "nbc",
      "nbc:alg=tree,levels=node,channel=shm",
      "nbc:progress=thread",
      "emulate-latency:us=1|nbc",
      "verbs:device=emulated",
      "verbs:device=emulated,mode=atomic",
      "verbs:device=emulated,fallback=nbc:alg=flat",
      "keeper",
  };
  const ovk_shell_ops shell = {.mult = identity, .destroy = shell_freed};
  *out = (objects){0};
  TRY(ovk_ctx_create(MPI_COMM_WORLD, &out->ctx));
  TRY(ovk_backend_register(out->ctx, &keeper_ops, out));
  TRY(make_matrix(out->ctx, &out->A));
  TRY(ovk_mat_create_shell(out->ctx, ROWS, &shell, out, &out->shell));
  TRY(ovk_precond_create(out->A, "jacobi", &out->M));
  TRY(ovk_mat_create_vec(out->A, &out->b));
  TRY(ovk_mat_create_vec(out->A, &out->x));
  TRY(ovk_vec_fill(out->b, 1));
  const ovk_solver_opts opts = {
      .method = "pipecg", .rtol = 1e-8, .dtol = 1e10, .maxit = 100, .poll_rows = 2};
  TRY(ovk_solver_create(out->A, out->M, &opts, &out->solver));
  TRY(ovk_solver_solve(out->solver, out->b, out->x, NULL));
  for (int k = 0; k < OBJECT_SUMS; k++) TRY(make_sum(out->ctx, specs[k], &out->sums[k]));
  return make_collectives(out);
}

void objects_destroy(objects *o, int k)
{
  switch (k) {
  case OBJECT_CTX:
    ovk_ctx_destroy(&o->ctx);
    break;
  case OBJECT_MAT:
    ovk_mat_destroy(&o->A);
    break;
  case OBJECT_SHELL:
    ovk_mat_destroy(&o->shell);
    break;
  case OBJECT_PRECOND:
    ovk_precond_destroy(&o->M);
    break;
  case OBJECT_SOLVER:
    ovk_solver_destroy(&o->solver);
    break;
  case OBJECT_B:
    ovk_vec_destroy(&o->b);
    break;
  case OBJECT_X:
    ovk_vec_destroy(&o->x);
    break;
  default:
    if (k < OBJECT_FIRST_COLLECTIVE) {
      ovk_reduction_destroy(&o->sums[k - OBJECT_FIRST_SUM]);
    } else {
      ovk_collective_destroy(&o->collectives[k - OBJECT_FIRST_COLLECTIVE]);
    }
  }
}

/* A linear congruential generator (Knuth's MMIX). */
static uint64_t next(uint64_t number)
{
  return number * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

void objects_destroy_all(objects *o, uint64_t seed)
{
  int left[OBJECTS];
  for (int k = 0; k < OBJECTS; k++) left[k] = k;
  uint64_t number = next(seed);
  for (int n = OBJECTS; n > 0; n--) {
    number = next(number);
    const int which = (int)((number >> 33) % (uint64_t)n);
    objects_destroy(o, left[which]);
    left[which] = left[n - 1];
  }
}
