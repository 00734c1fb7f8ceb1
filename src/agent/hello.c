/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends and checks hellos. */
#include "agent/hello.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS = sizeof(ovk__hello) / sizeof(uint64_t), RANKS_MOST = 1 << 20 };
enum { LEAST = 16, MOST = OVK__SECRET_WORDS * sizeof(uint64_t) };

static ovk_err read_file(ovk_ctx *ctx, const char *path, int file, char out[MOST])
{
  struct stat s;
  OVK_CHECK(fstat(file, &s) == 0 && S_ISREG(s.st_mode), ctx, OVK_ERR_ARG,
            "%s: an agent's secret is a file", path);
  OVK_CHECK(!(s.st_mode & (S_IRWXG | S_IRWXO)), ctx, OVK_ERR_ARG,
            "%s: others than its owner have access to an agent's secret; its mode should be 0600",
            path);
  OVK_CHECK(s.st_size >= LEAST && s.st_size <= MOST, ctx, OVK_ERR_ARG,
            "%s: an agent's secret has %d to %d bytes, not %lld", path, LEAST, (int)MOST,
            (long long)s.st_size);
  OVK_CHECK(read(file, out, MOST) == s.st_size, ctx, OVK_ERR_IO, "%s: cannot be read", path);
  return OVK_OK;
}

static ovk_err read_secret(ovk_ctx *ctx, const char *path, uint64_t out[OVK__SECRET_WORDS])
{
  memset(out, 0, MOST);
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  OVK_CHECK(file >= 0, ctx, OVK_ERR_IO, "%s: %s", path, strerror(errno));
  const ovk_err err = read_file(ctx, path, file, (char *)out);
  close(file);
  return err;
}

ovk_err ovk__hello_make(ovk_ctx *ctx, const char *secret, double timeout, ovk__hello *out)
{
  *out = (ovk__hello){.version = OVK__CONTROL_VERSION,
                      .rank = (uint64_t)ovk_ctx_rank(ctx),
                      .size = (uint64_t)ovk_ctx_size(ctx),
                      .timeout_ms = (uint64_t)(1000 * timeout)};
  return read_secret(ctx, secret, out->secret);
}

ovk_err ovk__hello_send(ovk_ctx *ctx, int socket, const ovk__hello *hello)
{
  uint64_t words[WORDS];
  memcpy(words, hello, sizeof words);
  return ovk__control_send(ctx, socket, OVK__HELLO, words, WORDS);
}

/* As long for a wrong secret as for a right one. */
static bool is_same(const uint64_t *a, const uint64_t *b)
{
  volatile uint64_t difference = 0;
  for (int k = 0; k < OVK__SECRET_WORDS; k++) difference |= a[k] ^ b[k];
  return difference == 0;
}

static ovk_err check(ovk_ctx *ctx, const ovk__message *m, const char *secret, ovk__hello *h)
{
  uint64_t own[OVK__SECRET_WORDS] = {0};
  OVK_CHECK(m->kind == OVK__HELLO && m->n == WORDS, ctx, OVK_ERR_ARG,
            "a connection that does not begin with a rank's hello");
  memcpy(h, m->words, sizeof *h);
  OVK_CHECK(h->version == OVK__CONTROL_VERSION, ctx, OVK_ERR_ARG,
            "version %llu of the control messages, and the agent's is %d",
            (unsigned long long)h->version, OVK__CONTROL_VERSION);
  OVK_TRY(read_secret(ctx, secret, own));
  OVK_CHECK(is_same(h->secret, own), ctx, OVK_ERR_ARG, "the secret is not the agent's");
  OVK_CHECK(h->size >= 1 && h->size <= RANKS_MOST && h->rank < h->size, ctx, OVK_ERR_ARG,
            "rank %llu of %llu", (unsigned long long)h->rank, (unsigned long long)h->size);
  OVK_CHECK(h->timeout_ms <= INT_MAX, ctx, OVK_ERR_ARG, "a timeout of %llu ms",
            (unsigned long long)h->timeout_ms);
  return OVK_OK;
}

ovk_err ovk__hello_receive(ovk_ctx *ctx, int socket, const char *secret, ovk__hello *out)
{
  ovk__message m = {0};
  ovk_err err = ovk__control_receive(ctx, socket, WORDS, &m);
  if (!err) err = check(ctx, &m, secret, out);
  ovk__message_free(&m);
  return err;
}
