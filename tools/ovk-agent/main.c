/* SPDX-License-Identifier: BSD-2-Clause */
/* ovk-agent: executes the reductions of ranks whose backend is verbs:agent=HOST:PORT. */
#include "cli/help.h"
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: ovk-agent --listen HOST:PORT --secret FILE [OPTIONS]\n"
    "Executes reductions for ranks whose backend is verbs:agent=HOST:PORT, while they\n"
    "compute. The agent runs where its NIC reaches that of the ranks: on their node, on its\n"
    "data-processing unit, or on another machine. Start it without mpiexec. A process of\n"
    "its own serves each rank.\n\n";

static const char notes[] =
    "\n"
    "The log goes to standard error. SIGTERM ends the agent and the connections of all\n"
    "ranks. Their reductions then fail or use the backend of fallback=. Control connections\n"
    "are encrypted by TLS 1.3, and both sides prove that they know the secret. Data that\n"
    "NICs write is not encrypted.\n"
    "\n"
    "  head -c 32 /dev/urandom > secret && chmod 0600 secret\n"
    "  ovk-agent --listen 192.168.100.2:7471 --secret secret --nic device=mlx5_0\n"
    "  mpiexec -x OVK_AGENT_SECRET=secret ovk solve ... \\\n"
    "    --backend verbs:alg=tree,agent=192.168.100.2:7471\n";

enum { LISTEN, SECRET, NIC, RANKS, MEMORY, PASSES };

static const option options[] = {
    [LISTEN] = OPTION_TEXT("--listen", "HOST:PORT", NULL,
                           "address for control connections, over TCP; port 0: a free one, see the "
                           "log"),
    [SECRET] = OPTION_TEXT("--secret", "FILE", NULL,
                           "16 to 256 bytes, mode 0600, the same as for the ranks, where "
                           "OVK_AGENT_SECRET names it; read again for each rank"),
    [NIC] = OPTION_TEXT("--nic", "KEYS", NULL,
                        "as in specs of verbs: device=mlx5_0,port=1,gid=3; default: the first one"),
    [RANKS] = OPTION_INTEGER("--ranks", "N", 1, 1 << 16, "256", "ranks that it serves at a time"),
    [MEMORY] = OPTION_INTEGER("--memory", "MIB", 1, 1 << 20, "256",
                              "memory for the sums of a rank, which may have 8 connections per "
                              "MiB"),
    [PASSES] = OPTION_INTEGER("--passes", "N", 0, INT_MAX, "200",
                              "looks for messages before it sleeps; 0 where processors are shared"),
    {0}};

static int print_help(void)
{
  fputs(usage, stdout);
  help_print_options(stdout, options);
  return fputs(notes, stdout) < 0;
}

static int refuse(const char *why)
{
  fprintf(stderr, "ovk-agent: %s; see ovk-agent --help\n", why);
  return 2;
}

static server_options read_options(const args *given)
{
  server_options o = {.listen = args_text(given, LISTEN),
                      .agent = {.size = sizeof o.agent,
                                .secret = args_text(given, SECRET),
                                .nic = args_text(given, NIC)}};
  int memory = 0;
  args_int(given, RANKS, &o.ranks);
  args_int(given, MEMORY, &memory);
  args_int(given, PASSES, &o.agent.passes);
  o.agent.memory = (size_t)memory << 20;
  if (!o.agent.secret) o.agent.secret = getenv("OVK_AGENT_SECRET");
  return o;
}

int main(int argc, char **argv)
{
  args given;
  if (argc == 2 && strcmp(argv[1], "--version") == 0) return printf("%s\n", ovk_version()) < 0;
  if (args_parse(NULL, options, 0, argc - 1, argv + 1, &given)) return refuse(args_message());
  if (given.help) return print_help();
  const server_options o = read_options(&given);
  if (!o.listen || !o.agent.secret || !*o.agent.secret)
    return refuse("--listen and --secret are needed");
  return serve_connections(&o);
}
