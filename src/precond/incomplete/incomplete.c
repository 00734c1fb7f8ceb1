/* SPDX-License-Identifier: BSD-2-Clause */
/* Setup of incomplete factorizations of this rank's diagonal block: block, sparsity, numbers,
 * packed triangles. Nothing is collective: each rank has its own fill and its own
 * shift. */
#include "precond/incomplete/incomplete.h"
#include "core/context/mem.h"
#include "matrix/mat_impl.h"
#include "matrix/order/rcm.h"
#include "precond/incomplete/ic_diagonals.h"
#include "precond/incomplete/reorder.h"

#include <stdlib.h>

const ovk_option ovk__incomplete_table[] = {OVK__INCOMPLETE_OPTIONS, OVK_OPTIONS_END};

typedef ovk__incomplete_options options;

static ovk_err incomplete_read_options(ovk_ctx *ctx, const ovk_spec *spec, options *o)
{
  const ovk_option *table = ovk__incomplete_table;
  OVK_TRY(ovk_spec_int(ctx, spec, table, "level", &o->level));
  OVK_TRY(ovk_spec_word(ctx, spec, table, "store", &o->single));
  OVK_TRY(ovk_spec_word(ctx, spec, table, "order", &o->rcm));
  return ovk_spec_double(ctx, spec, table, "shift", &o->shift);
}

static ovk_err incomplete_check_block(const ovk__block *B, const ovk__incomplete_kind *kind)
{
  OVK_TRY(ovk__block_check_finite(B, kind->name));
  return kind->symmetric ? ovk__block_check_symmetric(B, kind->name) : OVK_OK;
}

static ovk_err incomplete_factorize(const ovk__block *B, const ovk__incomplete_kind *kind,
                                    const options *o, ovk__factor *F, ovk__incomplete *state)
{
  OVK_TRY(ovk__sparsity_make(B, (ovk_lidx)o->level, &F->L, kind->symmetric ? NULL : &F->U));
  return ovk__factor_make(B, kind->name, kind->factorise, o->shift, F, state->info);
}

/* The diagonal belongs to L if there is no U. */
ovk_err ovk__incomplete_pack(const ovk__block *B, const char *who, bool single,
                             const ovk__factor *F, ovk__incomplete *state)
{
  const bool upper = F->upper != NULL;
  state->symmetric = !upper;
  OVK_TRY(ovk__triangle_pack(B, who, &F->L, F->lower, upper ? NULL : F->inverse, false, single,
                             &state->L));
  if (!upper) return OVK_OK;
  return ovk__triangle_pack(B, who, &F->U, F->upper, F->inverse, true, single, &state->U);
}

static ovk_err incomplete_make_factors(const ovk__block *B, const ovk__incomplete_kind *kind,
                                       const options *o, ovk__incomplete *state)
{
  ovk__factor F = {0};
  ovk_err err = incomplete_factorize(B, kind, o, &F, state);
  if (!err) err = ovk__incomplete_pack(B, kind->name, o->single, &F, state);
  ovk__factor_free(&F);
  return err;
}

static ovk_err incomplete_make_reordered(const ovk__block *B, const ovk__incomplete_kind *kind,
                                         const options *o, ovk__incomplete *state)
{
  ovk__block reordered;
  OVK_NEW_ARRAY(B->ctx, state->order, B->n);
  OVK_NEW_ARRAY(B->ctx, state->work, B->n);
  OVK_TRY(ovk__rcm(B->ctx, B->n, B->ptr, B->col, state->order));
  ovk_err err = ovk__block_reorder(B, state->order, &reordered);
  if (!err) err = incomplete_make_factors(&reordered, kind, o, state);
  ovk__block_free(&reordered);
  return err;
}

static ovk_err incomplete_make(const ovk__block *B, const ovk__incomplete_kind *kind,
                               ovk__incomplete *state)
{
  const options *o = &state->options;
  OVK_TRY(incomplete_check_block(B, kind));
  return (o->rcm ? incomplete_make_reordered : incomplete_make_factors)(B, kind, o, state);
}

static bool may_go_by_diagonals(const ovk__incomplete_kind *kind, const options *o)
{
  return kind->symmetric && o->level == 0 && !o->rcm;
}

/* Tries the short way to a factor by diagonals. */
static ovk_err incomplete_try_diagonals(ovk_ctx *ctx, ovk__block_rows rows,
                                        const ovk__incomplete_kind *kind, ovk__incomplete *state,
                                        bool *done)
{
  const options *o = &state->options;
  ovk__triangle *L = &state->L;
  *done = false;
  if (!may_go_by_diagonals(kind, o)) return OVK_OK;
  OVK_TRY(ovk__ic_diagonals_make(ctx, rows, o->shift, o->single, &L->dia, done));
  if (!*done) return OVK_OK;
  L->n = L->dia.n;
  L->by_diagonals = true;
  L->single = L->dia.single;
  state->symmetric = true;
  return OVK_OK;
}

