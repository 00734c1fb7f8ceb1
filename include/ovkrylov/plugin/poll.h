/* SPDX-License-Identifier: BSD-2-Clause */
/* A progress hook: long kernels call it to progress a running reduction. */
#ifndef OVKRYLOV_PLUGIN_POLL_H
#define OVKRYLOV_PLUGIN_POLL_H

#include <ovkrylov/base.h>

OVK_BEGIN_DECLS

/**
 * A progress hook. Products, preconditioners and vector updates call `progress(arg)` about once
 * every `every` rows. `progress` may be NULL: no call is made. It must be cheap, must not block and
 * has no result; the creator of the hook keeps a failure.
 */
typedef struct ovk_poll {
  void (*progress)(void *arg);
  void *arg;
  ovk_lidx every; /**< rows between two calls, >= 1 if progress is set */
} ovk_poll;

/** @return the hook that does nothing. Not collective. */
static inline ovk_poll ovk_poll_none(void)
{
  ovk_poll none = {0, 0, 0};
  return none;
}

/**
 * Get the row at which a kernel that is at row `from` of `n` calls the hook next: `from + every`,
 * or `n`. Not collective. The loop of a polled kernel is:
 *
 *     for (ovk_lidx i = 0, end; i < n; i = end) {
 *       end = ovk_poll_until(poll, i, n);
 *       ... rows i to end - 1 ...
 *       ovk_poll_call(poll);
 *     }
 *
 * @return that row
 */
static inline ovk_lidx ovk_poll_until(ovk_poll poll, ovk_lidx from, ovk_lidx n)
{
  return poll.progress && poll.every < n - from ? from + poll.every : n;
}

/** Call the hook if there is one. Not collective. */
static inline void ovk_poll_call(ovk_poll poll)
{
  if (poll.progress) poll.progress(poll.arg);
}

OVK_END_DECLS

#endif
