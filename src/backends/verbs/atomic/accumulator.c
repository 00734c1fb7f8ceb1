/* SPDX-License-Identifier: BSD-2-Clause */
/* Adds to remote numbers and reads them.
 *
 * A set is a counter, a checksum and the numbers, all of them 64-bit words in the root's memory.
 * Each participating rank adds its shares, then to the checksum, then 1 to the counter, all by
 * FETCH_ADD over one queue, which executes them in this order; then it reads the set over the same
 * queue. The root does the same through a queue to itself, since additions by NICs are atomic only
 * with respect to each other. Once the counter shows that all ranks have added, the numbers are the
 * sums.
 *
 * Nothing is ever reset: numbers are linear (exact.h), so this generation's contribution is the
 * difference from the set after its last use. There are two sets, for even and odd generations: a
 * rank that begins generation g has completed g - 1, so all ranks have begun g - 1, and so
 * completed g - 2. Therefore no rank still reads a set when it is added to again, and the state
 * seen last was final.
 *
 * A read need not be a snapshot: memory may be read in any order, so the counter may be newer than
 * the words after it. The checksum detects this. It is a sum as well: of everything added to the
 * other words, the counter included, each multiplied by a weight of its word. If it does not match
 * the words that were read, some of them are older than the rest, and the set is read again.
 *
 * FETCH_ADD adds words in the root's byte order, and reads transfer bytes: all ranks must have the
 * same byte order. Words are aligned to 8 bytes; NICs read such words atomically. */
#include "backends/verbs/atomic/accumulator.h"
#include "core/context/mem.h"
#include "core/exact/exact.h"

#include <stdlib.h>
#include <string.h>

/* Indices of words in a set. */
enum { COUNTER, CHECKSUM, NUMBERS };

enum { WORD = sizeof(uint64_t), LINE = 64, BATCH = 32 /* work requests posted at a time */ };

/* A set of up to so many words is read as a whole at once; of longer ones the counter is read
 * first. */
enum { SHORT = 512 };

static size_t words_of(int count)
{
  return NUMBERS + (size_t)count * OVK__EXACT_WORDS;
}

/* The distance in bytes from one set to the other. */
static size_t stride(size_t words)
{
  return (words * WORD + LINE - 1) / LINE * LINE;
}

size_t ovk__accumulator_bytes(int count)
{
  return 2 * stride(words_of(count));
}

ovk_err ovk__accumulator_make(ovk_ctx *ctx, ovk__endpoint *endpoint, int root, int contributors,
                              double *values, int count, int most, ovk__accumulator *out)
{
  ovk__accumulator *a = out;
  const size_t piece = ovk__endpoint_limits(endpoint)->work_most / WORD;
  *a = (ovk__accumulator){.endpoint = endpoint,
                          .connection = ovk__endpoint_connection(endpoint, root),
                          .count = count,
                          .values = values,
                          .contributors = (uint64_t)contributors,
                          .words = words_of(count)};
  a->piece = a->words < piece ? a->words : piece;
  OVK_NEW_ARRAY(ctx, a->additions, NUMBERS + (size_t)count * (size_t)most);
  for (int k = 0; k < 2; k++) OVK_NEW_ZEROS(ctx, a->seen[k], a->words);
  OVK_TRY(ovk__endpoint_take(endpoint, LINE + stride(a->words), &a->block));
  a->landing = (uint64_t *)(void *)(a->block.start + LINE);
  return OVK_OK;
}

void ovk__accumulator_find(ovk__accumulator *accumulator, uint64_t remote, uint32_t key)
{
  accumulator->remote = remote;
  accumulator->key = key;
}

/* Work requests of an aborted reduction may still write here: then the memory stays allocated until
 * the endpoint is closed. */
void ovk__accumulator_free(ovk__accumulator *accumulator)
{
  if (!accumulator->running) ovk__block_give(&accumulator->block);
  free(accumulator->additions);
  for (int k = 0; k < 2; k++) free(accumulator->seen[k]);
}

