/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaces codec_zlib.c in builds without zlib; only create is ever called. */
#include "bench/compress/codec.h"

ovk_err codec_create(ovk_ctx *ctx, int level, codec **out)
{
  (void)level, (void)out;
  return ovk_ctx_fail(ctx, OVK_ERR_UNSUPPORTED,
                      "there is no compression here: build ovkrylov with zlib (package zlib1g-dev) "
                      "and -DOVK_USE_ZLIB=ON");
}

void codec_destroy(codec **c)
{
  (void)c;
}

size_t codec_bound(codec *c, size_t n)
{
  (void)c;
  return n;
}

ovk_err codec_compress(codec *c, const unsigned char *in, int n, ovk_poll poll, unsigned char *out,
                       size_t room, size_t *length)
{
  (void)c, (void)in, (void)n, (void)poll, (void)out, (void)room, (void)length;
  return OVK_ERR_UNSUPPORTED;
}

bool codec_decompress(codec *c, const unsigned char *in, size_t room, unsigned char *out, int n)
{
  (void)c, (void)in, (void)room, (void)out, (void)n;
  return false;
}
