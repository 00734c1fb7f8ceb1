/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "none": M = I. */
#include <ovkrylov/precond.h>
#include <stdlib.h>
#include <string.h>

/* The state is the number of local rows. */
static ovk_err none_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  (void)spec;
  (void)user;
  ovk_lidx *n = malloc(sizeof *n);
  if (!n) return ovk_ctx_fail(ovk_mat_ctx(A), OVK_ERR_MEMORY, "no memory for a preconditioner");
  *n = ovk_mat_local_size(A);
  *state = n;
  return OVK_OK;
}

/* z <- r; also used for both factors */
static ovk_err none_copy(void *state, const double *r, double *z, ovk_poll poll)
{
  const ovk_lidx n = *(const ovk_lidx *)state;
  (void)poll;
  if (n) memcpy(z, r, (size_t)n * sizeof *z);
  return OVK_OK;
}

static ovk_err none_copy_many(void *state, int width, const double *r, double *z, ovk_poll poll)
{
  const size_t n = (size_t) * (const ovk_lidx *)state * (size_t)width;
  (void)poll;
  if (n) memcpy(z, r, n * sizeof *z);
  return OVK_OK;
}

static ovk_err none_factor(void *state)
{
  (void)state;
  return OVK_OK;
}

const ovk_precond_ops ovk__precond_none = {
    .name = "none",
    .summary = "the identity",
    .apply = none_copy,
    .setup = none_setup,
    .destroy = free,
    .factor = none_factor,
    .apply_left = none_copy,
    .apply_right = none_copy,
    .local = true,
    .any_partition = true,
    .apply_many = none_copy_many,
};
