/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a matrix is used in place, by MatMult(), or copied into a storage format. */
#include "ksp/ksp.h"

/* A product with a copy takes less time than one in place. After VALUES_PAY products with the same
 * values this has paid for the new values of a copy. A first copy also has its format, its halo
 * exchange and tests of its symmetry: COPY_PAYS. A part of these times does not depend on the rows.
 * It is that of products with FIXED rows in all. */
enum { VALUES_PAY = 32, COPY_PAYS = 48, FIXED = 1 << 16, MOST_FIXED = 72, FEW_ROWS = 1000 };

/* *rows <- those of a rank, on average: the same on all ranks. */
static PetscErrorCode average_rows(Mat A, PetscInt *rows)
{
  PetscMPIInt ranks;
  PetscFunctionBegin;
  PetscCall(MatGetSize(A, rows, NULL));
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)A), &ranks));
  *rows /= ranks;
  PetscFunctionReturn(0);
}

/* The products that a copy would have made faster with the last values, beyond those that pay for
 * new values. */
static int64_t gain_of(const ovkpetsc_expected *e)
{
  return e->products - VALUES_PAY - e->fixed;
}

/* A copy has paid for itself after so many products with the same values. */
static int64_t copy_pays_after(const ovkpetsc_expected *e)
{
  const int64_t rest = COPY_PAYS - VALUES_PAY - e->gain;
  return VALUES_PAY + e->fixed + (rest > 0 ? rest : 0);
}

/* Whether the first matrix of a KSP is expected to need few products. A PC that is not diagonal
 * makes solves shorter: if A is declared definite, cg starts in place, and copies A within the
 * solve if that becomes long, unless the last solve of another KSP has been long. */
static PetscErrorCode expect_few(KSP ksp, bool *few)
{
  const ksp_ovk *K = ksp->data;
  const ovkpetsc_expected *e = &K->now.expected;
  PetscBool diagonal;
  PetscFunctionBegin;
  PetscCall(ovkpetsc_pc_is_diagonal(ksp->pc, &diagonal));
  const bool short_before = K->context->products < copy_pays_after(e);
  *few = e->few_rows || (K->now.pc_class & OVKPETSC_STRONG) ||
         (!diagonal && ovkpetsc_quick_is_definite(K) && short_before);
  PetscFunctionReturn(0);
}

/* The next values are expected to need as many products as the last ones. */
static void expect_as_many(ovkpetsc_expected *e, bool in_place)
{
  const int64_t gain = gain_of(e);
  e->few = in_place ? e->products < copy_pays_after(e) : gain < 0;
  e->gain = !in_place ? 0 : gain > 0 ? e->gain + gain : e->gain;
}

PetscErrorCode ovkpetsc_choose_in_place(KSP ksp, Mat A, bool is_new, bool needs_rows)
{
  ksp_ovk *K = ksp->data;
  ovkpetsc_expected *e = &K->now.expected;
  PetscInt rows;
  PetscFunctionBegin;
  PetscCall(average_rows(A, &rows));
  e->few_rows = rows <= FEW_ROWS;
  e->fixed = rows > FIXED / MOST_FIXED ? (int)(FIXED / rows) : MOST_FIXED;
  if (!e->solved) PetscCall(expect_few(ksp, &e->few));
  if (is_new) {
    if (e->solved) expect_as_many(e, K->now.in_place);
    e->products = 0;
  }
  const bool together = K->now.columns && (K->now.pc_class & OVKPETSC_COLUMNS);
  K->now.in_place = e->few && !together && !needs_rows && e->products < copy_pays_after(e);
  PetscFunctionReturn(0);
}

/* A bound of the rounding errors, which a later solve with the same values has, is that of products
 * in place. */
void ovkpetsc_choose_copy_within(ksp_ovk *K)
{
  const bool is_cg = K->now.quick.method && !K->now.quick.restarts && !K->now.quick.presumes;
  const bool may =
      K->now.in_place && K->now.copy.possible && is_cg && K->now.expected.products == 0;
  K->now.copy.made = 0;
  K->now.copy.after = may ? copy_pays_after(&K->now.expected) : 0;
}
