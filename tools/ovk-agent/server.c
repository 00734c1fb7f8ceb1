/* SPDX-License-Identifier: BSD-2-Clause */
/* A process for each rank: a job affects no other agent than its own, and nothing of it remains
 * after its end. A connection that is no rank gets no process. */
#define _GNU_SOURCE /* prctl */
#include "server.h"
#include "log.h"
#include "strangers.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* A machine without power does not end its connections. The system probes it every 10 s, and ends
 * the connection after a minute without an answer. A rank that is stopped answers, as its system
 * does. */
static void ask_whether_alive(int connection)
{
  const int one = 1, seconds = 10, times = 6;
  (void)setsockopt(connection, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
  (void)setsockopt(connection, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
  (void)setsockopt(connection, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof seconds);
  (void)setsockopt(connection, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
}

/* The process of a rank; ends with its parent. */
static void serve_one(strangers *s, const stranger *rank, pid_t parent)
{
  const int one = 1;
  sigset_t none;
  signal(SIGTERM, SIG_DFL);
  signal(SIGINT, SIG_IGN); /* of a terminal: the parent ends its processes */
  signal(SIGCHLD, SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  strangers_keep_only(s, rank);
  (void)setsockopt(rank->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  ask_whether_alive(rank->socket);
  const ovk_err err = ovk_agent_client_serve(rank->client);
  const char *why = ovk_agent_server_message(s->server);
  if (err) {
    note("%s: %s: %s", rank->from, ovk_err_name(err), why);
  } else {
    note("%s: ended: %s", rank->from, why);
  }
  _exit(err != OVK_OK);
}

static void start_process(strangers *s, stranger *rank, int most, int *children)
{
  const pid_t parent = getpid();
  const pid_t child = *children < most ? fork() : -1;
  if (child == 0) serve_one(s, rank, parent);
  if (child < 0) {
    const char *why = *children < most ? strerror(errno) : "as many ranks as it serves at a time";
    strangers_refuse(rank, why);
    return;
  }
  ++*children;
  note("%s: served by process %d", rank->from, (int)child);
  strangers_remove(rank);
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
  signal(SIGPIPE, SIG_IGN); /* no process reads the log */
}

static void serve_until_signal(strangers *s, int most, const sigset_t *signals, int *children)
{
  struct pollfd files[STRANGERS + 1];
  while (!ending) {
    strangers_wait(s, signals, files);
    strangers_expire(s);
    for (int k = 0; k < STRANGERS; k++) {
      stranger *one = &s->places[k];
      if (strangers_proceed(s, one, &files[k])) start_process(s, one, most, children);
    }
    strangers_accept(s, &files[STRANGERS]);
    reap(children);
  }
}

int serve_connections(const server_options *options)
{
  strangers s = {.listener = -1};
  sigset_t usual;
  int children = 0;
  if (ovk_agent_server_create(&options->agent, &s.server) != OVK_OK) {
    note("%s", ovk_agent_server_message(s.server));
    ovk_agent_server_destroy(&s.server);
    return 2;
  }
  s.listener = open_listener(options->listen);
  if (s.listener >= 0) {
    catch_signals(&usual);
    serve_until_signal(&s, options->ranks, &usual, &children);
    close(s.listener);
    note("ending, with %d connections", children);
  }
  ovk_agent_server_destroy(&s.server);
  return s.listener >= 0 ? 0 : 2; /* its processes end with it */
}
