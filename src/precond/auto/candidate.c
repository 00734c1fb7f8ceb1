/* SPDX-License-Identifier: BSD-2-Clause */
#include "precond/auto/candidate.h"
#include "core/context/agree.h"

extern const ovk_precond_ops ovk__precond_none, ovk__precond_jacobi, ovk__precond_ic,
    ovk__precond_ilu, ovk__precond_amg;

static const ovk_precond_ops *const tables[OVK__AUTO_KINDS] = {
    [OVK__AUTO_NONE] = &ovk__precond_none, [OVK__AUTO_JACOBI] = &ovk__precond_jacobi,
    [OVK__AUTO_IC] = &ovk__precond_ic,     [OVK__AUTO_ILU] = &ovk__precond_ilu,
    [OVK__AUTO_AMG] = &ovk__precond_amg,
};

const char *ovk__auto_name(ovk__auto_kind kind)
{
  return tables[kind]->name;
}

bool ovk__auto_has_factors(ovk__auto_kind kind)
{
  return tables[kind]->factor != NULL;
}

/* *state <- that of a new setup. Collective; errors are agreed. */
static ovk_err candidate_set_up(const ovk_mat *A, const ovk__auto_candidate *M, void **state)
{
  *state = NULL;
  if (!M->ops->setup) return OVK_OK;
  const ovk_err mine = M->ops->setup(A, M->spec, NULL, state);
  const ovk_err err = ovk__agree(ovk_mat_ctx(A), mine);
  if (err && !mine) M->ops->destroy(*state);
  if (err) *state = NULL;
  return err;
}

ovk_err ovk__auto_candidate_create(const ovk_mat *A, ovk__auto_kind kind, ovk__auto_candidate *out)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  *out = (ovk__auto_candidate){.ops = tables[kind]};
  ovk_err err = ovk__agree(ctx, ovk_spec_parse(ctx, out->ops->name, &out->spec));
  if (!err) err = candidate_set_up(A, out, &out->state);
  if (!err) return OVK_OK;
  ovk_spec_destroy(&out->spec);
  out->ops = NULL;
  return err;
}

void ovk__auto_candidate_free(ovk__auto_candidate *M)
{
  if (M->ops && M->ops->destroy && M->state) M->ops->destroy(M->state);
  ovk_spec_destroy(&M->spec);
  *M = (ovk__auto_candidate){0};
}

ovk_err ovk__auto_candidate_update(const ovk_mat *A, ovk__auto_candidate *M)
{
  void *state;
  if (M->ops->update && M->state) return ovk__agree(ovk_mat_ctx(A), M->ops->update(A, M->state));
  OVK_TRY(candidate_set_up(A, M, &state));
  if (M->ops->destroy && M->state) M->ops->destroy(M->state);
  M->state = state;
  return OVK_OK;
}

ovk_err ovk__auto_candidate_apply(const ovk__auto_candidate *M, const ovk_vec *r, ovk_vec *z)
{
  return ovk__agree(r->ctx, M->ops->apply(M->state, r->array, z->array, ovk_poll_none()));
}
