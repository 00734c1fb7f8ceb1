/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds files from the path of this program, so that a folder that was moved still works. */
#include "locate.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool find_program(char path[PATH_SIZE])
{
  const ssize_t length = readlink("/proc/self/exe", path, PATH_SIZE - 1);
  if (length <= 0 || length >= PATH_SIZE - 1) return false;
  path[length] = '\0';
  return true;
}

bool find_beside(const char *const *places, char path[PATH_SIZE])
{
  char program[PATH_SIZE];
  if (!find_program(program)) return false;
  const int folder = (int)(strrchr(program, '/') - program);
  for (const char *const *place = places; *place; place++) {
    const int length = snprintf(path, PATH_SIZE, "%.*s/%s", folder, program, *place);
    if (length < PATH_SIZE && access(path, R_OK) == 0) return true;
  }
  return false;
}
