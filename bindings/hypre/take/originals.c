/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of hypre that this library replaces. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "take.h"

#include <dlfcn.h>
#include <string.h>

/* Functions and objects are pointers of one size to dlsym(). */
static void find(const char *name, void *function)
{
  void *found = dlsym(RTLD_NEXT, name);
  memcpy(function, &found, sizeof found);
}

const ovk__take_original *ovk__take_original_of(ovk__take_family family)
{
  static ovk__take_original all[OVK_TAKE_NUMBER];
  ovk__take_original *o = &all[family];
  if (o->create) return o;
  switch (family) {
#define FIND(name)                                                                                 \
  case OVK_TAKE_##name:                                                                            \
    find("HYPRE_ParCSR" #name "Destroy", &o->destroy);                                             \
    find("HYPRE_" #name "Destroy", &o->destroy_any);                                               \
    find("HYPRE_ParCSR" #name "Setup", &o->setup);                                                 \
    find("HYPRE_ParCSR" #name "Solve", &o->solve);                                                 \
    find("HYPRE_" #name "Setup", &o->setup_any);                                                   \
    find("HYPRE_" #name "Solve", &o->solve_any);                                                   \
    find("HYPRE_ParCSR" #name "Create", &o->create);                                               \
    break;
    OVK_TAKE_FAMILIES(FIND)
#undef FIND
  default:
    break;
  }
  return o;
}
