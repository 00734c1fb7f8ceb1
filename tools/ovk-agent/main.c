/* SPDX-License-Identifier: BSD-2-Clause */
/* ovk-agent: carries the sums of ranks out that have verbs:agent=HOST:PORT. */
#include "server.h"

#include <errno.h>
#include <limits.h>
#include <ovkrylov/version.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: ovk-agent --listen HOST:PORT --secret FILE [OPTIONS]\n"
    "Carries sums out for ranks whose backend is verbs:agent=HOST:PORT, while they compute. It "
    "runs\n"
    "where a NIC reaches that of the ranks: on their node, on its data-processing unit, or "
    "on\n"
    "another machine. It needs no MPI launcher. Each rank is served by a process of its own.\n"
    "\n"
    "  --listen HOST:PORT  address for control connections, over TCP; port 0: a free one, see the "
    "log\n"
    "  --secret FILE       16 to 256 bytes, mode 0600, the same as for the ranks, where\n"
    "                      OVK_AGENT_SECRET names it; read again for each rank\n"
    "  --nic KEYS          as in specs of verbs: device=mlx5_0,port=1,gid=3; default: the first "
    "one\n"
    "  --ranks N           ranks that it serves at a time (256)\n"
    "  --memory MIB        memory for the sums of a rank, which may have 8 connections per MiB "
    "(256)\n"
    "  --passes N          looks for messages before it sleeps (200); 0 where processors are "
    "shared\n"
    "  --version, --help\n"
    "\n"
    "The log goes to standard error. SIGTERM ends it and the connections of all ranks, whose sums "
    "then\n"
    "fail or go over the backend of fallback=. Control connections are encrypted by TLS 1.3, and "
    "both\n"
    "sides prove that they know the secret; data that NICs write is not encrypted.\n"
    "\n"
    "  head -c 32 /dev/urandom > secret && chmod 0600 secret\n"
    "  ovk-agent --listen 192.168.100.2:7471 --secret secret --nic device=mlx5_0\n"
    "  mpiexec -x OVK_AGENT_SECRET=secret ovk solve ... --backend "
    "verbs:alg=tree,agent=192.168.100.2:7471\n";

static int refuse(const char *what, const char *word)
{
  fprintf(stderr, "ovk-agent: %s%s; see ovk-agent --help\n", what, word);
  return 2;
}

static bool read_number(const char *text, long least, long most, long *out)
{
  char *end;
  errno = 0;
  *out = strtol(text, &end, 10);
  return *text && !*end && !errno && *out >= least && *out <= most;
}

/* Returns false for an option that is unknown or has a wrong value. */
static bool read_option(const char *name, const char *value, server_options *o)
{
  long number;
  if (strcmp(name, "--listen") == 0) {
    o->listen = value;
  } else if (strcmp(name, "--secret") == 0) {
    o->agent.secret = value;
  } else if (strcmp(name, "--nic") == 0) {
    o->agent.nic = value;
  } else if (strcmp(name, "--ranks") == 0) {
    if (!read_number(value, 1, 1 << 16, &number)) return false;
    o->ranks = (int)number;
  } else if (strcmp(name, "--memory") == 0) {
    if (!read_number(value, 1, 1 << 20, &number)) return false;
    o->agent.memory = (size_t)number << 20;
  } else if (strcmp(name, "--passes") == 0) {
    if (!read_number(value, 0, INT_MAX, &number)) return false;
    o->agent.passes = (int)number;
  } else {
    return false;
  }
  return true;
}

int main(int argc, char **argv)
{
  server_options o = {.ranks = 256, .agent = {.size = sizeof o.agent, .passes = 200}};
  if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(usage, stdout) < 0;
  if (argc == 2 && strcmp(argv[1], "--version") == 0) return printf("%s\n", ovk_version()) < 0;
  for (int k = 1; k < argc; k += 2) {
    if (k + 1 == argc) return refuse("an option without its value: ", argv[k]);
    if (!read_option(argv[k], argv[k + 1], &o)) return refuse("not possible: ", argv[k]);
  }
  if (!o.agent.secret) o.agent.secret = getenv("OVK_AGENT_SECRET");
  if (!o.listen || !o.agent.secret || !*o.agent.secret)
    return refuse("--listen and --secret are needed", "");
  return serve_connections(&o);
}
