/* SPDX-License-Identifier: BSD-2-Clause */
/* HYPRE_ParCSROvk...: data about the problem, for preconditioners of ovkrylov. */
#include "parcsr_ovk.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

/* Setup refuses a size that no block has. */
HYPRE_Int HYPRE_ParCSROvkSetNumFunctions(HYPRE_Solver solver, HYPRE_Int num_functions)
{
  OVK__PARCSR_CHECK(solver);
  const bool fits = num_functions >= 0 && num_functions <= INT32_MAX;
  ovk__parcsr_of(solver)->functions = fits ? (int)num_functions : -1;
  return HYPRE_GetError();
}

static ovk_err check_vectors(ovk_ctx *ctx, HYPRE_Int n, HYPRE_ParVector *vectors)
{
  if (n < 0) return ovk_ctx_fail(ctx, OVK_ERR_ARG, "num_vectors is %lld", (long long)n);
  if (n > 0 && !vectors) return ovk_ctx_fail(ctx, OVK_ERR_ARG, "vectors is NULL");
  for (HYPRE_Int k = 0; k < n; k++) {
    if (!vectors[k]) return ovk_ctx_fail(ctx, OVK_ERR_ARG, "vector %lld is NULL", (long long)k);
  }
  return OVK_OK;
}

HYPRE_Int HYPRE_ParCSROvkSetInterpVectors(HYPRE_Solver solver, HYPRE_Int num_vectors,
                                          HYPRE_ParVector *vectors)
{
  OVK__PARCSR_CHECK(solver);
  ovk__parcsr_solver *s = ovk__parcsr_of(solver);
  const ovk_err err = check_vectors(s->ctx, num_vectors, vectors);
  if (err) return ovk__parcsr_raise(s, err);
  const size_t n = (size_t)num_vectors;
  HYPRE_ParVector *own = malloc((n + 1) * sizeof *own);
  if (!own) return ovk__parcsr_raise(s, ovk_ctx_fail(s->ctx, OVK_ERR_MEMORY, "no memory"));
  if (n > 0) memcpy(own, vectors, n * sizeof *own);
  free(s->vectors);
  s->vectors = own;
  s->num_vectors = num_vectors;
  return HYPRE_GetError();
}

/* `own`: memory for the vectors; NULL if there are none. */
static ovk_err give_vectors(const ovk__parcsr_solver *s, ovk_vec **own)
{
  ovk_err err = OVK_OK;
  for (HYPRE_Int k = 0; k < s->num_vectors && !err; k++) {
    err = ovk_vec_wrap(s->ctx, (ovk_lidx)ovk__hypre_local_size(s->vectors[k]),
                       ovk__hypre_array(s->vectors[k]), &own[k]);
  }
  return err ? err : ovk_mat_set_near_nullspace(s->A, (int)s->num_vectors, own);
}

/* Ranks agree on the number of vectors before they wrap them. */
static ovk_err give_near_nullspace(const ovk__parcsr_solver *s)
{
  ovk_vec **own = calloc((size_t)s->num_vectors + 1, sizeof *own);
  ovk_err err =
      own ? OVK_OK : ovk_ctx_fail(s->ctx, OVK_ERR_MEMORY, "no memory for the near-null space");
  err = ovk__hypre_agree_number(s->ctx, s->comm, err, OVK_ERR_MEMORY,
                                "another rank has no memory for the vectors", s->num_vectors,
                                "interpolation vectors");
  if (!err) err = give_vectors(s, own);
  for (HYPRE_Int k = 0; own && k < s->num_vectors; k++) ovk_vec_destroy(&own[k]);
  free(own);
  return err;
}

ovk_err ovk__parcsr_describe_problem(const ovk__parcsr_solver *s)
{
  OVK_TRY(ovk_mat_set_block_size(s->A, s->functions));
  return give_near_nullspace(s);
}
