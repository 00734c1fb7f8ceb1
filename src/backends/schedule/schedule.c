/* SPDX-License-Identifier: BSD-2-Clause */
/* Shapes from specs, and schedules from shapes. */
#include "backends/schedule/builder.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_DEGREE = 2, MOST_DEGREE = 8 };

static ovk_err read_degree(ovk_ctx *ctx, const ovk_spec *spec, const char *key, int otherwise,
                           int *degree)
{
  long value;
  OVK_TRY(ovk_spec_int(ctx, spec, key, LEAST_DEGREE, MOST_DEGREE, otherwise, &value));
  *degree = (int)value;
  return OVK_OK;
}

/* A key that the chosen algorithm does not look at would be a setting without effect. */
static ovk_err check_used(ovk_ctx *ctx, const ovk_spec *spec, const char *key, bool used,
                          const char *owner)
{
  OVK_CHECK(used || !ovk_spec_has(spec, key), ctx, OVK_ERR_ARG, "'%s': %s belongs to alg=%s",
            ovk_spec_name(spec), key, owner);
  return OVK_OK;
}

ovk_err ovk__shape_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__shape *shape)
{
  static const char *const names[] = {"flat", "doubling", "kary", "tree"};
  static const ovk__algorithm algorithms[] = {OVK__FLAT, OVK__KARY, OVK__KARY, OVK__TREE};
  const char *name = ovk_spec_string(spec, "alg", "doubling");
  size_t which = 0;
  while (which < 4 && strcmp(names[which], name) != 0) which++;
  OVK_CHECK(which < 4, ctx, OVK_ERR_ARG, "'%s': alg is flat, doubling, kary or tree, not '%s'",
            ovk_spec_name(spec), name);
  shape->algorithm = algorithms[which];
  OVK_TRY(check_used(ctx, spec, "k", strcmp(name, "kary") == 0, "kary"));
  OVK_TRY(check_used(ctx, spec, "reduce", strcmp(name, "tree") == 0, "tree"));
  OVK_TRY(check_used(ctx, spec, "bcast", strcmp(name, "tree") == 0, "tree"));
  OVK_TRY(read_degree(ctx, spec, "k", strcmp(name, "kary") == 0 ? 4 : 2, &shape->k));
  OVK_TRY(read_degree(ctx, spec, "reduce", 2, &shape->reduce));
  return read_degree(ctx, spec, "bcast", 4, &shape->bcast);
}

ovk_err ovk__schedule_build(ovk_ctx *ctx, const ovk__shape *shape, int nranks, int rank,
                            ovk__schedule *out)
{
  *out = (ovk__schedule){.nbuffers = 1};
  ovk__builder b = {.ctx = ctx, .nranks = nranks, .rank = rank, .schedule = out};
  switch (shape->algorithm) {
  case OVK__FLAT:
    ovk__build_flat(&b);
    break;
  case OVK__KARY:
    ovk__build_kary(&b, shape->k);
    break;
  case OVK__TREE:
    ovk__build_tree(&b, shape->reduce, shape->bcast);
    break;
  }
  ovk__build_end(&b);
  return b.err;
}

void ovk__schedule_free(ovk__schedule *schedule)
{
  free(schedule->actions);
  free(schedule->rounds);
  *schedule = (ovk__schedule){0};
}
