/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts another program. Signals that should end this process go to that program; this one ends
 * after it. */
#include "launch.h"

#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>

extern char **environ;

/* The signals to wait for. Those of a terminal, SIGINT and SIGQUIT, reach both processes. */
static void make_set(sigset_t *set)
{
  const int all[] = {SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  sigemptyset(set);
  for (unsigned k = 0; k < sizeof all / sizeof *all; k++) sigaddset(set, all[k]);
}

/* The program gets the signal mask that this process had. */
static int launch_start(char *const *words, const sigset_t *mask, pid_t *child)
{
  posix_spawnattr_t attributes;
  int err = posix_spawnattr_init(&attributes);
  if (err) return err;
  posix_spawnattr_setsigmask(&attributes, mask);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  err = posix_spawnp(child, words[0], NULL, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  return err;
}

static bool has_ended(pid_t child, int *wait_status)
{
  return waitpid(child, wait_status, WNOHANG) == child;
}

/* The set is blocked, so that no signal is lost between the checks. */
static int wait_for(pid_t child, const sigset_t *set)
{
  int wait_status = 0, signal_number;
  while (!has_ended(child, &wait_status)) {
    if (sigwait(set, &signal_number)) continue;
    if (signal_number == SIGTERM || signal_number == SIGHUP) kill(child, signal_number);
  }
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

int launch(char *const *words, int *status)
{
  sigset_t set, before;
  pid_t child;
  make_set(&set);
  signal(SIGCHLD, SIG_DFL); /* if it is ignored, exit statuses are lost */
  sigprocmask(SIG_BLOCK, &set, &before);
  const int err = launch_start(words, &before, &child);
  if (!err) *status = wait_for(child, &set);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return err;
}
