/* SPDX-License-Identifier: BSD-2-Clause */
/* Pseudo-random numbers, separate from matrices.c for programs with a main function of their
 * own. */
#include "support/random.h"

double random_number(uint64_t seed, uint64_t index)
{
  uint64_t z = seed * 0xd1342543de82ef95u + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
