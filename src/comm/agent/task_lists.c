/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers, connects and unregisters the task lists of a rank. */
#define _XOPEN_SOURCE 700 /* tsearch() */
#include "comm/agent/task_lists.h"
#include "comm/agent/wire/handshake_message.h"
#include "comm/agent/wire/schedule_message.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <search.h>
#include <stdlib.h>

struct ovk__task_entry {
  ovk__schedule_message content;
  ovk__request *request;
  ovk__task_list list;
  double *values;
};

static int task_entry_compare(const void *a, const void *b)
{
  const uint64_t x = ((const ovk__task_entry *)a)->content.id,
                 y = ((const ovk__task_entry *)b)->content.id;
  return (x > y) - (x < y);
}

static bool is_due(void *self, uint64_t generation)
{
  const ovk__task_entry *e = self;
  (void)generation; /* always the next one of the request */
  return ovk__request_is_due(e->request);
}

static void task_entry_free(ovk__task_entry *e)
{
  (void)ovk__request_destroy(&e->request);
  ovk__schedule_free(&e->content.schedule);
  free(e->values);
  free(e);
}

void ovk__task_lists_free(ovk__task_lists *t)
{
  while (t->by_id) {
    ovk__task_entry *e = *(ovk__task_entry **)t->by_id;
    tdelete(e, &t->by_id, task_entry_compare);
    task_entry_free(e);
  }
}

/* The list that a message names; NULL: there is none. */
static ovk__task_entry *task_list_find(const ovk__task_lists *t, const ovk__message *m)
{
  const ovk__task_entry key = {.content.id = m->n ? m->words[0] : 0};
  ovk__task_entry **node = m->n ? tfind(&key, &t->by_id, task_entry_compare) : NULL;
  return node ? *node : NULL;
}

/* The memory of a list, except registered memory, is known before the list is created. Slabs are
 * counted when they are allocated. So the total stays within the limit. */
static ovk_err task_list_reserve(ovk__task_lists *t, const ovk__schedule_message *c)
{
  const size_t registered = ovk__endpoint_memory(t->endpoint), taken = t->bytes + registered;
  OVK_CHECK(taken <= t->memory && c->bytes <= t->memory - taken, t->ctx, OVK_ERR_MEMORY,
            "a task list of %llu bytes in addition to %zu bytes; the limit is %zu bytes",
            (unsigned long long)c->bytes, taken, t->memory);
  OVK_CHECK(c->moved <= t->memory, t->ctx, OVK_ERR_MEMORY,
            "a task list that moves %llu bytes; the limit is %zu bytes",
            (unsigned long long)c->moved, t->memory);
  ovk__endpoint_limit_memory(t->endpoint, t->memory - t->bytes - (size_t)c->bytes);
  return OVK_OK;
}

static ovk_err task_list_create(ovk__task_lists *t, const ovk__message *m, ovk__task_entry *e)
{
  ovk_ctx *ctx = t->ctx;
  const ovk__schedule_message *c = &e->content;
  OVK_TRY(ovk__schedule_message_read(ctx, m->words, m->n, ctx->rank,
                                     ovk__endpoint_agent_peer(t->endpoint), &e->content));
  OVK_CHECK(!task_list_find(t, m), ctx, OVK_ERR_ARG, "a second task list %llu",
            (unsigned long long)c->id);
  OVK_TRY(task_list_reserve(t, c));
  OVK_NEW_ZEROS(ctx, e->values, c->count);
  const ovk__op_desc desc = {.schedule = &c->schedule,
                             .output = e->values,
                             .element = sizeof *e->values,
                             .combine = ovk__combine_sum_double};
  const ovk_err err = ovk__request_make(&t->engine, &desc, 0, &e->request);
  if (err == OVK_ERR_MEMORY)
    ovk__set_message(ctx, "task lists: %s; the limit is %zu bytes", ctx->message, t->memory);
  if (err) return err;
  e->list = (ovk__task_list){.start = ovk__request_start,
                             .advance = ovk__request_advance,
                             .work = e->request,
                             .arrived = is_due,
                             .self = e};
  return OVK_OK;
}

static ovk_err task_list_register(ovk__task_lists *t, const ovk__message *m, ovk__task_entry **out)
{
  ovk__task_entry *entry;
  OVK_NEW(t->ctx, entry);
  ovk_err err = task_list_create(t, m, entry);
  if (!err && !tsearch(entry, &t->by_id, task_entry_compare))
    err = OVK_FAIL(t->ctx, OVK_ERR_MEMORY, "no memory for the index of task lists");
  if (err) {
    task_entry_free(entry);
    return err;
  }
  *out = entry;
  t->bytes += entry->content.bytes;
  t->taken++;
  return OVK_OK;
}

static ovk_err task_list_connect(ovk__task_lists *t, const ovk__message *m)
{
  ovk__task_entry *e = task_list_find(t, m);
  OVK_CHECK(e && ovk__connect_message_read(m->words, m->n, ovk__request_handshakes(e->request)),
            t->ctx, OVK_ERR_ARG, "handshakes that do not match a task list");
  OVK_TRY(ovk__request_connect(e->request));
  ovk__agent_add(t->agent, &e->list);
  ovk__agent_wake(t->agent); /* its next sleep includes new connections */
  return OVK_OK;
}

static ovk_err task_list_unregister(ovk__task_lists *t, const ovk__message *m)
{
  ovk__task_entry *e = task_list_find(t, m);
  OVK_CHECK(e, t->ctx, OVK_ERR_ARG, "a request to unregister an unknown task list");
  tdelete(e, &t->by_id, task_entry_compare);
  t->bytes -= e->content.bytes; /* the registered memory of a list in flight is not released */
  ovk__agent_remove(&e->list);
  task_entry_free(e);
  return OVK_OK;
}

ovk_err ovk__task_lists_answer(ovk__task_lists *t, const ovk__message *message,
                               ovk__message *answer)
{
  ovk_ctx *ctx = t->ctx;
  ovk__task_entry *entry = NULL;
  ovk_err err;
  *answer = (ovk__message){0};
  switch (message->kind) {
  case OVK__REGISTER:
    err = task_list_register(t, message, &entry);
    answer->kind = OVK__HANDSHAKES;
    if (!err)
      return ovk__handshakes_write(ctx, ovk__request_handshakes(entry->request), &answer->words,
                                   &answer->n);
    break;
  case OVK__CONNECT:
    err = task_list_connect(t, message);
    answer->kind = OVK__DONE;
    break;
  case OVK__UNREGISTER:
    return task_list_unregister(t, message);
  default:
    return OVK_FAIL(ctx, OVK_ERR_ARG, "a control message of kind %llu, which agents do not accept",
                    (unsigned long long)message->kind);
  }
  /* The error concerns this message alone, unless the endpoint has failed. */
  if (!err || ovk__endpoint_failed(t->endpoint)) return err;
  answer->kind = OVK__REFUSED;
  return OVK_OK;
}
