/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk list`: which methods, backends, preconditioners and formats there are. */
#include "json.h"
#include "output.h"
#include "tool.h"

#include <string.h>

enum { LIST_JSON };

static const option list_options[] = {
    [LIST_JSON] = {"--json", 1, "FILE|-", "write the list as JSON, - for standard output"},
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

/* *found <- the number of the kind called `word`. */
static ovk_err find_kind(ovk_ctx *ctx, const char *word, int *found)
{
  const char *names[NKINDS];
  for (*found = 0; *found < NKINDS; ++*found) {
    names[*found] = kinds[*found].name;
    if (strcmp(word, names[*found]) == 0) return OVK_OK;
  }
  return args_unknown(ctx, "list", word, names, NKINDS);
}

static void print_kind(const ovk_ctx *ctx, const kind *k)
{
  printf("%s\n", k->name);
  ovk_choice choice;
  for (int i = 0; k->at(ctx, i, &choice); i++) {
    printf("  %-15s %s", choice.name, choice.summary);
    for (const char *const *key = choice.keys; key && *key; key++)
      printf("%s%s", key == choice.keys ? " [keys: " : ", ", *key);
    puts(choice.keys && *choice.keys ? "]" : "");
  }
}

static void write_kind(json *out, const ovk_ctx *ctx, const kind *k)
{
  json_open(out, k->name, '[');
  ovk_choice choice;
  for (int i = 0; k->at(ctx, i, &choice); i++) {
    json_open(out, NULL, '{');
    json_text(out, "name", choice.name);
    json_text(out, "summary", choice.summary);
    json_open(out, "keys", '[');
    for (const char *const *key = choice.keys; key && *key; key++) json_text(out, NULL, *key);
    json_close(out, ']');
    json_close(out, '}');
  }
  json_close(out, ']');
}

static ovk_err run(ovk_ctx *ctx, const args *given, int *status)
{
  int first = 0, end = NKINDS;
  if (given->word) {
    TRY(find_kind(ctx, given->word, &first));
    end = first + 1;
  }
  output file;
  TRY(output_open(ctx, args_text(given, LIST_JSON, NULL), &file));
  if (file.file) {
    json out = {file.file, 0, false};
    json_open(&out, NULL, '{');
    for (int k = first; k < end; k++) write_kind(&out, ctx, &kinds[k]);
    json_close(&out, '}');
  }
  if (ovk_ctx_rank(ctx) == 0 && !output_is_stdout(&file)) {
    for (int k = first; k < end; k++) print_kind(ctx, &kinds[k]);
  }
  *status = STATUS_CONVERGED;
  return output_close(ctx, &file);
}

const command list_command = {
    .name = "list",
    .usage = "[methods|backends|preconds|formats] [--json FILE|-]",
    .summary = "list methods, backends, preconditioners and storage formats",
    .options = list_options,
    .words = 1,
    .run = run,
};
