/* SPDX-License-Identifier: BSD-2-Clause */
/* Reduction backends by name. */
#ifndef OVK_BACKENDS_NAMED_H
#define OVK_BACKENDS_NAMED_H

#include <ovkrylov/plugin/backend.h>

/* Parses a spec and finds its backend, and the user pointer that it was registered with. The spec
 * is to be freed; there is none after an error. `user` may be NULL. Not collective. */
ovk_err ovk__backend_parse(ovk_ctx *ctx, const char *text, ovk_spec **spec,
                           const ovk_backend_ops **ops, void **user);

#endif
