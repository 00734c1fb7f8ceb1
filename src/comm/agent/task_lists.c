/* SPDX-License-Identifier: BSD-2-Clause */
/* Takes, joins and drops task lists as a rank says. */
#define _XOPEN_SOURCE 700 /* tsearch() */
#include "comm/agent/task_lists.h"
#include "comm/agent/wire/handshake_message.h"
#include "comm/agent/wire/list_message.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <search.h>
#include <stdlib.h>

struct ovk__held {
  ovk__list_content content;
  ovk__run *run;
  ovk__task_list list;
  double *values;
};

static int compare(const void *a, const void *b)
{
  const uint64_t x = ((const ovk__held *)a)->content.id, y = ((const ovk__held *)b)->content.id;
  return (x > y) - (x < y);
}

static bool is_due(void *self, uint64_t generation)
{
  const ovk__held *h = self;
  (void)generation; /* the run's next one */
  return ovk__run_is_due(h->run);
}

static void free_held(ovk__held *h)
{
  (void)ovk__run_destroy(&h->run);
  ovk__schedule_free(&h->content.schedule);
  free(h->values);
  free(h);
}

void ovk__task_lists_free(ovk__task_lists *t)
{
  while (t->by_id) {
    ovk__held *h = *(ovk__held **)t->by_id;
    tdelete(h, &t->by_id, compare);
    free_held(h);
  }
}

/* The list that a message names; NULL: there is none. */
static ovk__held *find(const ovk__task_lists *t, const ovk__message *m)
{
  const ovk__held key = {.content.id = m->n ? m->words[0] : 0};
  ovk__held **node = m->n ? tfind(&key, &t->by_id, compare) : NULL;
  return node ? *node : NULL;
}

/* What a list takes beside registered memory is known before it is made, and slabs are counted as
 * they are taken: so all together stays within the limit. */
static ovk_err reserve(ovk__task_lists *t, const ovk__list_content *c)
{
  const size_t registered = ovk__endpoint_memory(t->endpoint), taken = t->bytes + registered;
  OVK_CHECK(taken <= t->memory && c->bytes <= t->memory - taken, t->ctx, OVK_ERR_MEMORY,
            "a task list of %llu bytes beside %zu taken, and %zu are the most",
            (unsigned long long)c->bytes, taken, t->memory);
  OVK_CHECK(c->moved <= t->memory, t->ctx, OVK_ERR_MEMORY,
            "a task list that moves %llu bytes, and %zu are the most", (unsigned long long)c->moved,
            t->memory);
  ovk__endpoint_limit_memory(t->endpoint, t->memory - t->bytes - (size_t)c->bytes);
  return OVK_OK;
}

static ovk_err task_list_create(ovk__task_lists *t, const ovk__message *m, ovk__held *h)
{
  ovk_ctx *ctx = t->ctx;
  const ovk__list_content *c = &h->content;
  OVK_TRY(ovk__list_read(ctx, m->words, m->n, ctx->rank, ovk__endpoint_partner(t->endpoint),
                         &h->content));
  OVK_CHECK(!find(t, m), ctx, OVK_ERR_ARG, "a second task list %llu", (unsigned long long)c->id);
  OVK_TRY(reserve(t, c));
  OVK_NEW_ZEROS(ctx, h->values, c->count);
  const ovk__task task = {.schedule = &c->schedule,
                          .output = h->values,
                          .element = sizeof *h->values,
                          .combine = ovk__combine_sum_double};
  const ovk_err err = ovk__run_make(&t->engine, &task, 0, &h->run);
  if (err == OVK_ERR_MEMORY)
    ovk__set_message(ctx, "bytes of task lists, of which %zu are the most: %s", t->memory,
                     ctx->message);
  if (err) return err;
  h->list = (ovk__task_list){.start = ovk__run_start,
                             .advance = ovk__run_advance,
                             .work = h->run,
                             .arrived = is_due,
                             .self = h};
  return OVK_OK;
}

static ovk_err take(ovk__task_lists *t, const ovk__message *m, ovk__held **out)
{
  ovk__held *h = calloc(1, sizeof *h);
  OVK_CHECK(h, t->ctx, OVK_ERR_MEMORY, "no memory for a task list");
  ovk_err err = task_list_create(t, m, h);
  if (!err && !tsearch(h, &t->by_id, compare))
    err = OVK_FAIL(t->ctx, OVK_ERR_MEMORY, "no memory to find a task list by");
  if (err) {
    free_held(h);
    return err;
  }
  *out = h;
  t->bytes += h->content.bytes;
  t->taken++;
  return OVK_OK;
}

static ovk_err join(ovk__task_lists *t, const ovk__message *m)
{
  ovk__held *h = find(t, m);
  OVK_CHECK(h && ovk__join_read(m->words, m->n, ovk__run_handshakes(h->run)), t->ctx, OVK_ERR_ARG,
            "handshakes for no task list");
  OVK_TRY(ovk__run_join(h->run));
  ovk__agent_add(t->agent, &h->list);
  ovk__agent_wake(t->agent); /* its next sleep includes new connections */
  return OVK_OK;
}

static ovk_err drop(ovk__task_lists *t, const ovk__message *m)
{
  ovk__held *h = find(t, m);
  OVK_CHECK(h, t->ctx, OVK_ERR_ARG, "the end of an unknown task list");
  tdelete(h, &t->by_id, compare);
  t->bytes -= h->content.bytes; /* the registered memory of one in flight stays taken */
  ovk__agent_remove(&h->list);
  free_held(h);
  return OVK_OK;
}

ovk_err ovk__task_lists_answer(ovk__task_lists *t, const ovk__message *message,
                               ovk__message *answer)
{
  ovk_ctx *ctx = t->ctx;
  ovk__held *taken = NULL;
  ovk_err err;
  *answer = (ovk__message){0};
  switch (message->kind) {
  case OVK__LIST:
    err = take(t, message, &taken);
    answer->kind = OVK__HANDSHAKES;
    if (!err)
      return ovk__handshakes_write(ctx, ovk__run_handshakes(taken->run), &answer->words,
                                   &answer->n);
    break;
  case OVK__JOIN:
    err = join(t, message);
    answer->kind = OVK__DONE;
    break;
  case OVK__DROP:
    return drop(t, message);
  default:
    return OVK_FAIL(ctx, OVK_ERR_ARG, "a message of kind %llu that is not for agents",
                    (unsigned long long)message->kind);
  }
  /* What is wrong concerns this message alone, unless the endpoint has failed. */
  if (!err || ovk__endpoint_failed(t->endpoint)) return err;
  answer->kind = OVK__REFUSED;
  return OVK_OK;
}
