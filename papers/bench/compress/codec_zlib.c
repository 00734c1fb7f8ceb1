/* SPDX-License-Identifier: BSD-2-Clause */
/* Compression of blocks by zlib: each is a separate stream, which marks its end. */
#include "bench/compress/codec.h"
#include "tool.h"

#include <stdlib.h>
#define ZLIB_CONST /* input is const */
#include <zlib.h>

struct codec {
  ovk_ctx *ctx;
  z_stream packer, unpacker;
};

ovk_err codec_create(ovk_ctx *ctx, int level, codec **out)
{
  codec *c = *out = calloc(1, sizeof *c);
  if (c) c->ctx = ctx;
  return tool_got_memory(ctx, c && deflateInit(&c->packer, level) == Z_OK &&
                                  inflateInit(&c->unpacker) == Z_OK);
}

void codec_destroy(codec **c)
{
  if (!*c) return;
  deflateEnd(&(*c)->packer);
  inflateEnd(&(*c)->unpacker);
  free(*c);
  *c = NULL;
}

size_t codec_bound(codec *c, size_t n)
{
  return deflateBound(&c->packer, n);
}

ovk_err codec_compress(codec *c, const unsigned char *in, int n, ovk_poll poll, unsigned char *out,
                       size_t room, size_t *length)
{
  z_stream *z = &c->packer;
  int status = deflateReset(z);
  z->next_in = in;
  z->next_out = out;
  z->avail_out = (uInt)room;
  for (ovk_lidx k = 0, end; k < n && status == Z_OK; k = end) {
    end = ovk_poll_until(poll, k, n);
    z->avail_in = (uInt)(end - k);
    status = deflate(z, end < n ? Z_NO_FLUSH : Z_FINISH);
    if (end < n) ovk_poll_call(poll);
  }
  *length = z->total_out;
  if (status == Z_STREAM_END) return OVK_OK;
  return ovk_ctx_fail(c->ctx, OVK_ERR_INTERNAL, "zlib cannot compress: %d", status);
}

bool codec_decompress(codec *c, const unsigned char *in, size_t room, unsigned char *out, int n)
{
  z_stream *z = &c->unpacker;
  if (inflateReset(z) != Z_OK) return false;
  z->next_in = in;
  z->avail_in = (uInt)room;
  z->next_out = out;
  z->avail_out = (uInt)n;
  return inflate(z, Z_FINISH) == Z_STREAM_END && z->avail_out == 0;
}
