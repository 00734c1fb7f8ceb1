/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of the gmres methods' specs. */
#ifndef OVK_SOLVERS_METHODS_GMRES_GMRES_SETTINGS_H
#define OVK_SOLVERS_METHODS_GMRES_GMRES_SETTINGS_H

#include "solvers/state/state.h"

/* gmres:restart=,ortho=,side=,basis= */
ovk_err ovk__gmres_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__settings *out);
void ovk__gmres_write(const ovk__settings *settings, char spec[OVK__METHOD_SPEC]);

/* fgmres:restart= */
ovk_err ovk__fgmres_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__settings *out);
void ovk__fgmres_write(const ovk__settings *settings, char spec[OVK__METHOD_SPEC]);

/* pipelined-gmres:l=,restart=,side= */
ovk_err ovk__pipelined_gmres_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__settings *out);
void ovk__pipelined_gmres_write(const ovk__settings *settings, char spec[OVK__METHOD_SPEC]);

#endif
