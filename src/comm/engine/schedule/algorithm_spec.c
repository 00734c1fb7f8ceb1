/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the algorithms of a schedule from a spec. */
#include "comm/engine/schedule/algorithm_spec.h"
#include "core/base/did_you_mean.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_SIZE = 2, MOST_SIZE = 1 << 20 };
enum { LEAST_DEGREE = 2, MOST_DEGREE = 8 };

/* An entry of a list in a spec. */
typedef struct entry {
  char text[OVK__NAME_MAX + 1];
} entry;

static int count_entries(const char *list, char separator)
{
  int n = 1;
  for (; (list = strchr(list, separator)) != NULL; list++) n++;
  return n;
}

/* Returns entry number `index`, or the last one if the list is shorter. A long entry is truncated;
 * no known word is that long. */
static entry entry_of(const char *list, char separator, int index)
{
  const char *next;
  while (index-- > 0 && (next = strchr(list, separator)) != NULL) list = next + 1;
  next = strchr(list, separator);
  const size_t length = next ? (size_t)(next - list) : strlen(list), most = OVK__NAME_MAX;
  entry e = {{0}};
  memcpy(e.text, list, length < most ? length : most);
  return e;
}

/* The words that a key accepts. */
typedef struct vocabulary {
  const char *of, *intro; /* for messages: the kind of word, and the start of a list */
  int n;
  const char *words[8];
} vocabulary;

/* *which <- the index of a word in its vocabulary. */
static ovk_err find_word(ovk_ctx *ctx, const ovk_spec *spec, const vocabulary *known, entry e,
                         int *which)
{
  for (*which = 0; *which < known->n; ++*which) {
    if (strcmp(known->words[*which], e.text) == 0) return OVK_OK;
  }
  char hint[OVK__HINT_SIZE];
  ovk__hint(hint, e.text, known->words, known->n, known->intro);
  OVK_CHECK(*e.text, ctx, OVK_ERR_ARG, "'%s': a value of %s is missing%s", ovk_spec_name(spec),
            known->of, hint);
  return OVK_FAIL(ctx, OVK_ERR_ARG, "'%s': unknown %s '%s'%s", ovk_spec_name(spec), known->of,
                  e.text, hint);
}

static ovk_err read_number(ovk_ctx *ctx, const ovk_spec *spec, const char *key, const char *word,
                           long least, long most, int *number)
{
  char *end;
  errno = 0;
  const long value = strtol(word, &end, 10);
  OVK_CHECK(*word >= '0' && *word <= '9' && !*end && !errno && value >= least && value <= most, ctx,
            OVK_ERR_ARG, "'%s': %s needs whole numbers from %ld to %ld, not '%s'",
            ovk_spec_name(spec), key, least, most, word);
  *number = (int)value;
  return OVK_OK;
}

static ovk_err read_sizes(ovk_ctx *ctx, const ovk_spec *spec, const char *list,
                          ovk__algorithm_spec *algorithms)
{
  algorithms->by_size = true;
  for (int k = 0; k < algorithms->ngroupings; k++) {
    OVK_TRY(read_number(ctx, spec, "levels", entry_of(list, 'x', k).text, LEAST_SIZE, MOST_SIZE,
                        &algorithms->size[k]));
  }
  return OVK_OK;
}

/* Names from inside out. "net", the level around all others, adds no grouping. */
static ovk_err read_groupings(ovk_ctx *ctx, const ovk_spec *spec, const char *list, int n,
                              ovk__algorithm_spec *algorithms)
{
  enum { NET = OVK__NODE + 1 };
  static const vocabulary levels = {
      "level",
      "in addition to flat and sizes (4x2) there are",
      NET + 1,
      {[OVK__NUMA] = "numa", [OVK__SOCKET] = "socket", [OVK__NODE] = "node", [NET] = "net"}};
  int last = -1;
  for (int k = 0; k < n; k++) {
    int which;
    OVK_TRY(find_word(ctx, spec, &levels, entry_of(list, '+', k), &which));
    OVK_CHECK(which > last, ctx, OVK_ERR_ARG,
              "'%s': levels go from inside out: numa, socket, node, net; '%s' must not follow '%s'",
              ovk_spec_name(spec), levels.words[which], levels.words[last]);
    if (which < NET) algorithms->grouping[algorithms->ngroupings++] = (ovk__grouping)which;
    last = which;
  }
  return OVK_OK;
}

