/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds and connects to agents. */
#include "agent/find.h"
#include "agent/control.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SIZE = OVK__AGENT_ADDRESS_SIZE };

/* The line of this node, "NODE ADDRESS". */
static ovk_err look_up(ovk_ctx *ctx, const char *path, char address[SIZE])
{
  char line[2 * SIZE], name[SIZE], here[SIZE] = "";
  bool found = false;
  gethostname(here, sizeof here - 1);
  FILE *file = fopen(path, "r");
  OVK_CHECK(file, ctx, OVK_ERR_IO, "%s: %s", path, strerror(errno));
  while (!found && fgets(line, sizeof line, file)) {
    line[strcspn(line, "#\n")] = '\0';
    found = sscanf(line, "%511s %511s", name, address) == 2 && strcmp(name, here) == 0;
  }
  fclose(file);
  OVK_CHECK(found, ctx, OVK_ERR_ARG, "%s: no line \"%s HOST:PORT\" for this node", path, here);
  return OVK_OK;
}

static int try_address(const struct addrinfo *a, double seconds)
{
  const int one = 1;
  const int s = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
  if (s < 0) return -1;
  (void)setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (ovk__control_limit(NULL, s, seconds) == OVK_OK && connect(s, a->ai_addr, a->ai_addrlen) == 0)
    return s;
  const int error = errno;
  close(s);
  errno = error == EINPROGRESS ? ETIMEDOUT : error;
  return -1;
}

/* Splits "HOST:PORT"; brackets around an IPv6 address are removed. */
static bool split(const char *address, char host[SIZE], char port[SIZE])
{
  const char *colon = strrchr(address, ':');
  if (!colon || colon == address || !colon[1] || strlen(address) >= SIZE) return false;
  const bool bracket = address[0] == '[' && colon[-1] == ']';
  snprintf(host, SIZE, "%.*s", (int)(colon - address) - 2 * bracket, address + bracket);
  snprintf(port, SIZE, "%s", colon + 1);
  return *host != '\0';
}

ovk_err ovk__agent_find(ovk_ctx *ctx, const char *where, double seconds, char address[SIZE],
                        int *socket)
{
  const struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
  struct addrinfo *list = NULL;
  char host[SIZE], port[SIZE];
  *socket = -1;
  snprintf(address, SIZE, "%s", where);
  if (strchr(where, '/')) OVK_TRY(look_up(ctx, where, address));
  OVK_CHECK(split(address, host, port), ctx, OVK_ERR_ARG,
            "an agent is at HOST:PORT, which '%s' is not", address);
  const int error = getaddrinfo(host, port, &wanted, &list);
  OVK_CHECK(!error, ctx, OVK_ERR_NETWORK, "the agent at %s: %s", address, gai_strerror(error));
  errno = 0;
  for (const struct addrinfo *a = list; a && *socket < 0; a = a->ai_next) {
    *socket = try_address(a, seconds);
  }
  freeaddrinfo(list);
  OVK_CHECK(*socket >= 0, ctx, OVK_ERR_NETWORK, "the agent at %s: %s", address, strerror(errno));
  return OVK_OK;
}
