/* SPDX-License-Identifier: BSD-2-Clause */
/* The script by which bash completes command lines of ovk: a function with the words that may
 * follow others, from the tables of commands and options. It starts no program. */
#include "cli/help.h"

#include <string.h>

/* Options whose values have names in a list of the library. */
static const struct named {
  const char *option;
  bool (*at)(const ovk_ctx *ctx, int index, ovk_choice *choice);
} named[] = {{"--method", ovk_list_methods},
             {"--precond", ovk_list_preconds},
             {"--backend", ovk_list_backends},
             {"--format", ovk_list_formats}};
enum { NAMED = sizeof named / sizeof *named };

static const char script_end[] =
    "  esac\n"
    "}\n"
    "_ovk()\n"
    "{\n"
    "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
    "  local command=${COMP_WORDS[1]}\n"
    "  COMPREPLY=()\n"
    "  if ((COMP_CWORD > 2)) && [[ $command == bench ]]; then command+=\" ${COMP_WORDS[2]}\"; fi\n"
    "  if ((COMP_CWORD == 1)); then\n"
    "    words=$(_ovk_words '')\n"
    "  elif ((COMP_CWORD == 2)); then\n"
    "    words=$(_ovk_words \"$command\")\n"
    "  else\n"
    "    words=$(_ovk_words \"$command $before\")\n"
    "    [[ $words || $word != -* ]] || words=$(_ovk_words \"$command\")\n"
    "  fi\n"
    "  [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
    "}\n"
    "complete -o default -F _ovk ovk\n";

static void print_values(FILE *file, const char *before, const option *o)
{
  const struct named *list = NULL;
  for (int k = 0; k < NAMED; k++) {
    if (strcmp(o->name, named[k].option) == 0) list = &named[k];
  }
  if (!o->words && !list) return;
  fprintf(file, "  '%s %s') echo", before, o->name);
  for (const char *const *word = o->words; word && *word; word++) fprintf(file, " %s", *word);
  ovk_choice choice = OVK_CHOICE;
  for (int i = 0; !o->words && list->at(NULL, i, &choice); i++) fprintf(file, " %s", choice.name);
  fputs(" ;;\n", file);
}

static void print_options(FILE *file, const char *group, const command *c)
{
  char before[64];
  snprintf(before, sizeof before, "%s%s%s", group, *group ? " " : "", c->name);
  fprintf(file, "  '%s') echo", before);
  for (const option *o = c->options; o && o->name; o++) fprintf(file, " %s", o->name);
  fputs(" --help ;;\n", file);
  for (const option *o = c->options; o && o->name; o++) print_values(file, before, o);
}

static void print_names(FILE *file, const command *const *list)
{
  for (int k = 0; list[k]; k++) fprintf(file, " %s", list[k]->name);
}

void completion_print(FILE *file, const command *const *list)
{
  fputs("# Completion of ovk, for bash; written by `ovk completion`.\n"
        "_ovk_words() # the words that may follow, by those before: COMMAND [SUBCOMMAND] [OPTION]\n"
        "{\n  case $1 in\n  '') echo",
        file);
  print_names(file, list);
  fputs(" help man completion --version ;;\n  'help' | 'man') echo", file);
  print_names(file, list);
  fputs(" ;;\n", file);
  for (int k = 0; list[k]; k++) {
    const command *c = list[k];
    if (!c->subcommands) {
      print_options(file, "", c);
      continue;
    }
    fprintf(file, "  '%s') echo", c->name);
    print_names(file, c->subcommands);
    fputs(" --help ;;\n", file);
    for (int j = 0; c->subcommands[j]; j++) print_options(file, c->name, c->subcommands[j]);
  }
  fputs(script_end, file);
}
