/* SPDX-License-Identifier: BSD-2-Clause */
/* When the library is loaded: checks that the program uses the MPI of this build, and reads the
 * environment. */
#include "carry/process/process.h"
#include "own_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With more, operations are not faster than those of the MPI: docs/comm/drop-in.md. */
enum { MOST_BYTES = 65536, MESSAGES = 3 };

carry_settings carry_settings_of_process = {.on = true, .most = MOST_BYTES, .messages = MESSAGES};

/* A wrong value must not pass for a measurement with the library. */
static void refuse(const char *name, const char *what, const char *value)
{
  fprintf(stderr, "libovk_mpi: %s needs %s, not '%s'\n", name, what, value);
  exit(2);
}

static void read_backend(const char *value)
{
  if (strcmp(value, "none") == 0) {
    carry_settings_of_process.on = false;
  } else if (strcmp(value, "auto") != 0 && strcmp(value, "shm") != 0) {
    refuse("OVK_MPI_BACKEND", "auto, shm or none", value);
  }
}

static void read_exact(const char *value)
{
  carry_settings_of_process.exact = strcmp(value, "sums") == 0;
  if (!carry_settings_of_process.exact && strcmp(value, "off") != 0) {
    refuse("OVK_MPI_EXACT", "off or sums", value);
  }
}

static long read_number(const char *name, const char *what, const char *value, long most)
{
  char *end;
  const long number = strtol(value, &end, 10);
  if (*value < '0' || *value > '9' || *end || number > most) refuse(name, what, value);
  return number;
}

__attribute__((constructor)) static void read_environment(void)
{
  own_mpi_require("libovk_mpi");
  const char *backend = getenv("OVK_MPI_BACKEND"), *bytes = getenv("OVK_MPI_MAX_BYTES");
  const char *log = getenv("OVK_MPI_LOG"), *exact = getenv("OVK_MPI_EXACT");
  const char *messages = getenv("OVK_MPI_MAX_MESSAGES");
  carry_settings *s = &carry_settings_of_process;
  if (backend && *backend) read_backend(backend);
  if (bytes && *bytes) {
    s->most = read_number("OVK_MPI_MAX_BYTES", "a whole number of bytes up to 67108864", bytes,
                          CARRY_MOST);
  }
  if (messages && *messages) {
    s->messages = read_number("OVK_MPI_MAX_MESSAGES", "a whole number of messages up to 8",
                              messages, CARRY_MOST_MESSAGES);
  }
  if (exact && *exact) read_exact(exact);
  s->log = log && *log ? log : NULL;
}
