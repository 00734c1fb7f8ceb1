/* SPDX-License-Identifier: BSD-2-Clause */
/* Admits, authenticates and drops strangers. */
#define _GNU_SOURCE /* ppoll */
#include "strangers.h"
#include "log.h"

#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  FROM_ONE_SOURCE = 16,
  LIMIT_MS = 2000, /* to authenticate */
  PLACE_MS = 100,  /* a place is taken at least, and is not given to another one */
  ACCEPT_MOST = 64,
  REST_MS = 10
};

static int64_t now_ms(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static stranger_source source_of(const struct sockaddr_storage *a)
{
  stranger_source s = {.family = a->ss_family};
  if (a->ss_family == AF_INET) {
    const struct sockaddr_in *in = (const struct sockaddr_in *)a;
    memcpy(s.bytes, &in->sin_addr, sizeof in->sin_addr);
  } else if (a->ss_family == AF_INET6) {
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)a;
    const bool is_v4 = IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr);
    memcpy(s.bytes, in6->sin6_addr.s6_addr + (is_v4 ? 8 : 0), sizeof s.bytes);
  }
  return s;
}

static bool is_same(const stranger_source *a, const stranger_source *b)
{
  return a->family == b->family && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

/* Closes the connection; the place stays taken until its time has passed. */
static void drop(stranger *one, const char *why)
{
  note_stranger("%s: turned away: %s", one->from, why);
  ovk_agent_client_destroy(&one->client);
  close(one->socket);
}

void strangers_remove(stranger *one)
{
  ovk_agent_client_destroy(&one->client);
  close(one->socket);
  one->since = 0;
}

void strangers_refuse(stranger *one, const char *why)
{
  note("%s: turned away: %s", one->from, why);
  (void)ovk_agent_client_refuse(one->client, why);
  one->refused = true;
}

void strangers_expire(strangers *s)
{
  const int64_t now = now_ms();
  for (int k = 0; k < STRANGERS; k++) {
    stranger *one = &s->places[k];
    const bool over = one->client && now - one->since > LIMIT_MS;
    if (over && one->refused) strangers_remove(one);
    if (over && one->client) drop(one, "not authenticated in time");
    if (one->since && !one->client && now - one->since > PLACE_MS) one->since = 0;
  }
}

/* A place for a connection from here, or NULL: a free one, unless the source has enough; then the
 * place that is taken for longest, by this source or by any, if it has had its time. */
static stranger *find_place(strangers *s, const stranger_source *source, int64_t now)
{
  stranger *unused = NULL, *oldest = NULL, *oldest_of_source = NULL;
  int of_source = 0;
  for (int k = 0; k < STRANGERS; k++) {
    stranger *one = &s->places[k];
    if (!one->since) {
      unused = one;
      continue;
    }
    if (!oldest || one->since < oldest->since) oldest = one;
    if (!is_same(&one->source, source)) continue;
    of_source++;
    if (!oldest_of_source || one->since < oldest_of_source->since) oldest_of_source = one;
  }
  stranger *place = of_source >= FROM_ONE_SOURCE ? oldest_of_source : unused ? unused : oldest;
  if (place->since && now - place->since <= PLACE_MS) return NULL;
  if (place->client) drop(place, "others wait");
  return place;
}

/* False: it was turned away. */
static bool admit(strangers *s, int socket, const struct sockaddr_storage *peer, socklen_t size)
{
  const int64_t now = now_ms();
  const stranger_source source = source_of(peer);
  stranger *one = find_place(s, &source, now);
  if (!one) return false;
  *one = (stranger){.socket = socket, .events = POLLIN, .since = now, .source = source};
  name_address(peer, size, one->from);
  if (ovk_agent_client_create(s->server, socket, &one->client) == OVK_OK) return true;
  ovk_agent_client_destroy(&one->client);
  return false;
}

void strangers_accept(strangers *s, const struct pollfd *file)
{
  for (int k = 0; file->revents && k < ACCEPT_MOST; k++) {
    struct sockaddr_storage peer = {0};
    socklen_t size = sizeof peer;
    const int socket = accept(s->listener, (struct sockaddr *)&peer, &size);
    const bool exhausted = socket < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED;
    const bool away = socket >= 0 && !admit(s, socket, &peer, size);
    if (away || exhausted) s->rests_until = now_ms() + REST_MS;
    if (away) {
      char from[ADDRESS_SIZE];
      name_address(&peer, size, from);
      note_stranger("%s: turned away: too many connections that are not authenticated", from);
      close(socket);
    }
    if (socket < 0) break;
  }
}

bool strangers_proceed(strangers *s, stranger *one, const struct pollfd *file)
{
  if (!one->client || file->fd != one->socket || !file->revents) return false;
  const ovk_err err = ovk_agent_client_authenticate(one->client, &one->events);
  if (err) drop(one, ovk_agent_server_message(s->server));
  return !err && !one->events;
}

/* Milliseconds until a place or the listener changes without an event; -1: none will. */
static int time_left(const strangers *s, int64_t now)
{
  int64_t end = s->rests_until > now ? s->rests_until : INT64_MAX;
  for (int k = 0; k < STRANGERS; k++) {
    const stranger *one = &s->places[k];
    const int64_t its = one->since + LIMIT_MS;
    if (one->client && its < end) end = its;
  }
  return end == INT64_MAX ? -1 : end < now ? 0 : (int)(end - now) + 1;
}

void strangers_wait(const strangers *s, const sigset_t *signals, struct pollfd files[STRANGERS + 1])
{
  const int64_t now = now_ms();
  const int left = time_left(s, now);
  const struct timespec most = {.tv_sec = left / 1000, .tv_nsec = left % 1000 * 1000000L};
  for (int k = 0; k < STRANGERS; k++) {
    const stranger *one = &s->places[k];
    const bool waits = one->client && !one->refused;
    files[k] = (struct pollfd){.fd = waits ? one->socket : -1, .events = one->events};
  }
  const int listener = now < s->rests_until ? -1 : s->listener;
  files[STRANGERS] = (struct pollfd){.fd = listener, .events = POLLIN};
  if (ppoll(files, STRANGERS + 1, left < 0 ? NULL : &most, signals) >= 0) return;
  for (int k = 0; k <= STRANGERS; k++) files[k].revents = 0;
}

void strangers_keep_only(strangers *s, const stranger *rank)
{
  close(s->listener);
  for (int k = 0; k < STRANGERS; k++) {
    const stranger *one = &s->places[k];
    if (one->client && one != rank) close(one->socket);
  }
}
