/* SPDX-License-Identifier: BSD-2-Clause */
/* A progress hook: how a running reduction is kept moving from inside a long kernel. */
#ifndef OVKRYLOV_PLUGIN_POLL_H
#define OVKRYLOV_PLUGIN_POLL_H

#include <ovkrylov/base.h>

OVK_BEGIN_DECLS

/**
 * Handed down to products, preconditioners and vector updates, which call `progress(arg)` about
 * once every `every` rows. `progress` may be NULL: then there is nothing to do. It must be cheap,
 * must not block and has no result; a failure is kept by whoever made the hook.
 */
typedef struct ovk_poll {
  void (*progress)(void *arg);
  void *arg;
  ovk_lidx every; /**< rows between two calls, at least 1 where progress is set */
} ovk_poll;

/** @return the hook that does nothing. Not collective. */
static inline ovk_poll ovk_poll_none(void)
{
  ovk_poll none = {0, 0, 0};
  return none;
}

/**
 * Where a kernel that stands at row `from` of `n` should stop and poll next: `from + every`, or
 * `n`. Together with ovk_poll_call() it makes the loop of every polled kernel:
 *
 *     for (ovk_lidx i = 0, end; i < n; i = end) {
 *       end = ovk_poll_until(poll, i, n);
 *       ... rows i to end - 1 ...
 *       ovk_poll_call(poll);
 *     }
 *
 * @return that row. Not collective.
 */
static inline ovk_lidx ovk_poll_until(ovk_poll poll, ovk_lidx from, ovk_lidx n)
{
  return poll.progress && poll.every < n - from ? from + poll.every : n;
}

/** Calls the hook if there is one. Not collective. */
static inline void ovk_poll_call(ovk_poll poll)
{
  if (poll.progress) poll.progress(poll.arg);
}

OVK_END_DECLS

#endif
