/* SPDX-License-Identifier: BSD-2-Clause */
/* Defines shm_open() for a program that is linked with --wrap=shm_open: it fails on request. */
#ifndef OVK_TEST_NO_SHARED_MEMORY_H
#define OVK_TEST_NO_SHARED_MEMORY_H

#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>

static bool no_shared_memory;

int __real_shm_open(const char *name, int flags, mode_t mode);
int __wrap_shm_open(const char *name, int flags, mode_t mode);

int __wrap_shm_open(const char *name, int flags, mode_t mode)
{
  if (!no_shared_memory) return __real_shm_open(name, flags, mode);
  errno = EMFILE;
  return -1;
}

#endif
