/* SPDX-License-Identifier: BSD-2-Clause */
/* Control connections of remote agents: who does not know the secret is no rank and no agent. */
#include "comm/agent/remote.h"
#include "comm/agent/wire/control.h"
#include "support/comm/agent_pair.h"
#include "support/test_main.h"

#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum { PATH_SIZE = 64 };

static const char secret[] = "known to ranks and agents", other_secret[] = "known to nobody else";
static char path[PATH_SIZE], other_path[PATH_SIZE];

static int write_secrets(void **state)
{
  snprintf(path, PATH_SIZE, "/tmp/ovk-secret-%d", (int)getpid());
  snprintf(other_path, PATH_SIZE, "/tmp/ovk-other-%d", (int)getpid());
  return !agent_write_secret(path, secret, strlen(secret)) ||
         !agent_write_secret(other_path, other_secret, strlen(other_secret));
}

static int remove_secrets(void **state)
{
  (void)unlink(path);
  (void)unlink(other_path);
  return 0;
}

/* The bytes that a relay has seen of one side. */
typedef struct record {
  ovk__side side;
  size_t n;
  unsigned char bytes[1 << 14];
} record;

static void keep(void *arg, ovk__side from, unsigned char *bytes, size_t n)
{
  record *r = arg;
  if (from != r->side) return;
  assert_true(n <= sizeof r->bytes - r->n);
  memcpy(r->bytes + r->n, bytes, n);
  r->n += n;
}

/* Both sides prove their identity, through a relay that keeps the bytes of one of them. */
static void shake_and_record(agent_pair *p, record *seen)
{
  assert_ok(agent_pair_open(p, test_ctx(), path, path));
  p->relay = keep;
  p->arg = seen;
  agent_pair_shake(p);
}

static bool contains(const record *r, const void *bytes, size_t n)
{
  for (size_t k = 0; k + n <= r->n; k++) {
    if (memcmp(r->bytes + k, bytes, n) == 0) return true;
  }
  return false;
}

TEST(both_sides_prove_that_they_know_the_secret)
{
  scoped_agent_pair p;
  assert_ok(agent_pair_open(&p, test_ctx(), path, path));
  agent_pair_shake(&p);
  assert_true(p.rank_proved && p.agent_proved);
}

TEST(another_secret_is_an_error_on_both_sides)
{
  scoped_agent_pair p;
  assert_ok(agent_pair_open(&p, test_ctx(), other_path, path));
  agent_pair_shake(&p);
  assert_false(p.rank_proved || p.agent_proved);
  assert_local_error(p.rank_err, OVK_ERR_NETWORK, "the secret differs from that of the peer");
  assert_int_equal(p.agent_err, OVK_ERR_NETWORK);
  assert_non_null(
      strstr(ovk_agent_server_message(p.server), "the secret differs from that of the peer"));
}

TEST(neither_the_secret_nor_messages_are_readable)
{
  const char text[] = "as many as there are";
  record seen = {.side = OVK__AGENT_SIDE};
  SCOPED(ovk__message_free) ovk__message m;
  scoped_agent_pair p;
  shake_and_record(&p, &seen);
  assert_ok(ovk_agent_client_refuse(p.client, text));
  assert_true(agent_pair_move(&p) > 0);
  assert_ok(ovk__control_receive(test_ctx(), p.stream, 10, OVK__CONTROL_MOST, &m));
  assert_string_equal((const char *)m.words, text);
  assert_false(contains(&seen, text, strlen(text)));
  assert_false(contains(&seen, secret, strlen(secret)));
}

/* Whoever listens where an agent was expected. */
TEST(a_rank_gives_its_secret_to_nobody)
{
  record seen = {.side = OVK__RANK_SIDE};
  scoped_agent_pair p;
  shake_and_record(&p, &seen);
  assert_true(p.rank_proved && seen.n > 0);
  assert_false(contains(&seen, secret, strlen(secret)));
}

TEST(what_a_rank_has_sent_cannot_be_sent_again)
{
  record seen = {.side = OVK__RANK_SIDE};
  scoped_agent_pair p;
  shake_and_record(&p, &seen);
  assert_true(p.agent_proved);
  agent_pair_close(&p);
  assert_ok(agent_pair_open(&p, test_ctx(), path, path));
  assert_int_equal(send(p.agent[1], seen.bytes, seen.n, MSG_NOSIGNAL), seen.n);
  for (int k = 0; k < 10; k++) agent_pair_shake_agent(&p);
  assert_false(p.agent_proved);
}

TEST(a_mirror_is_no_agent)
{
  short events = 0;
  unsigned char bytes[4096];
  ssize_t n = 0;
  scoped_agent_pair p;
  ovk_err err;
  assert_ok(agent_pair_open(&p, test_ctx(), path, path));
  do {
    err = ovk__stream_authenticate(test_ctx(), p.stream, &events);
    n = recv(p.rank[1], bytes, sizeof bytes, MSG_DONTWAIT);
    if (n > 0) assert_int_equal(send(p.rank[1], bytes, (size_t)n, MSG_NOSIGNAL), n);
  } while (!err && n > 0);
  assert_true(err || events);
}

