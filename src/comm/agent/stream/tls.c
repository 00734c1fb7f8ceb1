/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the secret, derives the key from it and sets the rules of all connections. */
#include "comm/agent/stream/openssl.h"
#include "core/context/check.h"
#include "core/context/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/kdf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEAST = 16, MOST = 256 }; /* bytes of a secret */

/* The secret that an agent and its ranks share: the content of a file. */
typedef struct secret_content {
  size_t n;
  unsigned char bytes[MOST];
} secret_content;

static ovk_err secret_read_file(ovk_ctx *ctx, const char *path, int file, secret_content *out)
{
  struct stat s;
  OVK_CHECK(fstat(file, &s) == 0 && S_ISREG(s.st_mode), ctx, OVK_ERR_ARG,
            "%s: the secret of an agent must be a regular file", path);
  OVK_CHECK(!(s.st_mode & (S_IRWXG | S_IRWXO)), ctx, OVK_ERR_ARG,
            "%s: other users have access to the secret of an agent; its mode should be 0600", path);
  OVK_CHECK(s.st_size >= LEAST && s.st_size <= MOST, ctx, OVK_ERR_ARG,
            "%s: the secret of an agent has %d to %d bytes, not %lld", path, LEAST, MOST,
            (long long)s.st_size);
  out->n = (size_t)s.st_size;
  OVK_CHECK(read(file, out->bytes, out->n) == (ssize_t)out->n, ctx, OVK_ERR_IO,
            "%s: cannot be read", path);
  return OVK_OK;
}

/* Reads a regular file that only its owner may read or write. */
static ovk_err secret_read(ovk_ctx *ctx, const char *path, secret_content *out)
{
  *out = (secret_content){0};
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  OVK_CHECK(file >= 0, ctx, OVK_ERR_IO, "%s: %s", path, strerror(errno));
  const ovk_err err = secret_read_file(ctx, path, file, out);
  close(file);
  return err;
}

/* The label for the derivation of the key, and the identity by which both sides name the key. Each
 * version of the control messages has its own. */
static const char identity[] = "ovk-agent 3";

enum { KEY_BYTES = 32 };

/* TLS_AES_128_GCM_SHA256, by its number in TLS. */
static const char cipher_name[] = "TLS_AES_128_GCM_SHA256";
static const unsigned char cipher_number[] = {0x13, 0x01};

/* HKDF (RFC 5869) with SHA-256. */
static bool derive_key(const secret_content *secret, unsigned char key[KEY_BYTES])
{
  size_t n = KEY_BYTES;
  EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, NULL);
  const bool done =
      c && EVP_PKEY_derive_init(c) > 0 && EVP_PKEY_CTX_set_hkdf_md(c, EVP_sha256()) > 0 &&
      EVP_PKEY_CTX_set1_hkdf_key(c, secret->bytes, (int)secret->n) > 0 &&
      EVP_PKEY_CTX_add1_hkdf_info(c, (const unsigned char *)identity, sizeof identity - 1) > 0 &&
      EVP_PKEY_derive(c, key, &n) > 0;
  EVP_PKEY_CTX_free(c);
  return done;
}

static SSL_SESSION *make_session(SSL *ssl, const secret_content *secret)
{
  unsigned char key[KEY_BYTES];
  SSL_SESSION *session = SSL_SESSION_new();
  const SSL_CIPHER *cipher = SSL_CIPHER_find(ssl, cipher_number);
  const bool made = session && cipher && derive_key(secret, key) &&
                    SSL_SESSION_set1_master_key(session, key, sizeof key) &&
                    SSL_SESSION_set_cipher(session, cipher) &&
                    SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION);
  OPENSSL_cleanse(key, sizeof key);
  if (made) return session;
  SSL_SESSION_free(session);
  return NULL;
}

/* Reads the secret. Returns NULL after an error: then the handshake fails. */
static SSL_SESSION *session_of(SSL *ssl)
{
  ovk__stream *s = SSL_get_app_data(ssl);
  secret_content secret;
  SSL_SESSION *session = NULL;
  s->failed = secret_read(s->ctx, s->tls->secret, &secret);
  if (!s->failed) session = make_session(ssl, &secret);
  OPENSSL_cleanse(&secret, sizeof secret);
  return session;
}

/* On a rank: the key that it sends. */
static int offer_key(SSL *ssl, const EVP_MD *md, const unsigned char **id, size_t *n,
                     SSL_SESSION **session)
{
  (void)md; /* that of the only cipher */
  *id = (const unsigned char *)identity;
  *n = sizeof identity - 1;
  *session = session_of(ssl);
  return *session != NULL;
}

/* On an agent: the key that a rank names. */
static int find_key(SSL *ssl, const unsigned char *id, size_t n, SSL_SESSION **session)
{
  const bool known = n == sizeof identity - 1 && memcmp(id, identity, n) == 0;
  *session = known ? session_of(ssl) : NULL;
  return !known || *session;
}

/* No certificate authority is trusted, so a rank refuses all certificates: these prove nothing
 * about the secret. */
static bool set_rules(SSL_CTX *rules, ovk__side side)
{
  SSL_CTX_set_mode(rules, SSL_MODE_ENABLE_PARTIAL_WRITE);
  SSL_CTX_set_options(rules, SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_session_cache_mode(rules, SSL_SESS_CACHE_OFF);
  if (side == OVK__AGENT_SIDE) {
    SSL_CTX_set_psk_find_session_callback(rules, find_key);
  } else {
    SSL_CTX_set_psk_use_session_callback(rules, offer_key);
    SSL_CTX_set_verify(rules, SSL_VERIFY_PEER, NULL);
  }
  return SSL_CTX_set_min_proto_version(rules, TLS1_3_VERSION) &&
         SSL_CTX_set_max_proto_version(rules, TLS1_3_VERSION) &&
         SSL_CTX_set_ciphersuites(rules, cipher_name) &&
         SSL_CTX_set1_groups_list(rules, "X25519:P-256") && SSL_CTX_set_num_tickets(rules, 0) &&
         SSL_CTX_set_max_early_data(rules, 0);
}

static ovk_err make_tls(ovk_ctx *ctx, ovk__tls *t)
{
  const SSL_METHOD *method = t->side == OVK__AGENT_SIDE ? TLS_server_method() : TLS_client_method();
  t->rules = SSL_CTX_new(method);
  t->socket_calls = ovk__openssl_socket_calls();
  const bool made = t->socket_calls && t->rules && set_rules(t->rules, t->side);
  const char *why = ERR_reason_error_string(ERR_peek_last_error());
  OVK_CHECK(made, ctx, OVK_ERR_UNSUPPORTED, "OpenSSL has no TLS 1.3 with a pre-shared key: %s",
            why ? why : "no reason given");
  return OVK_OK;
}

ovk_err ovk__tls_create(ovk_ctx *ctx, ovk__side side, const char *path, ovk__tls **out)
{
  secret_content now;
  OVK_NEW_AT(ctx, *out, ovk__tls, tls);
  tls->side = side;
  tls->secret = ovk__copy_text(path);
  OVK_CHECK(tls->secret, ctx, OVK_ERR_MEMORY, "no memory for the path of a secret");
  const ovk_err err = secret_read(ctx, path, &now);
  OPENSSL_cleanse(&now, sizeof now);
  return err ? err : make_tls(ctx, tls);
}

void ovk__tls_destroy(ovk__tls **tls)
{
  ovk__tls *t = *tls;
  if (!t) return;
  SSL_CTX_free(t->rules);
  BIO_meth_free(t->socket_calls);
  free(t->secret);
  free(t);
  *tls = NULL;
}
