/* SPDX-License-Identifier: BSD-2-Clause */
/* Resolves addresses, names them and listens there. */
#include "address.h"
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void name_address(const struct sockaddr_storage *address, socklen_t size, char name[ADDRESS_SIZE])
{
  char host[256] = "?", port[32] = "?";
  getnameinfo((const struct sockaddr *)address, size, host, sizeof host, port, sizeof port,
              NI_NUMERICHOST | NI_NUMERICSERV);
  snprintf(name, ADDRESS_SIZE, "%s:%s", host, port);
}

static int listen_at(const struct addrinfo *a)
{
  enum { BACKLOG = 1024 };
  const int one = 1;
  const int s = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
  if (s < 0) return -1;
  (void)setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(s, a->ai_addr, a->ai_addrlen) == 0 && listen(s, BACKLOG) == 0 &&
      fcntl(s, F_SETFL, O_NONBLOCK) == 0)
    return s;
  const int error = errno;
  close(s);
  errno = error;
  return -1;
}

/* The resolver of ports accepts larger numbers, too, and drops their upper bits. */
static bool is_port(const char *text)
{
  const size_t digits = strspn(text, "0123456789");
  return digits >= 1 && digits <= 5 && !text[digits] && strtol(text, NULL, 10) <= UINT16_MAX;
}

/* Returns NULL, or why this is no address. */
static const char *look_up(const char *where, struct addrinfo **out)
{
  char host[256], port[32];
  const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM};
  const int fields = where[0] == '[' ? sscanf(where, "[%255[^]]]:%31s", host, port)
                                     : sscanf(where, "%255[^:]:%31s", host, port);
  if (fields != 2) return "not HOST:PORT";
  if (!is_port(port)) return "a port is 0 to 65535";
  const int error = getaddrinfo(host, port, &wanted, out);
  return error ? gai_strerror(error) : NULL;
}

int open_listener(const char *where)
{
  char name[ADDRESS_SIZE];
  struct addrinfo *list = NULL;
  struct sockaddr_storage own;
  socklen_t size = sizeof own;
  const char *why = look_up(where, &list);
  const int s = why ? -1 : listen_at(list);
  if (s < 0) {
    note("cannot listen at '%s': %s", where, why ? why : strerror(errno));
  } else {
    getsockname(s, (struct sockaddr *)&own, &size);
    name_address(&own, size, name);
    note("listening at %s", name);
  }
  if (list) freeaddrinfo(list);
  return s;
}
