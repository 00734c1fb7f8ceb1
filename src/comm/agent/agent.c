/* SPDX-License-Identifier: BSD-2-Clause */
/* The agent's thread: passes over its task lists, and sleep. */
#include "comm/agent/agent.h"
#include "core/base/thread.h"
#include "core/context/mem.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct ovk__agent {
  ovk__endpoint *endpoint;
  int passes; /* in a row that find nothing, before it sleeps */
  pthread_t thread;
  bool started;
  atomic_bool end;
  ovk__task_list *lists; /* changed with the endpoint entered */
};

/* What a pass has found. */
typedef struct found {
  bool moved; /* a list has started or ended a generation */
  bool busy;  /* a list is running */
} found;

/* Advances a list by what is possible without waiting. A list that fails stays where it is: its
 * endpoint has failed, which its rank notices. */
static void move_list_on(ovk__task_list *l, found *f)
{
  bool complete = false;
  if (!l->running && l->arrived(l->self, l->generation + 1)) {
    l->generation++;
    l->running = f->moved = true;
    if (l->start(l->work)) return;
  }
  if (!l->running || l->advance(l->work, &complete)) return;
  f->busy = f->busy || !complete;
  if (!complete) return;
  l->running = false;
  f->moved = true;
  if (l->deliver) l->deliver(l->self, l->generation);
}

/* `armed`: what arrives from now on ends the next sleep, and what came before is found here. */
static found pass(const ovk__agent *a, bool armed)
{
  found f = {false, false};
  ovk__endpoint_enter(a->endpoint);
  if (armed) ovk__endpoint_arm(a->endpoint);
  for (ovk__task_list *l = a->lists; l; l = l->next) move_list_on(l, &f);
  ovk__endpoint_leave(a->endpoint);
  return f;
}

static void spin(const ovk__agent *a)
{
  for (int k = 0; k < a->passes && !a->end; k++) {
    if (pass(a, false).moved) k = 0;
  }
}

static void *serve(void *arg)
{
  const ovk__agent *a = arg;
  while (!a->end) {
    spin(a);
    const found f = pass(a, true);
    if (!f.moved && !a->end) ovk__endpoint_sleep(a->endpoint, f.busy);
  }
  return NULL;
}

ovk_err ovk__agent_open(ovk_ctx *ctx, ovk__endpoint *endpoint, int passes, ovk__agent **out)
{
  ovk__agent *agent = *out = NULL;
  OVK_NEW(ctx, agent);
  *out = agent;
  agent->endpoint = endpoint;
  agent->passes = passes;
  OVK_TRY(ovk__endpoint_listen(endpoint));
  const int code = ovk__thread_start(&agent->thread, serve, agent);
  OVK_CHECK(code == 0, ctx, OVK_ERR_MEMORY, "no thread for an agent: error %d", code);
  agent->started = true;
  return OVK_OK;
}

void ovk__agent_close(ovk__agent **agent)
{
  ovk__agent *a = *agent;
  if (!a) return;
  a->end = true;
  if (a->started) {
    ovk__endpoint_wake(a->endpoint);
    pthread_join(a->thread, NULL);
  }
  free(a);
  *agent = NULL;
}

void ovk__agent_add(ovk__agent *agent, ovk__task_list *list)
{
  list->next = agent->lists;
  list->link = &agent->lists;
  if (list->next) list->next->link = &list->next;
  agent->lists = list;
}

void ovk__agent_remove(ovk__task_list *list)
{
  if (!list->link) return;
  *list->link = list->next;
  if (list->next) list->next->link = list->link;
  list->link = NULL;
}

void ovk__agent_wake(ovk__agent *agent)
{
  ovk__endpoint_wake(agent->endpoint);
}
