/* SPDX-License-Identifier: BSD-2-Clause */
/* Specs of "verbs" over the NIC that OVK_TEST_DEVICE names: "emulated", the default; "ibverbs",
 * the first one found; or the name of a device. With the keys of OVK_TEST_KEYS in addition. */
#ifndef OVK_TEST_VERBS_SPEC_H
#define OVK_TEST_VERBS_SPEC_H

#include "support/test_main.h"

#include <ovkrylov/comm/reduction.h>

enum { VERBS_KEYS_SIZE = 160, VERBS_SPEC_SIZE = 2 * VERBS_KEYS_SIZE };

/* Writes the spec with `keys`, which may be NULL; returns it. */
static inline const char *verbs_spec(char text[VERBS_SPEC_SIZE], const char *keys)
{
  const char *device = getenv("OVK_TEST_DEVICE"), *more = getenv("OVK_TEST_KEYS");
  if (!device) device = "emulated";
  const bool first = strcmp(device, "ibverbs") == 0;
  const char *parts[] = {first ? "" : "device=", first ? "" : device, keys, more};
  snprintf(text, VERBS_SPEC_SIZE, "verbs");
  for (int k = 0; k < 4; k++) {
    const size_t n = strlen(text);
    const char *part = parts[k] ? parts[k] : "";
    const char *before = !*part || k == 1 ? "" : n > strlen("verbs") ? "," : ":";
    snprintf(text + n, VERBS_SPEC_SIZE - n, "%s%s", before, part);
  }
  return text;
}

/* Whether agents carry the operations of all specs out. */
static inline bool verbs_has_agent(void)
{
  const char *more = getenv("OVK_TEST_KEYS");
  return more && strstr(more, "agent=thread");
}

/* Whether all ranks share memory, which groups by number, as of levels=2, require. Collective. */
static inline bool on_one_node(void)
{
  MPI_Comm node;
  int size;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &size);
  MPI_Comm_free(&node);
  MPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return size == test_size;
}

/* assert_no_sum() of support/problem.h for the spec with these keys. */
#define assert_no_verbs(keys, code, part)                                                          \
  do {                                                                                             \
    char spec_[VERBS_SPEC_SIZE];                                                                   \
    assert_no_sum(verbs_spec(spec_, (keys)), 1, (code), (part));                                   \
  } while (0)

/* Skips all tests where there is no such NIC: the set-up of a group. */
static inline int skip_without_nic(void **state)
{
  char spec[VERBS_SPEC_SIZE];
  ovk_reduction *red = NULL;
  const ovk_err err = ovk_reduction_create(test_ctx(), verbs_spec(spec, NULL), 1, &red);
  ovk_reduction_destroy(&red);
  if (err == OVK_ERR_UNSUPPORTED) skip_all(ovk_ctx_error(test_ctx()));
  return 0;
}

#endif
