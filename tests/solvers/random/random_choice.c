/* SPDX-License-Identifier: BSD-2-Clause */
/* Choices from the library's lists: methods and preconditioners in turn, the rest at random. */
#include "random_choice.h"
#include "support/specs/reduction_specs.h"
#include "support/specs/verbs_ways.h"

typedef bool list_fn(const ovk_ctx *ctx, int index, ovk_choice *choice);

/* An element of a list, with uniform probability. */
static ovk_choice draw(const ovk_ctx *ctx, list_fn *list, dice *d)
{
  ovk_choice choice = {0};
  int n = 0;
  while (list(ctx, n, &choice)) n++;
  assert_true(n > 0);
  assert_true(list(ctx, dice_below(d, n), &choice));
  return choice;
}

static bool has_key(const ovk_choice *choice, const char *key)
{
  for (int k = 0; choice->keys && choice->keys[k].name; k++) {
    if (strcmp(choice->keys[k].name, key) == 0) return true;
  }
  return false;
}

static void draw_nbc(dice *d, char spec[SPEC])
{
  char text[REDUCTION_SPEC_SIZE];
  int n = 0;
  while (reduction_spec(n, text)) n++;
  (void)reduction_spec(dice_below(d, n), text);
  snprintf(spec, SPEC, "%s", text);
}

static void draw_verbs(dice *d, char spec[SPEC])
{
  char text[VERBS_SPEC_SIZE];
  snprintf(spec, SPEC, "%s", verbs_spec(text, verbs_ways[dice_below(d, VERBS_WAYS)].keys));
}

static void draw_backend(const ovk_ctx *ctx, dice *d, char spec[SPEC])
{
  char decorators[SPEC / 2] = "", last[SPEC];
  for (;;) {
    const ovk_choice choice = draw(ctx, ovk_list_backends, d);
    snprintf(last, SPEC, "%s", choice.name);
    if (strcmp(choice.name, "nbc") == 0) draw_nbc(d, last);
    if (strcmp(choice.name, "verbs") == 0) draw_verbs(d, last);
    if (!choice.decorates) break;
    if (strlen(decorators) > 60) continue;
    char text[SPEC / 2];
    const char *keys = has_key(&choice, "jitter") ? ":us=40,jitter=0.5" : "";
    snprintf(text, sizeof text, "%.80s%.30s%s|", decorators, choice.name, keys);
    memcpy(decorators, text, sizeof text);
  }
  snprintf(spec, SPEC, "%.100s%.250s", decorators, last);
}

static void add_key(char spec[SPEC], const char *key)
{
  const size_t end = strlen(spec);
  snprintf(spec + end, SPEC - end, "%c%s", strchr(spec, ':') ? ',' : ':', key);
}

static void complete_method(const ovk_choice *choice, dice *d, random_choice *C)
{
  static const char *const variants[] = {"ortho=cgs2", "ortho=cgs", "ortho=mgs", "basis=float"};
  static const char *const numbers[] = {"restart", "l"};
  const int number = 1 + dice_below(d, 5);
  snprintf(C->method, SPEC, "%s", choice->name);
  for (int k = 0; k < 2; k++) {
    char key[20];
    if (!has_key(choice, numbers[k]) || strchr(C->method, ':')) continue;
    snprintf(key, sizeof key, "%s=%d", numbers[k], number);
    add_key(C->method, key);
  }
  C->left = has_key(choice, "side") && dice_once_in(d, 2);
  if (C->left) add_key(C->method, "side=left");
  if (has_key(choice, "ortho") && dice_once_in(d, 2))
    add_key(C->method, variants[dice_below(d, 4)]);
}

/* Preconditioner number k of the list, in which each kind of blocks counts; false past its end. */
static bool precond_at(const ovk_ctx *ctx, int k, ovk_choice *choice, const char **sub)
{
  static const char *const subs[] = {"dense", "ic", "ilu"};
  for (int i = 0; ovk_list_preconds(ctx, i, choice); i++) {
    const int kinds = has_key(choice, "sub") ? 3 : 1;
    *sub = subs[k % 3];
    if (k < kinds) return true;
    k -= kinds;
  }
  return false;
}

static void complete_precond(const ovk_choice *choice, const char *sub, dice *d, char spec[SPEC])
{
  const int number = dice_below(d, 3);
  const char *store = dice_once_in(d, 2) ? "float" : "double";
  if (has_key(choice, "sub")) {
    snprintf(spec, SPEC, "%s:sub=%s,blocks=%d", choice->name, sub, 1 + dice_below(d, 4));
  } else if (has_key(choice, "level")) {
    snprintf(spec, SPEC, "%s:level=%d,store=%s", choice->name, number, store);
  } else if (has_key(choice, "omega")) {
    snprintf(spec, SPEC, "%s:omega=%g", choice->name, 0.5 * (1 + number));
  } else if (has_key(choice, "degree")) {
    snprintf(spec, SPEC, "%s:degree=%d", choice->name, 1 + 2 * number);
  } else {
    snprintf(spec, SPEC, "%s", choice->name);
  }
}

static int count_preconds(const ovk_ctx *ctx)
{
  ovk_choice choice = OVK_CHOICE;
  const char *sub;
  int n = 1; /* at least */
  while (precond_at(ctx, n, &choice, &sub)) n++;
  return n;
}

int random_pairs(const ovk_ctx *ctx)
{
  ovk_choice choice = OVK_CHOICE;
  int methods = 1;
  while (ovk_list_methods(ctx, methods, &choice)) methods++;
  return methods * count_preconds(ctx);
}

/* Pairs of a method and a preconditioner in turn, so that no pair is omitted. */
static void choose_pair(const ovk_ctx *ctx, uint64_t seed, dice *d, random_choice *C)
{
  ovk_choice choice = {0};
  const char *sub = NULL;
  const int preconds = count_preconds(ctx);
  const int pair = (int)(seed % (uint64_t)random_pairs(ctx));
  assert_true(ovk_list_methods(ctx, pair / preconds, &choice));
  complete_method(&choice, d, C);
  assert_true(precond_at(ctx, pair % preconds, &choice, &sub));
  complete_precond(&choice, sub, d, C->precond);
}

static void draw_opts(dice *d, random_choice *C)
{
  static const double rtol[] = {1e-4, 1e-8, 1e-12, 0};
  static const ovk_lidx poll_rows[] = {0, 1, 7, 4096};
  static const int every[] = {0, 0, 1, 3};
  C->opts = (ovk_solver_opts)OVK_SOLVER_OPTS;
  C->opts.method = C->method;
  C->opts.backend = C->backend;
  C->opts.rtol = rtol[dice_below(d, 4)];
  C->opts.poll_rows = poll_rows[dice_below(d, 4)];
  C->opts.true_residual_every = every[dice_below(d, 4)];
  C->opts.maxit = dice_once_in(d, 10) ? dice_below(d, 8) : 2000;
  C->opts.norm = (ovk_norm)dice_below(d, OVK_NORM_NATURAL + 1);
  if (C->left) C->opts.norm = OVK_NORM_PRECONDITIONED;
}

bool random_checks(uint64_t seed)
{
  return seed % 4 != 0;
}

void random_choose(ovk_ctx *ctx, uint64_t seed, random_choice *C)
{
  dice d = {.seed = seed};
  *C = (random_choice){0};
  choose_pair(ctx, seed, &d, C);
  draw_backend(ctx, &d, C->backend);
  snprintf(C->format, SPEC, "%s", draw(ctx, ovk_list_formats, &d).name);
  draw_opts(&d, C);
  C->shell = dice_once_in(&d, 4);
}
