/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates runs over MPI: what executor.c makes on each rank gets a tag and is connected. */
#include "comm/engine/engine.h"
#include "comm/engine/run.h"

/* All ranks connect all channels, also after a failure: connecting is collective. */
static ovk_err connect(ovk__engine *engine, const ovk__run *run, bool *failed)
{
  const ovk__traffic none = {.fabric = &engine->fabric};
  ovk_err first = OVK_OK;
  for (int c = 0; c < OVK__NCHANNELS; c++) {
    const ovk__channel_ops *ops = ovk__channels[c];
    if (!ops->connect) continue;
    const ovk_err err =
        ops->connect(run ? &run->traffic : &none, run ? ovk__run_state(run, ops) : NULL, failed);
    *failed = *failed || err;
    if (!first) first = err;
  }
  return first;
}

ovk_err ovk__run_create(ovk__engine *engine, const ovk__task *task, bool failed, ovk__run **out)
{
  *out = NULL;
  int64_t number;
  OVK_TRY(ovk__tags_deal(engine->ctx, engine->fabric.comm, &engine->tags, &number));
  ovk_err err = failed ? OVK_OK : ovk__run_make(engine, task, number, out);
  failed = failed || err;
  const ovk_err connected = connect(engine, *out, &failed);
  if (!err) err = connected;
  if (failed) (void)ovk__run_destroy(out); /* nothing was sent */
  return err;
}