static ovk_err read_levels(ovk_ctx *ctx, const ovk_spec *spec, ovk__algorithm_spec *algorithms)
{
  const char *list = ovk_spec_string(spec, "levels", "flat");
  if (strcmp(list, "flat") == 0) return OVK_OK;
  if (*list < '0' || *list > '9') {
    return read_groupings(ctx, spec, list, count_entries(list, '+'), algorithms);
  }
  algorithms->ngroupings = count_entries(list, 'x');
  OVK_CHECK(algorithms->ngroupings < OVK__MAX_LEVELS, ctx, OVK_ERR_ARG,
            "'%s': levels=%s has %d sizes, at most %d are allowed", ovk_spec_name(spec), list,
            algorithms->ngroupings, OVK__MAX_LEVELS - 1);
  return read_sizes(ctx, spec, list, algorithms);
}

/* The value for a level of a key with a list of values. */
static entry entry_at(const ovk_spec *spec, const char *key, int level, const char *otherwise)
{
  return entry_of(ovk_spec_string(spec, key, otherwise), '+', level);
}

/* *degree keeps its value if the key is absent. */
static ovk_err read_degree(ovk_ctx *ctx, const ovk_spec *spec, const char *key, int level,
                           int *degree)
{
  if (!ovk_spec_has(spec, key)) return OVK_OK;
  return read_number(ctx, spec, key, entry_at(spec, key, level, "").text, LEAST_DEGREE, MOST_DEGREE,
                     degree);
}

/* By ovk__channel. */
#define CHANNEL_NAMES                                                                              \
  {                                                                                                \
    [OVK__P2P] = "p2p", [OVK__SHM] = "shm", [OVK__RDMA] = "verbs"                                  \
  }

const char *const ovk__channel_names[OVK__NCHANNELS] = CHANNEL_NAMES;

/* An agent moves messages of its NIC only. */
static bool has_agent(const ovk_spec *spec)
{
  return strcmp(ovk_spec_string(spec, "agent", "none"), "none") != 0;
}

static const char *default_channel(const ovk_spec *spec, bool outermost)
{
  for (int k = 0; k < OVK__NCHANNELS; k++) {
    const char *name = ovk__channel_names[k];
    if (strcmp(ovk_spec_name(spec), name) == 0)
      return outermost || has_agent(spec) ? name : ovk__channel_names[OVK__SHM];
  }
  return ovk__channel_names[OVK__P2P];
}

static ovk_err read_channel(ovk_ctx *ctx, const ovk_spec *spec, int level, bool outermost,
                            ovk__channel *channel)
{
  static const vocabulary channels = {"channel", "there are", OVK__NCHANNELS, CHANNEL_NAMES};
  const char *otherwise = default_channel(spec, outermost);
  int which;
  OVK_TRY(find_word(ctx, spec, &channels, entry_at(spec, "channel", level, otherwise), &which));
  *channel = (ovk__channel)which;
  return OVK_OK;
}

/* The keys of degrees that any level has used. */
typedef struct used {
  bool k, trees;
} used;

/* In the order of their words: the default degrees, and whether k=, or also reduce= and bcast=,
 * change them. kary has half the rounds of doubling and 1.5 times its messages. The degrees of tree
 * are the best ones in Kandalla et al., IPDPS 2012, those of nary are from Gorentla Venkata et al.,
 * CLUSTER 2013, section V. */
