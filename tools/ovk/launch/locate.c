/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds files from the path of this program, so that a folder that was moved still works. */
#include "locate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* 0, or the error of starting this file. */
static int locate_check(const char *file)
{
  struct stat info;
  if (stat(file, &info)) return errno;
  if (S_ISDIR(info.st_mode)) return EISDIR;
  return access(file, X_OK) ? errno : 0;
}

int locate_command(const char *name)
{
  const char *at = getenv("PATH");
  int err = ENOENT;
  if (strchr(name, '/')) return locate_check(name);
  for (at = at ? at : "/bin:/usr/bin";; at++) {
    char file[PATH_SIZE];
    const int folder = (int)strcspn(at, ":"); /* empty: the current one */
    const int length = snprintf(file, sizeof file, "%.*s%s%s", folder, at, folder ? "/" : "", name);
    const int fault = length < PATH_SIZE ? locate_check(file) : ENAMETOOLONG;
    if (!fault) return 0;
    if (fault == EACCES) err = fault;
    at += folder;
    if (!*at) return err;
  }
}
