/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds agents and connects to them. */
#include "comm/agent/find.h"
#include "core/base/clock.h"

#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SIZE = OVK__AGENT_ADDRESS_SIZE };

/* Reads the line of this node, "NODE ADDRESS". */
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

/* Waits until a nonblocking connect() is complete. */
static int finish_connecting(int s, double seconds)
{
  struct pollfd file = {.fd = s, .events = POLLOUT};
  const double end = ovk__clock() + seconds;
  int ready, error = 0;
  socklen_t size = sizeof error;
  do {
    ready = poll(&file, 1, (int)fmax(0, 1000 * (end - ovk__clock())));
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) errno = ETIMEDOUT;
  if (ready <= 0) return -1;
  (void)getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &size);
  errno = error;
  return error ? -1 : 0;
}

static int connect_in_time(int s, const struct addrinfo *a, double seconds)
{
  const int one = 1;
  (void)setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(s, a->ai_addr, a->ai_addrlen) == 0) return 0;
  return errno == EINPROGRESS ? finish_connecting(s, seconds) : -1;
}

/* Returns a socket, or -1. */
static int try_address(const struct addrinfo *a, double seconds)
{
  const int type = a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK;
  const int s = socket(a->ai_family, type, a->ai_protocol);
  if (s < 0 || connect_in_time(s, a, seconds) == 0) return s;
  const int error = errno;
  close(s);
  errno = error;
  return -1;
}

/* Splits "HOST:PORT"; brackets around an IPv6 address are removed. */
static bool split(const char *address, char host[SIZE], char port[SIZE])
{
  const char *colon = strrchr(address, ':');
  if (!colon || colon == address || strlen(address) >= SIZE) return false;
  const bool bracket = address[0] == '[' && colon[-1] == ']';
  snprintf(host, SIZE, "%.*s", (int)(colon - address) - 2 * bracket, address + bracket);
  snprintf(port, SIZE, "%s", colon + 1);
  return *host != '\0';
}

/* getaddrinfo() accepts larger numbers and drops their upper bits. */
static bool is_port(const char *text)
{
  const size_t digits = strspn(text, "0123456789");
  const long port = digits <= 5 ? strtol(text, NULL, 10) : 0;
  return !text[digits] && port >= 1 && port <= UINT16_MAX;
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
            "the address of an agent is HOST:PORT, not '%s'", address);
  OVK_CHECK(is_port(port), ctx, OVK_ERR_ARG, "the agent at %s: a port is 1 to %d, not '%s'",
            address, UINT16_MAX, port);
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