/* The weight of a word; odd, so that a nonzero addend times it is not 0 modulo 2^64. */
static uint64_t weight(size_t word)
{
  uint64_t mixed = (word + 1) * UINT64_C(0x9E3779B97F4A7C15);
  mixed = (mixed ^ mixed >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
  return (mixed ^ mixed >> 32) | 1;
}

static void list_values(ovk__accumulator *a)
{
  for (int i = 0; i < a->count; i++) {
    const size_t number = NUMBERS + (size_t)i * OVK__EXACT_WORDS;
    ovk__share shares[OVK__EXACT_MOST_SHARES];
    const int n = ovk__exact_split(a->values[i], shares);
    for (int k = 0; k < n; k++) {
      a->additions[a->n++] =
          (ovk__addition){number + (size_t)shares[k].word, (uint64_t)shares[k].addend};
    }
  }
}

static void list_numbers(ovk__accumulator *a, const uint64_t *numbers)
{
  for (size_t word = NUMBERS; word < a->words; word++) {
    const uint64_t addend = numbers[word - NUMBERS];
    if (addend) a->additions[a->n++] = (ovk__addition){word, addend};
  }
}

/* The counter is last. */
static void list_checksum_and_counter(ovk__accumulator *a)
{
  uint64_t checksum = weight(COUNTER);
  for (size_t k = 0; k < a->n; k++)
    checksum += weight(a->additions[k].word) * a->additions[k].addend;
  a->additions[a->n++] = (ovk__addition){CHECKSUM, checksum};
  a->additions[a->n++] = (ovk__addition){COUNTER, 1};
}

/* The work request at an index: an addition, or a piece of the read. */
static ovk__work work_at(const ovk__accumulator *a, size_t index)
{
  const uint64_t set = a->remote + (a->generation & 1) * stride(a->words);
  ovk__work work = {.local_key = a->block.local_key, .remote_key = a->key};
  if (index < a->n) {
    work.kind = OVK__FETCH_ADD;
    work.local = a->block.start;
    work.bytes = WORD;
    work.remote = set + a->additions[index].word * WORD;
    work.addend = a->additions[index].addend;
    return work;
  }
  const size_t first = (index - a->n) * a->piece, left = a->span - first;
  work.kind = OVK__READ;
  work.local = a->landing + first;
  work.bytes = (left < a->piece ? left : a->piece) * WORD;
  work.remote = set + first * WORD;
  work.signaled = left <= a->piece;
  return work;
}

static size_t works_left(const ovk__accumulator *a)
{
  return a->n + (a->span + a->piece - 1) / a->piece - a->posted;
}

/* Posts as many work requests as the queue has room for. */
static bool post_some(ovk__accumulator *a)
{
  for (size_t left = works_left(a); left > 0; left = works_left(a)) {
    ovk__work works[BATCH];
    const int wanted = left < BATCH ? (int)left : BATCH;
    const int room = ovk__connection_room(a->endpoint, a->connection, wanted);
    const int n = room < wanted ? room : wanted;
    if (n <= 0) break;
    for (int k = 0; k < n; k++) works[k] = work_at(a, a->posted + (size_t)k);
    if (!ovk__connection_post(a->endpoint, a->connection, works, n)) return false;
    a->posted += (size_t)n;
    a->last = a->connection->posted;
  }
  return !ovk__endpoint_failed(a->endpoint);
}

bool ovk__accumulator_start(ovk__accumulator *accumulator, const uint64_t *numbers)
{
  ovk__accumulator *a = accumulator;
  a->generation++;
  a->running = true;
  a->n = a->posted = 0;
  a->span = a->words <= SHORT ? a->words : NUMBERS;
  if (numbers) {
    list_numbers(a, numbers);
  } else {
    list_values(a);
  }
  list_checksum_and_counter(a);
  return post_some(a);
}

/* Whether all that was read is as recent as the counter. */
static bool is_consistent(const ovk__accumulator *a, const uint64_t *seen)
{
  uint64_t checksum = weight(COUNTER) * a->contributors;
  for (size_t word = NUMBERS; word < a->words; word++) {
    const uint64_t added = a->landing[word] - seen[word];
    if (added) checksum += weight(word) * added;
  }
  return a->landing[CHECKSUM] - seen[CHECKSUM] == checksum;
}

/* Whether the set that was read is complete; false: it must be read again. */
static bool is_complete(ovk__accumulator *a, const uint64_t *seen)
{
  if (a->landing[COUNTER] - seen[COUNTER] != a->contributors) return false;
  if (a->span == a->words) return is_consistent(a, seen);
  a->span = a->words;
  return false;
}

static void take_totals(ovk__accumulator *a, uint64_t *seen)
{
  for (int i = 0; i < a->count; i++) {
    const size_t at = NUMBERS + (size_t)i * OVK__EXACT_WORDS;
    uint64_t number[OVK__EXACT_WORDS];
    memcpy(number, a->landing + at, sizeof number);
    ovk__exact_subtract(number, seen + at, 1);
    a->values[i] = ovk__exact_round(number);
  }
  memcpy(seen, a->landing, a->words * WORD);
}

/* At most one read of the set is in flight. */
bool ovk__accumulator_advance(ovk__accumulator *accumulator, bool *complete)
{
  ovk__accumulator *a = accumulator;
  *complete = !a->running;
  if (*complete) return true;
  if (!post_some(a)) return false;
  if (works_left(a) > 0) return true;
  if (a->connection->done < a->last && !ovk__connection_poll(a->endpoint, a->connection))
    return false;
  if (a->connection->done < a->last) return true;
  uint64_t *seen = a->seen[a->generation & 1];
  if (!is_complete(a, seen)) {
    a->posted = a->n;
    return post_some(a);
  }
  take_totals(a, seen);
  a->running = false;
  *complete = true;
  return true;
}
