/* SPDX-License-Identifier: BSD-2-Clause */
/* The directions that the flexible methods keep. */
#include "solvers/methods/flexible/directions.h"
#include "core/context/check.h"
#include "solvers/convergence/breakdown.h"
#include "solvers/kernels/basis/updates_basis.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SUMS = OVK__PIPECG_SUMS };

/* If sigma is less than this fraction of (u, A u), it has lost ten digits, and u becomes p. */
static const double LOST = 1e-10;

ovk_err ovk__directions_open(ovk_solver *S)
{
  const int m = S->settings.restart;
  const size_t number = (size_t)m + 1;
  ovk__directions *F = calloc(1, sizeof *F);
  S->own = F;
  if (F) {
    F->m = m;
    F->kept[0] = calloc(OVK__DIRECTION * number, sizeof *F->kept[0]);
    F->of = calloc(number, sizeof *F->of);
    F->sums = calloc(2 * number + MOST_SUMS + (size_t)ovk__basis_vu(m) + ovk__basis_lanes(m),
                     sizeof *F->sums);
  }
  OVK_CHECK(F && F->kept[0] && F->of && F->sums, S->ctx, OVK_ERR_MEMORY,
            "no memory for %d directions", m);
  for (int k = 1; k < OVK__DIRECTION; k++) F->kept[k] = F->kept[k - 1] + number;
  F->c = F->sums + MOST_SUMS + number;
  F->dots = F->c + number;
  F->lanes = F->dots + ovk__basis_vu(m);
  return OVK_OK;
}

void ovk__directions_close(ovk_solver *S)
{
  ovk__directions *F = S->own;
  if (!F) return;
  free(F->sums);
  free(F->of);
  free(F->kept[0]);
  free(F);
  S->own = NULL;
}

const ovk_option ovk__directions_options[] = {
    OVK_INTEGER("m", 1, 100, 1, "earlier directions that a new one is orthogonal to"),
    OVK_OPTIONS_END};

void ovk__directions_place(ovk__directions *F, ovk_vec **vectors, int kinds, int iteration)
{
  const int number = F->m + 1;
  for (int kind = 0; kind < kinds; kind++, vectors += number) {
    for (int k = 0; k <= F->n; k++) {
      F->next[kind] = vectors[(iteration - F->n + k) % number];
      F->kept[kind][k] = F->next[kind]->array;
    }
  }
}

ovk__kept ovk__directions_kept(const ovk__directions *F)
{
  return (ovk__kept){.k = F->n,
                     .p = F->kept[OVK__DIRECTION_P],
                     .s = F->kept[OVK__DIRECTION_S],
                     .q = F->kept[OVK__DIRECTION_Q],
                     .z = F->kept[OVK__DIRECTION_Z],
                     .c = F->c};
}

void ovk__directions_take(ovk__directions *F, int count, int n)
{
  for (int k = 0; k < F->m; k++) F->sums[count + k] = k < n ? F->dots[ovk__basis_vu(k)] : 0;
}

/* The next direction becomes the first. */
static void directions_forget(ovk__directions *F)
{
  for (int kind = 0; kind < OVK__DIRECTION; kind++) F->kept[kind][0] = F->kept[kind][F->n];
  F->n = 0;
}

double ovk__directions_find(ovk_solver *S, ovk__directions *F, double delta, const double *dots,
                            const ovk_vec *u)
{
  double sigma = delta;
  for (int k = 0; k < F->n; k++) {
    F->c[k] = dots[k] / F->of[k].sigma;
    sigma -= F->c[k] * dots[k];
  }
  if (sigma > LOST * delta || !isfinite(sigma)) return sigma;
  if (sigma <= 0) {
    ovk_vec *p = F->next[OVK__DIRECTION_P];
    for (int k = 0; k < F->n; k++) F->c[k] = -F->c[k];
    ovk__op_record_error(S, ovk_vec_copy(u, p));
    ovk__basis_add(rows(S), F->n, (ovk__basis){.v = F->kept[OVK__DIRECTION_P]}, F->c, p->array);
    (void)ovk__breakdown_drifted_curvature(S, sigma, NULL, p, F->next[OVK__DIRECTION_S]);
  }
  directions_forget(F);
  return delta;
}

ovk__direction *ovk__directions_keep(ovk__directions *F, double sigma)
{
  if (F->n == F->m) memmove(F->of, F->of + 1, (size_t)--F->n * sizeof *F->of);
  F->of[F->n] = (ovk__direction){.sigma = sigma};
  return &F->of[F->n++];
}
