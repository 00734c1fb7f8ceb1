/* SPDX-License-Identifier: BSD-2-Clause */
/* Joins a rank and its agent by a relay. */
#include "support/comm/agent_pair.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

bool agent_write_secret(const char *path, const void *bytes, size_t n)
{
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
  if (file < 0) return false;
  const bool written = fchmod(file, S_IRUSR | S_IWUSR) == 0 && write(file, bytes, n) == (ssize_t)n;
  return close(file) == 0 && written;
}

static bool make_sockets(int ends[2])
{
  return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0;
}

ovk_err agent_pair_open(agent_pair *p, ovk_ctx *ctx, const char *secret, const char *its)
{
  const ovk_agent_options options = {
      .size = sizeof options, .secret = its, .nic = "device=emulated", .memory = 1 << 20};
  *p = (agent_pair){.ctx = ctx, .rank = {-1, -1}, .agent = {-1, -1}};
  if (!make_sockets(p->rank) || !make_sockets(p->agent)) return OVK_ERR_IO;
  ovk_err err = ovk__tls_create(ctx, OVK__RANK_SIDE, secret, &p->tls);
  if (!err) err = ovk__stream_create(ctx, p->tls, p->rank[0], &p->stream);
  if (!err) err = ovk_agent_server_create(&options, &p->server);
  if (!err) err = ovk_agent_client_create(p->server, p->agent[0], &p->client);
  return err;
}

static void close_both(const int ends[2])
{
  for (int k = 0; k < 2; k++) {
    if (ends[k] >= 0) close(ends[k]);
  }
}

void agent_pair_close(agent_pair *p)
{
  ovk__stream_destroy(&p->stream);
  ovk__tls_destroy(&p->tls);
  ovk_agent_client_destroy(&p->client);
  ovk_agent_server_destroy(&p->server);
  close_both(p->rank);
  close_both(p->agent);
}

static size_t move_from(agent_pair *p, ovk__side side, int from, int to)
{
  unsigned char bytes[4096];
  size_t moved = 0;
  for (;;) {
    const ssize_t n = recv(from, bytes, sizeof bytes, MSG_DONTWAIT);
    if (n <= 0) return moved;
    if (p->relay) p->relay(p->arg, side, bytes, (size_t)n);
    (void)!send(to, bytes, (size_t)n, MSG_NOSIGNAL);
    moved += (size_t)n;
  }
}

size_t agent_pair_move(agent_pair *p)
{
  return move_from(p, OVK__RANK_SIDE, p->rank[1], p->agent[1]) +
         move_from(p, OVK__AGENT_SIDE, p->agent[1], p->rank[1]);
}

static void shake_rank(agent_pair *p)
{
  short events = 0;
  if (p->rank_proved || p->rank_err) return;
  p->rank_err = ovk__stream_authenticate(p->ctx, p->stream, &events);
  p->rank_proved = !p->rank_err && !events;
}

void agent_pair_shake_agent(agent_pair *p)
{
  short events = 0;
  if (p->agent_proved || p->agent_err) return;
  p->agent_err = ovk_agent_client_authenticate(p->client, &events);
  p->agent_proved = !p->agent_err && !events;
}

void agent_pair_shake(agent_pair *p)
{
  do {
    shake_rank(p);
    (void)agent_pair_move(p);
    agent_pair_shake_agent(p);
  } while (agent_pair_move(p) > 0);
  shake_rank(p);
}
