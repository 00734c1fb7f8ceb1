/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend "iallreduce": MPI_Iallreduce, or with the flag "persistent" MPI_Allreduce_init.
 * Implementations without asynchronous progress often send nothing before the first test, so begin
 * makes one. */
#include "backends/iallreduce/persistent.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <stdlib.h>

static const ovk_option options[] = {OVK_FLAG("persistent", "use MPI_Allreduce_init() of MPI 4"),
                                     OVK_OPTIONS_END};

/* The request of a reduction. */
typedef struct native {
  MPI_Request request;
  bool persistent;
  bool active; /* begun, and not known to be complete */
} native;

static ovk_err iallreduce_open(ovk_backend *backend)
{
  return ovk_spec_has(backend->spec, "persistent") ? ovk__persistent_check(backend->ctx) : OVK_OK;
}

static ovk_err iallreduce_prepare(ovk_sum *sum)
{
  OVK_NEW_AT(sum->backend->ctx, sum->request, native, reduction);
  reduction->request = MPI_REQUEST_NULL;
  reduction->persistent = ovk_spec_has(sum->backend->spec, "persistent");
  return OVK_OK;
}

static void iallreduce_release(ovk_sum *sum)
{
  native *r = sum->request;
  /* An active request belongs to a failed reduction. MPI does not allow freeing it and may still
   * access the values, so they are not freed. */
  if (ovk__mpi_is_over()) {
    r->request = MPI_REQUEST_NULL;
  } else if (r->active && r->request != MPI_REQUEST_NULL) {
    sum->values = NULL;
  } else if (r->request != MPI_REQUEST_NULL) {
    MPI_Request_free(&r->request);
  }
  free(r);
}

static ovk_err iallreduce_test(ovk_sum *sum, bool *complete)
{
  native *r = sum->request;
  int flag = 0;
  OVK_TRY_MPI(sum->backend->ctx, MPI_Test(&r->request, &flag, MPI_STATUS_IGNORE));
  *complete = flag;
  r->active = !flag;
  return OVK_OK;
}

static ovk_err iallreduce_start(ovk_sum *sum, native *r)
{
  ovk_ctx *ctx = sum->backend->ctx;
  if (r->persistent) {
    /* created here, not in prepare: creating it is collective, and all ranks are known to call
     * begin */
    if (r->request == MPI_REQUEST_NULL) OVK_TRY(ovk__persistent_init(sum, &r->request));
    OVK_TRY_MPI(ctx, MPI_Start(&r->request));
  } else {
    OVK_TRY_MPI(ctx, MPI_Iallreduce(MPI_IN_PLACE, sum->values, sum->count, MPI_DOUBLE, MPI_SUM,
                                    sum->backend->comm, &r->request));
  }
  return OVK_OK;
}

static ovk_err iallreduce_begin(ovk_sum *sum)
{
  native *r = sum->request;
  bool complete;
  r->active = true;
  OVK_TRY(iallreduce_start(sum, r));
  return iallreduce_test(sum, &complete);
}

const ovk_backend_ops ovk__backend_iallreduce = {
    .name = "iallreduce",
    .summary = "MPI_Iallreduce",
    .keys = options,
    .begins_at_once = true,
    .begin = iallreduce_begin,
    .test = iallreduce_test,
    .open = iallreduce_open,
    .prepare = iallreduce_prepare,
    .release = iallreduce_release,
};
