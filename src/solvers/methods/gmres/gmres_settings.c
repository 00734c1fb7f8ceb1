/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of the gmres methods' specs. */
#include "solvers/methods/gmres/gmres_settings.h"
#include "base/check.h"
#include "solvers/methods/gmres/gmres_state.h"

#include <stdio.h>

enum { RESTART = 30, MOST_RESTART = 1000 };

static const char *const orthos[] = {"dcgs2", "cgs2", "mgs", NULL};
static const char *const bases[] = {"double", "float", NULL};

ovk_err ovk__fgmres_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__settings *out)
{
  long restart;
  OVK_TRY(ovk_spec_int(ctx, spec, "restart", 1, MOST_RESTART, RESTART, &restart));
  out->restart = (int)restart;
  return OVK_OK;
}

ovk_err ovk__gmres_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__settings *out)
{
  OVK_TRY(ovk__fgmres_read(ctx, spec, out));
  int basis;
  OVK_TRY(ovk_spec_word(ctx, spec, "ortho", orthos, 0, &out->variant));
  OVK_TRY(ovk_spec_word(ctx, spec, "basis", bases, 0, &basis));
  OVK_CHECK(basis == 0 || out->variant == OVK__DCGS2, ctx, OVK_ERR_ARG,
            "basis=%s is for ortho=dcgs2, not ortho=%s", bases[basis], orthos[out->variant]);
  out->single = basis == 1;
  return ovk__side_read(ctx, spec, out);
}

ovk_err ovk__pipelined_gmres_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__settings *out)
{
  long l;
  OVK_TRY(ovk__fgmres_read(ctx, spec, out));
  OVK_TRY(ovk_spec_int(ctx, spec, "l", 1, 1, 1, &l));
  return ovk__side_read(ctx, spec, out);
}

void ovk__gmres_write(const ovk__settings *settings, char spec[OVK__METHOD_SPEC])
{
  snprintf(spec, OVK__METHOD_SPEC, "gmres:restart=%d,ortho=%s%s%s", settings->restart,
           orthos[settings->variant], settings->left ? ",side=left" : "",
           settings->single ? ",basis=float" : "");
}

void ovk__fgmres_write(const ovk__settings *settings, char spec[OVK__METHOD_SPEC])
{
  snprintf(spec, OVK__METHOD_SPEC, "fgmres:restart=%d", settings->restart);
}

void ovk__pipelined_gmres_write(const ovk__settings *settings, char spec[OVK__METHOD_SPEC])
{
  snprintf(spec, OVK__METHOD_SPEC, "pipelined-gmres:l=1,restart=%d%s", settings->restart,
           settings->left ? ",side=left" : "");
}
