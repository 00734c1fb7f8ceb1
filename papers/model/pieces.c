/* SPDX-License-Identifier: BSD-2-Clause */
/* A reduction without a solve: its pieces, as comm/engine/pipeline.c has them. A stream begins its
 * next piece when the previous one is complete. */
#include "core/context/mem.h"
#include "model/sim.h"

ovk_err ovk__pieces_make(ovk__sim *sim)
{
  enum { MOST_PIECES = 1 << 20 };
  const ovk__cut cut = ovk__cut_up(sim->model->doubles, sizeof(double), sim->backend.fragments);
  OVK_CHECK(cut.nstreams <= OVK__MAX_SUMS, sim->ctx, OVK_ERR_UNSUPPORTED,
            "window=%d: the model follows up to %d pieces at a time", cut.nstreams, OVK__MAX_SUMS);
  OVK_CHECK(cut.nfragments <= MOST_PIECES, sim->ctx, OVK_ERR_UNSUPPORTED,
            "%d pieces: the model follows up to %d", cut.nfragments, MOST_PIECES);
  OVK_NEW_ZEROS(sim->ctx, sim->pieces, 2 * (size_t)cut.nfragments + 1);
  ovk__phase *p = sim->pieces;
  for (int k = 0; k < cut.nfragments + cut.nstreams; k++) {
    const int stream = k % cut.nstreams;
    if (k >= cut.nstreams) *p++ = (ovk__phase){.kind = OVK__WAIT, .sum = stream};
    if (k < cut.nfragments) *p++ = (ovk__phase){.kind = OVK__BEGIN, .sum = stream};
  }
  sim->phases = sim->pieces;
  sim->piece = cut.fragment;
  return OVK_OK;
}
