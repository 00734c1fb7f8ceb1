/* SPDX-License-Identifier: BSD-2-Clause */
/* The reductions and work vectors of the method in use. They are created with a solver, and again
 * if "auto" changes the method. */
#include "solvers/method_change.h"
#include "core/context/agree.h"
#include "solvers/ops/dots.h"
#include "solvers/options.h"
#include "solvers/state/projection.h"

#include <stdlib.h>

void ovk__method_set(ovk_solver *S, const ovk__method *method, ovk__settings settings)
{
  S->method = S->active = method;
  S->settings = settings;
  S->sums = S->all_sums[0];
  S->vectors = method->vectors + settings.depth * method->vectors_per_depth +
               ovk__basis_vectors(&settings) * method->vectors_per_restart;
  ovk__method_spec(method, &settings, S->selection.text);
}

static ovk_err method_create_reductions(ovk_solver *S, const ovk__method *method, ovk__dots **sums)
{
  for (int k = 0; k < OVK__MAX_SUMS; k++) {
    const ovk__sum_shape shape = method->sums[k];
    const int values = ovk__sum_values(&shape, &S->settings);
    const int others = ovk__projection_values(S, &shape);
    if (!values || shape.depth > S->settings.depth) continue;
    OVK_TRY(ovk__dots_create(S, values + others, shape.status, &sums[k]));
  }
  return OVK_OK;
}

/* Methods that read no work vector before they have written it. Pages of vectors without zeros take
 * no time until they are used: short solves use few vectors of a basis, and bcgs is often replaced.
 */
static bool method_writes_first(const ovk__method *method)
{
  return method->vectors_per_restart > 0 || method == &ovk__method_bcgs;
}

static ovk_err method_create_vectors(ovk_solver *S)
{
  OVK_TRY(ovk__layout_check_memory(S->ctx, &S->A->layout, (double)S->vectors * sizeof(double),
                                   "%d work vectors", S->vectors));
  S->work = calloc((size_t)S->vectors, sizeof *S->work);
  OVK_CHECK_ALL(S->work, S->ctx, OVK_ERR_MEMORY, "no memory for %d vectors", S->vectors);
  const bool zeros = !method_writes_first(S->method);
  OVK_TRY(ovk__vecs_create(S->ctx, &S->A->layout, S->vectors, zeros, S->work));
  for (int k = 0; k < S->vectors; k++) S->work[k]->ordered = S->A->ordered;
  if (S->method->open) OVK_TRY(ovk__agree(S->ctx, S->method->open(S)));
  return ovk__options_make_vectors(S);
}

ovk_err ovk__method_open(ovk_solver *S)
{
  const ovk__method *fallback = S->method->fallback;
  const bool pairs = S->method->makes_pairs && !S->pair_halo;
  if (pairs) OVK_TRY(ovk__mat_halo(S->A, 2, &S->pair_halo));
  OVK_TRY(method_create_reductions(S, S->method, S->all_sums[0]));
  if (fallback) OVK_TRY(method_create_reductions(S, fallback, S->all_sums[1]));
  return method_create_vectors(S);
}

void ovk__method_close(ovk_solver *S)
{
  for (int k = 0; k < 2 * OVK__MAX_SUMS; k++) {
    ovk__dots_destroy(&S->all_sums[k / OVK__MAX_SUMS][k % OVK__MAX_SUMS]);
  }
  if (S->method && S->method->close) S->method->close(S);
  S->own = NULL;
  for (int k = 0; S->work && k < S->vectors; k++) ovk_vec_destroy(&S->work[k]);
  free(S->work);
  S->work = NULL;
}

ovk_err ovk__method_change(ovk_solver *S, const ovk__method *method, ovk__settings settings)
{
  S->selection.unusable = true;
  ovk__method_close(S);
  ovk__method_set(S, method, settings);
  OVK_TRY(ovk__method_open(S));
  S->selection.unusable = false;
  return OVK_OK;
}
