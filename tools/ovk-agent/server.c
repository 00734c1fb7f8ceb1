/* SPDX-License-Identifier: BSD-2-Clause */
/* A process for each connection: what a job does to its agent, it does to no other, and when it has
 * ended nothing of it is left. */
#define _GNU_SOURCE /* prctl */
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NAME_SIZE = 320 };

static volatile sig_atomic_t ending;

static void end(int signal)
{
  (void)signal;
  ending = 1;
}

/* Ends a poll. */
static void on_child(int signal)
{
  (void)signal;
}

/* A line of the log, with the time (UTC) and the process. */
OVK_PRINTF(1, 2)
static void note(const char *format, ...)
{
  char line[1024], when[32] = "";
  const time_t now = time(NULL);
  struct tm utc;
  va_list args;
  if (gmtime_r(&now, &utc)) strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  fprintf(stderr, "%s ovk-agent[%d]: %s\n", when, (int)getpid(), line);
}

static void name_address(const struct sockaddr *a, socklen_t size, char name[NAME_SIZE])
{
  char host[256] = "?", port[32] = "?";
  getnameinfo(a, size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
  snprintf(name, NAME_SIZE, "%s:%s", host, port);
}

static int listen_at(const struct addrinfo *a)
{
  enum { BACKLOG = 128 };
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

/* What looks ports up takes larger numbers, too, and drops their upper bits. */
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

/* Returns the socket, or -1. */
static int open_socket(const char *where)
{
  char name[NAME_SIZE];
  struct addrinfo *list = NULL;
  struct sockaddr_storage own;
  socklen_t size = sizeof own;
  const char *why = look_up(where, &list);
  const int s = why ? -1 : listen_at(list);
  if (s < 0) {
    note("cannot listen at '%s': %s", where, why ? why : strerror(errno));
  } else {
    getsockname(s, (struct sockaddr *)&own, &size);
    name_address((struct sockaddr *)&own, size, name);
    note("listening at %s", name);
  }
  if (list) freeaddrinfo(list);
  return s;
}

/* A machine without power does not end its connections. It is asked every 10 s, and has ended after
 * a minute without an answer; a rank that is stopped answers, as its system does. */
static void ask_whether_alive(int connection)
{
  const int one = 1, seconds = 10, times = 6;
  (void)setsockopt(connection, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
  (void)setsockopt(connection, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
  (void)setsockopt(connection, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof seconds);
  (void)setsockopt(connection, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
}

/* The process of a connection; ends with its parent. */
static void serve_one(int connection, const char *from, const ovk_agent_terms *terms, pid_t parent)
{
  char why[512];
  const int one = 1;
  sigset_t none;
  signal(SIGTERM, SIG_DFL);
  signal(SIGINT, SIG_IGN); /* of a terminal: the parent ends its processes */
  signal(SIGCHLD, SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  (void)setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  ask_whether_alive(connection);
  const ovk_err err = ovk_agent_serve(connection, terms, why, sizeof why);
  if (err) {
    note("%s: %s: %s", from, ovk_err_name(err), why);
  } else {
    note("%s: ended: %s", from, why);
  }
  _exit(err != OVK_OK);
}

static void accept_one(int listener, const server_options *o, int *children)
{
  char from[NAME_SIZE];
  struct sockaddr_storage peer;
  socklen_t size = sizeof peer;
  const int connection = accept(listener, (struct sockaddr *)&peer, &size);
  if (connection < 0) {
    const bool short_of_something = errno == EMFILE || errno == ENFILE || errno == ENOMEM;
    if (short_of_something) nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    return;
  }
  name_address((struct sockaddr *)&peer, size, from);
  const pid_t parent = getpid();
  const pid_t child = *children < o->ranks ? fork() : -1;
  if (child == 0) {
    close(listener);
    serve_one(connection, from, &o->terms, parent);
  }
  close(connection);
  if (child > 0) {
    ++*children;
    note("%s: served by process %d", from, (int)child);
  } else {
    note("%s: turned away: %s", from,
         *children < o->ranks ? strerror(errno) : "as many ranks as it serves at a time");
  }
}

static void reap(int *children)
{
  int status;
  pid_t child;
  while (*children > 0 && (child = waitpid(-1, &status, WNOHANG)) > 0) {
    --*children;
    if (WIFSIGNALED(status)) note("process %d: ended by signal %d", (int)child, WTERMSIG(status));
  }
}

/* Signals come during ppoll only. */
static void catch_signals(sigset_t *before)
{
  const struct sigaction on_end = {.sa_handler = end}, on_chld = {.sa_handler = on_child};
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  sigaddset(&blocked, SIGINT);
  sigaddset(&blocked, SIGCHLD);
  sigprocmask(SIG_BLOCK, &blocked, before);
  sigaction(SIGTERM, &on_end, NULL);
  sigaction(SIGINT, &on_end, NULL);
  sigaction(SIGCHLD, &on_chld, NULL);
  signal(SIGPIPE, SIG_IGN); /* nobody reads the log */
}

int serve_connections(const server_options *options)
{
  sigset_t usual;
  int children = 0;
  const int listener = open_socket(options->listen);
  if (listener < 0) return 2;
  catch_signals(&usual);
  while (!ending) {
    struct pollfd file = {.fd = listener, .events = POLLIN};
    if (ppoll(&file, 1, NULL, &usual) > 0) accept_one(listener, options, &children);
    reap(&children);
  }
  close(listener);
  note("ending, with %d connections", children);
  return 0; /* its processes end with it */
}