static const struct {
  ovk__algorithm algorithm;
  int reduce, bcast;
  used keys;
} degrees[] = {{OVK__FLAT, 2, 2, {false, false}},    {OVK__KARY, 2, 2, {false, false}},
               {OVK__KARY, 4, 4, {true, false}},     {OVK__TREE, 2, 4, {true, true}},
               {OVK__NARY, 4, 2, {true, true}},      {OVK__RING, 2, 2, {false, false}},
               {OVK__HALVING, 2, 2, {false, false}}, {OVK__AUTO, 2, 2, {false, false}}};

static ovk_err read_algorithm(ovk_ctx *ctx, const ovk_spec *spec, int at, ovk__level *level,
                              used *keys)
{
  static const vocabulary algorithms = {
      "alg",
      "there are",
      sizeof degrees / sizeof *degrees,
      {"flat", "doubling", "kary", "tree", "nary", "ring", "halving", "auto"}};
  int which;
  OVK_TRY(find_word(ctx, spec, &algorithms, entry_at(spec, "alg", at, "doubling"), &which));
  const used takes = degrees[which].keys;
  *level = (ovk__level){.algorithm = degrees[which].algorithm,
                        .reduce = degrees[which].reduce,
                        .bcast = degrees[which].bcast};
  keys->k = keys->k || takes.k;
  keys->trees = keys->trees || takes.trees;
  if (takes.k && ovk_spec_has(spec, "k")) {
    OVK_TRY(read_degree(ctx, spec, "k", at, &level->reduce));
    level->bcast = level->reduce;
  }
  if (!takes.trees) return OVK_OK;
  OVK_TRY(read_degree(ctx, spec, "reduce", at, &level->reduce));
  return read_degree(ctx, spec, "bcast", at, &level->bcast);
}

/* A key that has no effect is an error. */
static ovk_err check_used(ovk_ctx *ctx, const ovk_spec *spec, const char *key, bool is_used,
                          const char *owner)
{
  OVK_CHECK(is_used || !ovk_spec_has(spec, key), ctx, OVK_ERR_ARG, "'%s': %s belongs to alg=%s",
            ovk_spec_name(spec), key, owner);
  return OVK_OK;
}

static ovk_err check_lists(ovk_ctx *ctx, const ovk_spec *spec, int nlevels)
{
  static const char *const keys[] = {"alg", "k", "reduce", "bcast", "channel"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const char *list = ovk_spec_string(spec, keys[i], "");
    const int n = count_entries(list, '+');
    OVK_CHECK(n <= nlevels, ctx, OVK_ERR_ARG, "'%s': %s=%s has %d entries, but levels=%s makes %d",
              ovk_spec_name(spec), keys[i], list, n, ovk_spec_string(spec, "levels", "flat"),
              nlevels);
  }
  return OVK_OK;
}

ovk_err ovk__algorithm_spec_read(ovk_ctx *ctx, const ovk_spec *spec,
                                 ovk__algorithm_spec *algorithms)
{
  *algorithms = (ovk__algorithm_spec){0};
  OVK_TRY(read_levels(ctx, spec, algorithms));
  const int nlevels = algorithms->ngroupings + 1;
  OVK_TRY(check_lists(ctx, spec, nlevels));
  used keys = {false, false};
  for (int k = 0; k < nlevels; k++) {
    ovk__level *level = &algorithms->level[k];
    OVK_TRY(read_algorithm(ctx, spec, k, level, &keys));
    OVK_TRY(read_channel(ctx, spec, k, k + 1 == nlevels, &level->channel));
    const bool ring = level->algorithm == OVK__RING, halving = level->algorithm == OVK__HALVING;
    OVK_CHECK((!ring && !halving) || k + 1 == nlevels, ctx, OVK_ERR_ARG,
              "'%s': alg=%s is allowed only at the outermost level", ovk_spec_name(spec),
              ring ? "ring" : "halving");
  }
  OVK_TRY(check_used(ctx, spec, "k", keys.k, "kary, tree or nary"));
  OVK_TRY(check_used(ctx, spec, "reduce", keys.trees, "tree or nary"));
  return check_used(ctx, spec, "bcast", keys.trees, "tree or nary");
}
