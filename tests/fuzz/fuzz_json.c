/* SPDX-License-Identifier: BSD-2-Clause */
/* The JSON writer: a reader of the grammar of RFC 8259 recovers the written values. Input: a
 * sequence of values to write. */
#include "json.h"
#include "support/fuzz/fuzz.h"
#include "support/fuzz/json_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 400, MOST_DEPTH = 30, MOST_TEXT = 40 };

typedef enum kind { OPEN, CLOSE, TEXT, INT, REAL, BOOL } kind;

/* The values that were written, or must be read next. */
typedef struct event {
  kind kind;
  bool has_key, flag;
  char bracket;
  char key[MOST_TEXT + 1], text[MOST_TEXT + 1];
  int64_t whole;
  double real;
} event;

typedef struct script {
  int n;
  event at[MOST_EVENTS];
} script;

static void read_text(fuzz_bytes *in, char *text)
{
  unsigned n = fuzz_byte(in) % (MOST_TEXT + 1);
  for (; n > 0 && in->at < in->end; n--) *text++ = (char)fuzz_byte(in);
  *text = '\0'; /* a 0 in the input ends it earlier */
}

/* The values of one tree, which is closed at the end. */
static void make_script(fuzz_bytes *in, script *s)
{
  char open[MOST_DEPTH];
  int depth = 0;
  do {
    event *e = &s->at[s->n++];
    const bool full = s->n > MOST_EVENTS - MOST_DEPTH - 1 || in->at == in->end;
    e->kind = full ? CLOSE : (kind)(fuzz_byte(in) % 6);
    if (depth == 0) e->kind = OPEN;
    if (e->kind == OPEN && depth == MOST_DEPTH) e->kind = BOOL;
    e->has_key = depth > 0 && open[depth - 1] == '{' && e->kind != CLOSE;
    if (e->has_key) read_text(in, e->key);
    if (e->kind == OPEN) open[depth++] = e->bracket = fuzz_byte(in) % 2 ? '{' : '[';
    if (e->kind == CLOSE) e->bracket = open[--depth] == '{' ? '}' : ']';
    if (e->kind == TEXT) read_text(in, e->text);
    if (e->kind == REAL) e->real = fuzz_double(in);
    if (e->kind == BOOL) e->flag = fuzz_byte(in) % 2;
    for (int k = 0; e->kind == INT && k < 8; k++)
      e->whole = (int64_t)((uint64_t)e->whole << 8 | fuzz_byte(in));
  } while (depth > 0);
}

static void write_event(json *out, const event *e)
{
  const char *key = e->has_key ? e->key : NULL;
  switch (e->kind) {
  case OPEN:
    json_open(out, key, e->bracket);
    return;
  case CLOSE:
    json_close(out, e->bracket);
    return;
  case TEXT:
    json_text(out, key, e->text);
    return;
  case INT:
    json_int(out, key, e->whole);
    return;
  case REAL:
    json_real(out, key, e->real);
    return;
  default:
    json_bool(out, key, e->flag);
  }
}

static void check_value(json_reader *r, const event *e)
{
  char number[64];
  if (e->kind == REAL && !isfinite(e->real)) {
    json_take_word(r, "null");
  } else if (e->kind == REAL) {
    json_take_number(r, number, sizeof number);
    const double value = strtod(number, NULL);
    FUZZ_CHECK(memcmp(&value, &e->real, sizeof value) == 0, "%s is not %.17g", number, e->real);
  } else if (e->kind == INT) {
    json_take_number(r, number, sizeof number);
    FUZZ_CHECK(strtoll(number, NULL, 10) == e->whole, "%s is not %lld", number,
               (long long)e->whole);
  } else if (e->kind == TEXT) {
    json_take_text(r, e->text);
  } else {
    json_take_word(r, e->flag ? "true" : "false");
  }
}

static void check_document(json_reader *r, const script *s)
{
  bool first = true; /* of an object or array */
  for (const event *e = s->at; e < s->at + s->n; e++) {
    if (e->kind == CLOSE) {
      json_take(r, e->bracket);
      first = false;
      continue;
    }
    if (!first) json_take(r, ',');
    if (e->has_key) {
      json_take_text(r, e->key);
      json_take(r, ':');
    }
    first = e->kind == OPEN;
    if (first) {
      json_take(r, e->bracket);
    } else {
      check_value(r, e);
    }
  }
  FUZZ_CHECK(json_peek(r) == '\0' && r->at == r->end, "more behind the end: %s", r->at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  scoped_array script *s = calloc(1, sizeof *s);
  FUZZ_CHECK(s, "no memory");
  make_script(&(fuzz_bytes){data, data + size}, s);
  scoped_array char *text = NULL;
  size_t length = 0;
  json out = {open_memstream(&text, &length), 0, false};
  FUZZ_CHECK(out.file, "no memory");
  for (int k = 0; k < s->n; k++) write_event(&out, &s->at[k]);
  FUZZ_CHECK(fclose(out.file) == 0, "not written");
  check_document(&(json_reader){text, text + length}, s);
  return 0;
}
