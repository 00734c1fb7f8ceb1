/* SPDX-License-Identifier: BSD-2-Clause */
/* Structs that begin with their size. */
#include "core/abi_struct.h"

#include <string.h>

ovk_err ovk__take_sized(ovk_ctx *ctx, const char *what, const void *given, size_t least, void *own,
                        size_t size)
{
  size_t said;
  memcpy(&said, given, sizeof said);
  OVK_CHECK(said == 0 || said >= least, ctx, OVK_ERR_ARG,
            "the size of %s is %zu, but must be at least %zu bytes: is it sizeof(%s)?", what, said,
            least, what);
  const size_t there = said ? said : least;
  memset(own, 0, size);
  memcpy(own, given, there < size ? there : size);
  memcpy(own, &size, sizeof size);
  return OVK_OK;
}

void ovk__give_sized(const void *own, size_t size, size_t least, void *given)
{
  size_t room;
  memcpy(&room, given, sizeof room);
  if (room < least) room = least;
  if (room > size) room = size;
  memcpy(given, own, room);
  memcpy(given, &room, sizeof room);
}
