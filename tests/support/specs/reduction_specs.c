/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds specs from their parts. */
#include "support/specs/reduction_specs.h"

#include <stdio.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

static const char *const algorithms[] = {"flat", "doubling", "kary,k=3", "tree,reduce=3,bcast=2"};
static const char *const channels[] = {"p2p", "shm", "shm+p2p"};
static const char *const levels[] = {"2", "3", "2x2", "node"};

/* Specs that do not fit the pattern. */
static const char *const others[] = {
    "nbc",
    "nbc:alg=ring",
    "nbc:alg=halving",
    "nbc:alg=ring,channel=shm",
    "nbc:alg=tree+ring,levels=3,channel=shm+p2p",
    "nbc:alg=flat+kary,k=5,levels=node+net,channel=shm+p2p",
    "nbc:alg=tree+tree,reduce=2+4,bcast=4+2,levels=2",
    "nbc:alg=flat+tree+doubling,levels=2x2,channel=shm+shm+p2p",
    "nbc:alg=auto",
    "nbc:alg=auto,levels=2,channel=shm+p2p",
    "nbc:alg=nary",
    "nbc:alg=nary,k=2,levels=2,channel=shm+p2p",
    "nbc:fragment=64,window=3",
    "nbc:alg=flat,fragment=4096,window=1",
    "nbc:alg=ring,fragment=8000,window=2,channel=shm",
    "nbc:alg=flat+kary,k=3,levels=2,channel=shm+p2p,fragment=800,window=4",
};

enum {
  ONE_LEVEL = LENGTH(algorithms) * (LENGTH(channels) - 1),
  MORE_LEVELS = LENGTH(algorithms) * LENGTH(levels) * LENGTH(channels)
};

bool reduction_spec(int index, char spec[REDUCTION_SPEC_SIZE])
{
  const int many = index - ONE_LEVEL, other = many - MORE_LEVELS;
  if (many < 0) {
    snprintf(spec, REDUCTION_SPEC_SIZE, "nbc:alg=%s,channel=%s",
             algorithms[index % LENGTH(algorithms)], channels[index / LENGTH(algorithms)]);
  } else if (other < 0) {
    const int rest = many / LENGTH(algorithms);
    snprintf(spec, REDUCTION_SPEC_SIZE, "nbc:alg=%s,levels=%s,channel=%s",
             algorithms[many % LENGTH(algorithms)], levels[rest % LENGTH(levels)],
             channels[rest / LENGTH(levels)]);
  } else if (other < LENGTH(others)) {
    snprintf(spec, REDUCTION_SPEC_SIZE, "%s", others[other]);
  }
  return other < LENGTH(others);
}
