/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk list`: the methods, backends, preconditioners and formats, and the schedule of a backend. */
#include "cli/wrap.h"
#include "commands/commands.h"
#include "json.h"
#include "list_options.h"
#include "output.h"
#include "tool.h"

#include <limits.h>
#include <ovkrylov/comm/schedule.h>
#include <string.h>
#include <strings.h>

enum { LIST_JSON, LIST_RANKS, LIST_RANK, LIST_COUNT };

static const option list_options[] = {
    [LIST_JSON] =
        OPTION_TEXT("--json", "FILE|-", NULL, "write the list as JSON; -: on standard output"),
    [LIST_RANKS] = OPTION_INTEGER("--ranks", "P", 1, INT_MAX, NULL,
                                  "schedule: ranks of the run; default: the available ones"),
    [LIST_RANK] = OPTION_INTEGER("--rank", "R", 0, INT_MAX, "0",
                                 "schedule: the rank whose actions are listed"),
    [LIST_COUNT] = OPTION_INTEGER("--count", "N", 1, INT_MAX, "1", "schedule: doubles to sum"),
    {0},
};

typedef struct kind {
  const char *name;
  bool (*at)(const ovk_ctx *ctx, int index, ovk_choice *choice);
} kind;

static const kind kinds[] = {{"methods", ovk_list_methods},
                             {"backends", ovk_list_backends},
                             {"preconds", ovk_list_preconds},
                             {"formats", ovk_list_formats}};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

static const char schedule_name[] = "schedule";

/* *found <- the number of the kind called `word`. */
static ovk_err find_kind(ovk_ctx *ctx, const char *word, int *found)
{
  const char *names[NKINDS + 1] = {[NKINDS] = schedule_name};
  for (*found = 0; *found < NKINDS; ++*found) {
    names[*found] = kinds[*found].name;
    if (strcmp(word, names[*found]) == 0) return OVK_OK;
  }
  return args_unknown(ctx, "list", word, names, NKINDS + 1);
}

static void print_aliases(const char *aliases, int left)
{
  char line[256];
  if (!*aliases) return;
  snprintf(line, sizeof line, "also: %s", aliases);
  printf("%*s", left, "");
  wrap_print(stdout, line, left, left);
}

static void print_keys(const ovk_option *keys, int left)
{
  char list[512] = "";
  for (; keys && keys->name; keys++) {
    const size_t used = strlen(list);
    if (!ovk_option_is_for_tests(keys))
      snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "keys: ", keys->name);
  }
  if (!*list) return;
  printf("%*s", left, "");
  wrap_print(stdout, list, left, left);
}

static void print_columns(const ovk_choice *choice, int left)
{
  if (choice->columns) printf("%*scolumns: several right-hand sides at once\n", left, "");
}

static void print_kind(const ovk_ctx *ctx, const kind *k)
{
  enum { INDENT = 2 };
  ovk_choice choice = OVK_CHOICE;
  int longest = 0;
  for (int i = 0; k->at(ctx, i, &choice); i++) {
    const int length = (int)strlen(choice.name);
    if (length > longest) longest = length;
  }
  const int left = INDENT + longest + 2;
  printf("%s\n", k->name);
  for (int i = 0; k->at(ctx, i, &choice); i++) {
    printf("%*s%-*s", INDENT, "", left - INDENT, choice.name);
    wrap_print(stdout, choice.summary, left, left);
    print_keys(choice.keys, left);
    print_aliases(choice.aliases, left);
    print_columns(&choice, left);
  }
}

/* Whether `word` is the name or an alias of an entry, in any case of letters. */
static bool is_called(const ovk_choice *choice, const char *word)
{
  const size_t length = strlen(word);
  if (strcasecmp(choice->name, word) == 0) return true;
  for (const char *alias = choice->aliases; *alias; alias += strspn(alias, " ")) {
    const size_t n = strcspn(alias, " ");
    if (n == length && strncasecmp(alias, word, n) == 0) return true;
    alias += n;
  }
  return false;
}

/* Prints one entry with its table of options. */
static ovk_err print_entry(ovk_ctx *ctx, const kind *k, const char *word)
{
  ovk_choice choice = OVK_CHOICE;
  for (int i = 0; k->at(ctx, i, &choice); i++) {
    if (!is_called(&choice, word)) continue;
    if (ovk_ctx_rank(ctx) != 0) return OVK_OK;
    const int left = (int)strlen(choice.name) + 2;
    printf("%-*s", left, choice.name);
    wrap_print(stdout, choice.summary, left, left);
    print_aliases(choice.aliases, left);
    print_columns(&choice, left);
    list_options_print(choice.keys);
    return OVK_OK;
  }
  return ovk_ctx_fail(ctx, OVK_ERR_UNKNOWN, "list %s: there is no '%s'; see `ovk list %s`", k->name,
                      word, k->name);
}

static void write_kind(json *out, const ovk_ctx *ctx, const kind *k)
{
  json_open(out, k->name, '[');
  ovk_choice choice = OVK_CHOICE;
  for (int i = 0; k->at(ctx, i, &choice); i++) {
    json_open(out, NULL, '{');
    json_text(out, "name", choice.name);
    json_text(out, "summary", choice.summary);
    json_open(out, "keys", '[');
    for (const ovk_option *key = choice.keys; key && key->name; key++) {
      if (!ovk_option_is_for_tests(key)) json_text(out, NULL, key->name);
    }
    json_close(out, ']');
    list_options_write(out, choice.keys);
    json_text(out, "aliases", choice.aliases);
    json_bool(out, "columns", choice.columns);
    json_close(out, '}');
  }
  json_close(out, ']');
}

static ovk_err list_kinds(ovk_ctx *ctx, const args *given)
{
  int first = 0, end = NKINDS;
  for (int k = LIST_RANKS; k <= LIST_COUNT; k++) {
    if (!args_has(given, k)) continue;
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s is for `ovk list schedule`", list_options[k].name);
  }
  if (given->word) {
    TRY(find_kind(ctx, given->word, &first));
    end = first + 1;
  }
  if (given->detail && !args_has(given, LIST_JSON)) {
    return print_entry(ctx, &kinds[first], given->detail);
  }
  if (given->detail) return ovk_ctx_fail(ctx, OVK_ERR_ARG, "--json lists all %s", given->word);
  output file;
  TRY(output_open(ctx, args_text(given, LIST_JSON), &file));
  if (file.file) {
    json out = {file.file, 0, false};
    json_open(&out, NULL, '{');
    for (int k = first; k < end; k++) write_kind(&out, ctx, &kinds[k]);
    json_close(&out, '}');
  }
  if (ovk_ctx_rank(ctx) == 0 && !output_is_stdout(&file)) {
    for (int k = first; k < end; k++) print_kind(ctx, &kinds[k]);
  }
  return output_close(ctx, &file);
}

/* The schedule, and the state of its output. */
typedef struct show {
  const char *spec;
  int nranks, rank, count;
  json out; /* no file: as text on standard output */
  int round;
} show;

static ovk_err read_show(ovk_ctx *ctx, const args *given, show *s)
{
  *s = (show){.spec = given->detail, .nranks = ovk_ctx_size(ctx)};
  if (!s->spec) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "list schedule: of which backend? Such as nbc:alg=tree");
  }
  args_int(given, LIST_RANKS, &s->nranks);
  args_int(given, LIST_RANK, &s->rank);
  args_int(given, LIST_COUNT, &s->count);
  return ovk_list_schedule(ctx, s->spec, s->nranks, s->rank, s->count, NULL, NULL);
}

static void print_action(void *arg, int round, const char *action)
{
  show *s = arg;
  if (round != s->round) printf("round %d\n", round);
  printf("  %s\n", action);
  s->round = round;
}

static void write_action(void *arg, int round, const char *action)
{
  show *s = arg;
  if (round != s->round) {
    if (s->round) json_close(&s->out, ']');
    json_open(&s->out, NULL, '[');
  }
  json_text(&s->out, NULL, action);
  s->round = round;
}

static ovk_err write_schedule(ovk_ctx *ctx, show *s)
{
  json_open(&s->out, NULL, '{');
  json_text(&s->out, "spec", s->spec);
  json_int(&s->out, "ranks", s->nranks);
  json_int(&s->out, "rank", s->rank);
  json_int(&s->out, "count", s->count);
  json_open(&s->out, "rounds", '[');
  const ovk_err err =
      ovk_list_schedule(ctx, s->spec, s->nranks, s->rank, s->count, write_action, s);
  if (s->round) json_close(&s->out, ']');
  json_close(&s->out, ']');
  json_close(&s->out, '}');
  return err;
}

static ovk_err list_schedule(ovk_ctx *ctx, const args *given)
{
  show s;
  output file;
  TRY(read_show(ctx, given, &s));
  TRY(output_open(ctx, args_text(given, LIST_JSON), &file));
  ovk_err err = OVK_OK;
  if (file.file) {
    s.out.file = file.file;
    err = write_schedule(ctx, &s);
  }
  s.round = 0;
  if (!err && ovk_ctx_rank(ctx) == 0 && !output_is_stdout(&file)) {
    err = ovk_list_schedule(ctx, s.spec, s.nranks, s.rank, s.count, print_action, &s);
  }
  err = tool_agree(ctx, err);
  if (!err) return output_close(ctx, &file);
  output_discard(&file);
  return err;
}

static ovk_err list_run(ovk_ctx *ctx, const args *given)
{
  const bool schedule = given->word && strcmp(given->word, schedule_name) == 0;
  return schedule ? list_schedule(ctx, given) : list_kinds(ctx, given);
}

const command list_command = {
    .name = "list",
    .usage = "[methods|backends|preconds|formats [NAME] | schedule SPEC] [OPTIONS]",
    .summary = "list methods, backends, preconditioners, formats, and options; show a schedule",
    .options = list_options,
    .words = 2,
    .run = list_run,
};