static ovk_err incomplete_make_of_block(const ovk__block *B, const ovk__incomplete_kind *kind,
                                        ovk__incomplete *state)
{
  bool done;
  OVK_TRY(incomplete_try_diagonals(B->ctx, (ovk__block_rows){.B = B}, kind, state, &done));
  return done ? OVK_OK : incomplete_make(B, kind, state);
}

/* Whether the rows of A can be read one after the other; a symmetric format has to search for the
 * other half of each. */
static bool incomplete_has_rows(const ovk_mat *A)
{
  return A->state == OVK__MAT_ASSEMBLED && !A->format->symmetric;
}

static ovk_err incomplete_make_of_matrix(const ovk_mat *A, const ovk__incomplete_kind *kind,
                                         ovk__incomplete *state)
{
  ovk__block B;
  bool done = false;
  if (incomplete_has_rows(A)) {
    OVK_TRY(incomplete_try_diagonals(A->ctx, (ovk__block_rows){.A = A}, kind, state, &done));
    if (done) return OVK_OK;
  }
  ovk_err err = ovk__block_copy(A, kind->name, &B);
  if (!err)
    err = (incomplete_has_rows(A) ? incomplete_make : incomplete_make_of_block)(&B, kind, state);
  ovk__block_free(&B);
  return err;
}

static ovk_err incomplete_set_up(const ovk_mat *A, const ovk__block *B, const options *o,
                                 const ovk__incomplete_kind *kind, void **state)
{
  ovk__incomplete *made = calloc(1, sizeof *made);
  OVK_CHECK(made, A->ctx, OVK_ERR_MEMORY, "no memory for a preconditioner");
  made->options = *o;
  const ovk_err err =
      B ? incomplete_make_of_block(B, kind, made) : incomplete_make_of_matrix(A, kind, made);
  if (err) {
    ovk__incomplete_destroy(made);
  } else {
    *state = made;
  }
  return err;
}

ovk_err ovk__incomplete_setup(const ovk_mat *A, const ovk__block *B, const ovk_spec *spec,
                              const ovk__incomplete_kind *kind, void **state)
{
  options o;
  OVK_TRY(incomplete_read_options(A->ctx, spec, &o));
  return incomplete_set_up(A, B, &o, kind, state);
}

static void incomplete_free_contents(ovk__incomplete *s)
{
  ovk__triangle_free(&s->L);
  ovk__triangle_free(&s->U);
  free(s->order);
  free(s->work);
  free(s->block);
}

void ovk__incomplete_destroy(void *state)
{
  incomplete_free_contents(state);
  free(state);
}

/* *done <- whether a factor by diagonals was made in place; if not, its values may be lost. */
static ovk_err incomplete_update_in_place(const ovk_mat *A, const ovk__incomplete_kind *kind,
                                          ovk__incomplete *s, bool *done)
{
  const options *o = &s->options;
  *done = false;
  if (!may_go_by_diagonals(kind, o) || !s->L.by_diagonals || o->single || !incomplete_has_rows(A)) {
    return OVK_OK;
  }
  OVK_TRY(ovk__ic_diagonals_update(A->ctx, (ovk__block_rows){.A = A}, o->shift, &s->L.dia, done));
  if (*done) s->info[0] = '\0';
  return OVK_OK;
}

ovk_err ovk__incomplete_update(const ovk_mat *A, const ovk__incomplete_kind *kind, void *state)
{
  ovk__incomplete *s = state;
  void *made = NULL;
  bool done;
  OVK_TRY(incomplete_update_in_place(A, kind, s, &done));
  if (done) return OVK_OK;
  OVK_TRY(incomplete_set_up(A, NULL, &s->options, kind, &made));
  incomplete_free_contents(s);
  *s = *(ovk__incomplete *)made;
  free(made);
  return OVK_OK;
}

int64_t ovk__incomplete_bytes(void *state)
{
  const ovk__incomplete *s = state;
  const int64_t row = s->order ? (int64_t)(sizeof *s->order + sizeof *s->work) : 0;
  return ovk__triangle_bytes(&s->L) + ovk__triangle_bytes(&s->U) + s->L.n * row;
}

const char *ovk__incomplete_info(void *state)
{
  return ((const ovk__incomplete *)state)->info;
}
