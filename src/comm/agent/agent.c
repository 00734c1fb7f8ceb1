/* SPDX-License-Identifier: BSD-2-Clause */
/* The thread of an agent: it advances its task lists and sleeps. */
#include "comm/agent/agent.h"
#include "core/base/thread.h"
#include "core/base/turns.h"
#include "core/context/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

struct ovk__agent {
  ovk__endpoint *endpoint;
  int passes; /* passes in a row without progress before it sleeps */
  pthread_t thread;
  bool started;
  atomic_bool end;
  ovk__task_list *lists; /* changed only with the endpoint entered */
};

/* The result of a pass over the lists. */
typedef struct found {
  bool moved; /* a list has started or ended a generation */
  bool busy;  /* a list is running */
  bool polls; /* one that is running waits for shared memory */
} found;

/* Advances a list as far as possible without waiting. A list that fails stays linked: its
 * endpoint has failed, and its rank notices that. */
static void advance_list(ovk__task_list *l, found *f)
{
  bool complete = false;
  if (!l->running && l->arrived(l->self, l->generation + 1)) {
    l->generation++;
    l->running = f->moved = true;
    if (l->start(l->work)) return;
  }
  if (!l->running || l->advance(l->work, &complete)) return;
  f->busy = f->busy || !complete;
  f->polls = f->polls || (!complete && l->polls);
  if (!complete) return;
  l->running = false;
  f->moved = true;
  if (l->deliver) l->deliver(l->self, l->generation);
}

/* `armed`: messages that arrive from now on end the next sleep, and this pass finds all earlier
 * ones. */
static found pass(const ovk__agent *a, bool armed)
{
  found f = {false, false, false};
  ovk__endpoint_enter(a->endpoint);
  if (armed) ovk__endpoint_arm(a->endpoint);
  for (ovk__task_list *l = a->lists; l; l = l->next) advance_list(l, &f);
  ovk__endpoint_leave(a->endpoint);
  return f;
}

static void spin(const ovk__agent *a)
{
  for (int k = 0; k < a->passes && !a->end; k++) {
    if (pass(a, false).moved) k = 0;
  }
}

/* Some microseconds, in which ranks may have the processor. */
static void nap(void)
{
  enum { NAP = 5000 }; /* nanoseconds */
  nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
}

static void *serve(void *arg)
{
  const ovk__agent *a = arg;
  ovk__turns_shorten();
  while (!a->end) {
    spin(a);
    const found f = pass(a, true);
    if (f.moved || a->end) continue;
    if (f.polls) {
      nap();
    } else {
      ovk__endpoint_sleep(a->endpoint, f.busy);
    }
  }
  return NULL;
}

ovk_err ovk__agent_open(ovk_ctx *ctx, ovk__endpoint *endpoint, int passes, ovk__agent **out)
{
  OVK_NEW_AT(ctx, *out, ovk__agent, agent);
  agent->endpoint = endpoint;
  agent->passes = passes;
  OVK_TRY(ovk__endpoint_listen(endpoint));
  const int code = ovk__thread_start(&agent->thread, serve, agent);
  OVK_CHECK(code == 0, ctx, OVK_ERR_MEMORY, "an agent cannot start its thread: error %d", code);
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
