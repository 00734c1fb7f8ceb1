/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by bcgs and its form for several columns: the scalars of the process, its decisions. */
#ifndef OVK_SOLVERS_METHODS_BCGS_BCGS_SCALARS_H
#define OVK_SOLVERS_METHODS_BCGS_BCGS_SCALARS_H

#include "solvers/kernels/updates/updates_bcgs.h"
#include "solvers/methods/bcgs/shadow_residual.h"

/* The totals of the first half of a step, and those that are recomputed. */
enum { OVK__BCGS_QV, OVK__BCGS_VV, OVK__BCGS_FIRST_SUMS };
enum { OVK__BCGS_QR, OVK__BCGS_RR, OVK__BCGS_AGAIN_SUMS };

typedef struct ovk__bcgs_scalars {
  double rho;   /* (q, r) */
  double qq;    /* (q, q) */
  double rr;    /* (r, r) */
  double sigma; /* (q, v) */
  double alpha, omega;
  bool fresh; /* q = p = r */
} ovk__bcgs_scalars;

/* q = p = r */
static inline void ovk__bcgs_refresh(ovk__bcgs_scalars *k)
{
  k->rho = k->qq = k->rr;
  k->fresh = true;
}

/* (r, r) and (q, r) of r = s - omega t from the totals of the second half. Returns whether (r, r)
 * is below 1e-6 of (s, s): then the difference that gives it has lost six digits. */
static inline bool ovk__bcgs_predict(ovk__bcgs_scalars *k, const double sums[OVK__BCGS_SUMS])
{
  const double ss = sums[OVK__SS_HALF];
  k->rr = ss - k->omega * (2 * sums[OVK__TS] - k->omega * sums[OVK__TT]);
  k->rho = sums[OVK__QS] - k->omega * sums[OVK__QT];
  return k->rr < 1e-6 * ss;
}

/* A vanished quantity in the first iteration with q = r ends the solve if (r, r) is above this
 * fraction of (q, q): the process would only repeat it. */
static inline bool ovk__bcgs_progress(const ovk__bcgs_scalars *k)
{
  return k->rr < 0.99 * k->qq;
}

/* Whether omega has vanished, and whether (q, r) has. */
static inline bool ovk__bcgs_omega_vanished(const double sums[OVK__BCGS_SUMS])
{
  return ovk__bcgs_vanished(sums[OVK__TS], sums[OVK__TT], sums[OVK__SS_HALF]);
}
static inline bool ovk__bcgs_rho_vanished(const ovk__bcgs_scalars *k)
{
  return ovk__bcgs_restart_needed(k->fresh, k->rho, k->qq, k->rr);
}

#endif
