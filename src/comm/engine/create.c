/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates requests over MPI: allocates them by executor.c, assigns tags and connects them. */
#include "comm/engine/engine.h"
#include "comm/engine/request.h"

/* All ranks connect all channels, also after a failure, because connecting is collective. */
static ovk_err connect(ovk__engine *engine, const ovk__request *request, bool *failed)
{
  const ovk__channel_args none = {.transport = &engine->transport};
  ovk_err first = OVK_OK;
  for (int c = 0; c < OVK__NCHANNELS; c++) {
    const ovk__channel_ops *ops = ovk__channels[c];
    if (!ops->connect) continue;
    const ovk_err err = ops->connect(request ? &request->args : &none,
                                     request ? ovk__request_state(request, ops) : NULL, failed);
    *failed = *failed || err;
    if (!first) first = err;
  }
  return first;
}

ovk_err ovk__request_create(ovk__engine *engine, const ovk__op_desc *desc, bool failed,
                            ovk__request **out)
{
  *out = NULL;
  int64_t number;
  OVK_TRY(ovk__tags_deal(engine->ctx, engine->transport.comm, &engine->tags, &number));
  ovk_err err = failed ? OVK_OK : ovk__request_make(engine, desc, number, out);
  failed = failed || err;
  const ovk_err connected = connect(engine, *out, &failed);
  if (!err) err = connected;
  if (failed) (void)ovk__request_destroy(out); /* nothing was sent */
  return err;
}