static void certify(SSL_CTX *rules)
{
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, NULL);
  X509 *certificate = X509_new();
  assert_true(maker && EVP_PKEY_keygen_init(maker) > 0 && EVP_PKEY_keygen(maker, &key) > 0);
  assert_non_null(X509_gmtime_adj(X509_getm_notBefore(certificate), 0));
  assert_non_null(X509_gmtime_adj(X509_getm_notAfter(certificate), 3600));
  assert_true(X509_set_pubkey(certificate, key) && X509_sign(certificate, key, NULL) > 0);
  assert_true(SSL_CTX_use_certificate(rules, certificate) && SSL_CTX_use_PrivateKey(rules, key));
  X509_free(certificate);
  EVP_PKEY_free(key);
  EVP_PKEY_CTX_free(maker);
}

/* It completes the handshake of TLS without the secret; no process looks at its certificate. */
TEST(a_certificate_is_no_secret)
{
  short events = 1;
  scoped_agent_pair p;
  ovk_err err = OVK_OK;
  assert_ok(agent_pair_open(&p, test_ctx(), path, path));
  SSL_CTX *rules = SSL_CTX_new(TLS_server_method());
  assert_non_null(rules);
  certify(rules);
  SSL *impostor = SSL_new(rules);
  assert_true(SSL_set_fd(impostor, p.rank[1]));
  for (int k = 0; k < 10 && !err && events; k++) {
    err = ovk__stream_authenticate(test_ctx(), p.stream, &events);
    if (!err && events) (void)SSL_accept(impostor);
  }
  assert_true(err);
  SSL_free(impostor);
  SSL_CTX_free(rules);
}

TEST(strangers_learn_nothing_of_the_agents_file)
{
  char gone[2 * PATH_SIZE];
  scoped_agent_pair p;
  snprintf(gone, sizeof gone, "%s-gone", path);
  assert_true(agent_write_secret(gone, secret, strlen(secret)));
  assert_ok(agent_pair_open(&p, test_ctx(), path, gone));
  assert_int_equal(unlink(gone), 0);
  agent_pair_shake(&p);
  assert_int_equal(p.agent_err, OVK_ERR_IO);
  assert_non_null(strstr(ovk_agent_server_message(p.server), gone));
  assert_int_equal(p.rank_err, OVK_ERR_NETWORK);
  assert_null(strstr(ovk_ctx_error(test_ctx()), gone));
}

TEST(a_short_secret_is_refused)
{
  char short_path[2 * PATH_SIZE];
  ovk__tls *tls;
  snprintf(short_path, sizeof short_path, "%s-short", path);
  assert_true(agent_write_secret(short_path, secret, 15));
  assert_local_error(ovk__tls_create(test_ctx(), OVK__RANK_SIDE, short_path, &tls), OVK_ERR_ARG,
                     "16 to 256 bytes, not 15");
  ovk__tls_destroy(&tls);
  assert_int_equal(unlink(short_path), 0);
}

/* In a rank SIGPIPE, which ends programs, would be the user's. */
TEST(a_closed_connection_is_an_error_and_no_signal)
{
  const uint64_t words[512] = {0};
  scoped_agent_pair p;
  ovk_err err = OVK_OK;
  assert_ok(agent_pair_open(&p, test_ctx(), path, path));
  agent_pair_shake(&p);
  assert_true(p.rank_proved);
  close(p.rank[1]);
  p.rank[1] = -1;
  for (int k = 0; k < 3 && !err; k++) {
    err = ovk__control_send(test_ctx(), p.stream, 10, OVK__REGISTER, words, 512);
  }
  assert_int_equal(err, OVK_ERR_NETWORK);
}

enum { TURNED_AWAY = 3, TIME_LIMIT = 300 };

/* The process of an agent that closes the first connections before it reads the received bytes,
 * which resets them. */
static void serve_after_some(int listener)
{
  const ovk_agent_options options = {
      .size = sizeof options, .secret = path, .nic = "device=emulated", .memory = 1 << 20};
  ovk_agent_server *server;
  ovk_agent_client *client;
  short events = 1;
  alarm(TIME_LIMIT);
  for (int k = 0; k < TURNED_AWAY; k++) {
    struct pollfd file = {.fd = accept(listener, NULL, NULL), .events = POLLIN};
    (void)poll(&file, 1, -1);
    close(file.fd);
  }
  ovk_err err = ovk_agent_server_create(&options, &server);
  if (!err) err = ovk_agent_client_create(server, accept(listener, NULL, NULL), &client);
  while (!err && events) err = ovk_agent_client_authenticate(client, &events);
  if (!err) err = ovk_agent_client_serve(client);
  _exit(err != OVK_OK);
}

TEST(a_rank_whose_connection_is_reset_tries_again)
{
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof at;
  char where[32];
  ovk__remote *remote;
  int status;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(bind(listener, (struct sockaddr *)&at, size), 0);
  assert_int_equal(listen(listener, 1), 0);
  assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &size), 0);
  const pid_t agent = fork();
  assert_true(agent >= 0);
  if (agent == 0) serve_after_some(listener);
  close(listener);
  snprintf(where, sizeof where, "127.0.0.1:%d", ntohs(at.sin_port));
  const ovk_err err = ovk__remote_open(test_ctx(), where, path, 0, &remote);
  ovk__remote_close(&remote);
  if (err) kill(agent, SIGKILL);
  assert_int_equal(waitpid(agent, &status, 0), agent);
  assert_ok(err);
  assert_int_equal(status, 0);
}

TEST_GROUP(write_secrets, remove_secrets)
