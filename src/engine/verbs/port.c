/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages as remote writes. A place holds the data, padded to whole words, and behind it the seal:
 * a word that only this data of this generation has. So nothing has to be assumed about the order
 * in which the parts of a write become visible: a short message is one write, and taken once the
 * seal fits; the seal of a long one is of the generation alone, and a write of its own behind the
 * data.
 */
#include "engine/verbs/port.h"
#include "engine/verbs/port_connect.h"

#include <stdatomic.h>
#include <string.h>

typedef uint64_t word;

/* Bytes of data up to which a message is one write: what adapters take inlined, and sealed in less
 * time than a second write takes. */
enum { SHORT = 192 };

static size_t words_of(size_t bytes)
{
  return (bytes + sizeof(word) - 1) / sizeof(word);
}

static word mix(word seal, word data)
{
  seal = (seal ^ data) * UINT64_C(0x9E3779B97F4A7C15);
  return seal ^ seal >> 29;
}

/* The seal of a message at a place, whose data the adapter may be writing at the moment. */
static word seal_of(const char *place, size_t bytes, uint64_t generation)
{
  const _Atomic word *data = (const _Atomic word *)(const void *)place;
  word seal = mix(0, generation);
  if (bytes > SHORT) return seal;
  for (size_t k = 0; k < words_of(bytes); k++) {
    seal = mix(seal, atomic_load_explicit(&data[k], memory_order_relaxed));
  }
  return seal;
}

static bool has_arrived(const char *place, size_t bytes, uint64_t generation)
{
  const _Atomic word *data = (const _Atomic word *)(const void *)place;
  const word seal = atomic_load_explicit(&data[words_of(bytes)], memory_order_acquire);
  if (seal != seal_of(place, bytes, generation)) return false;
  atomic_thread_fence(memory_order_acquire);
  return true;
}

/* How far a message's place for odd generations is behind that for even ones. */
static size_t turn(size_t bytes, uint64_t generation)
{
  return generation & 1 ? ovk__letter_stride(OVK__SEAL_ROOM + bytes) : 0;
}

static char *letter_place(const ovk__port *p, const ovk__letter *letter, uint64_t generation)
{
  return p->block.start + letter->offset + turn(letter->bytes, generation);
}

static void write_letters(const ovk__port *p, int round, uint64_t generation)
{
  for (int k = p->letters.first[round]; k < p->letters.first[round + 1]; k++) {
    const ovk__letter *letter = &p->letters.list[k];
    char *place = letter_place(p, letter, generation);
    if (letter->bytes) memcpy(place, letter->from, letter->bytes);
    const word seal = seal_of(place, letter->bytes, generation);
    memcpy(place + words_of(letter->bytes) * sizeof seal, &seal, sizeof seal);
  }
}

static ovk__work write_work(const ovk__port *p, const ovk__outlet *o, char *from, size_t bytes,
                            uint64_t to)
{
  return (ovk__work){.kind = OVK__WRITE,
                     .local = from,
                     .local_key = p->block.local_key,
                     .bytes = bytes,
                     .remote = to,
                     .remote_key = p->correspondents[o->correspondent].key,
                     .inlined = bytes <= ovk__endpoint_limits(p->endpoint)->inline_most};
}

static bool post(const ovk__port *p, ovk__outlet *o, uint64_t generation)
{
  const ovk__letter *letter = &p->letters.list[o->letter];
  const size_t data = words_of(letter->bytes) * sizeof(word);
  char *place = letter_place(p, letter, generation);
  const uint64_t to = o->address + turn(letter->bytes, generation);
  ovk__pair *pair = p->correspondents[o->correspondent].pair;
  ovk__work works[2];
  int n = 0;
  if (letter->bytes > SHORT) works[n++] = write_work(p, o, place, data, to);
  const size_t from = n ? data : 0;
  works[n++] = write_work(p, o, place + from, data + sizeof(word) - from, to + from);
  works[n - 1].signaled = p->window > 0;
  if (!ovk__pair_post(p->endpoint, pair, works, n)) return false;
  o->id = pair->posted;
  return true;
}

static ovk__pair *pair_of(const ovk__port *p, const ovk__outlet *o)
{
  return p->correspondents[o->correspondent].pair;
}

/* Whether the window has place for one more. Writes end in any order; the oldest counts. */
static bool has_place(ovk__port *p)
{
  if (p->window == 0) return true;
  while (p->oldest < p->sent) {
    const ovk__outlet *o = &p->outlets[p->oldest];
    ovk__pair *pair = pair_of(p, o);
    if (pair->done < o->id && (!ovk__pair_poll(p->endpoint, pair) || pair->done < o->id)) break;
    p->oldest++;
  }
  return p->sent - p->oldest < p->window;
}

/* Posts what there is room for. */
static bool post_some(ovk__port *p, int round, uint64_t generation)
{
  enum { MOST_WORKS = 2 }; /* of a message */
  for (; p->sent < p->first_outlet[round + 1] && has_place(p); p->sent++) {
    ovk__outlet *o = &p->outlets[p->sent];
    if (ovk__pair_room(p->endpoint, pair_of(p, o), MOST_WORKS) < MOST_WORKS) break;
    if (!post(p, o, generation)) return false;
  }
  return !ovk__endpoint_failed(p->endpoint);
}

/* In vain: is the one whom this waits for still there? */
static bool watch(ovk__port *p, ovk__pair *pair, uint64_t generation)
{
  if (p->watched != generation) p->patience = (ovk__patience){0};
  p->watched = generation;
  return ovk__pair_watch(p->endpoint, pair, &p->patience);
}

bool ovk__port_ready(ovk__port *port, uint64_t generation)
{
  ovk__port *p = port;
  for (int k = 0; !p->barrier && k < p->ncorrespondents; k++) {
    const ovk__correspondent *c = &p->correspondents[k];
    if (c->nsends && ovk__finished_by(c) + 2 < generation) {
      (void)watch(p, c->pair, generation);
      return false;
    }
  }
  return true;
}

bool ovk__port_start(ovk__port *port, int round, uint64_t generation)
{
  ovk__port *p = port;
  p->sent = p->first_outlet[round];
  p->oldest = p->sent;
  p->arrived = p->first_entrance[round];
  write_letters(p, round, generation);
  return post_some(p, round, generation);
}

bool ovk__port_test(ovk__port *port, int round, uint64_t generation, bool *through)
{
  ovk__port *p = port;
  *through = false;
  if (!post_some(p, round, generation)) return false;
  if (p->sent < p->first_outlet[round + 1]) {
    return watch(p, pair_of(p, &p->outlets[p->sent]), generation);
  }
  for (; p->arrived < p->first_entrance[round + 1]; p->arrived++) {
    const ovk__entrance *e = &p->entrances[p->arrived];
    const char *place = e->place + turn(e->bytes, generation);
    if (!has_arrived(place, e->bytes, generation)) {
      return watch(p, p->correspondents[e->correspondent].pair, generation);
    }
    if (e->bytes) memcpy(e->to, place, e->bytes);
  }
  *through = true;
  return true;
}
