/* SPDX-License-Identifier: BSD-2-Clause */
/* Properties of a PC, from its type and from the KSPs and PCs that it contains. A PC of unknown
 * type, such as a user-defined one, is assumed to be constant and symmetric. */
#include "pc/pc.h"

#include <petsc/private/pcmgimpl.h>
#include <string.h>

enum {
  ONE_SIDED = OVKPETSC_ONE_SIDED,
  VARIES = OVKPETSC_VARIES,
  STRONG = OVKPETSC_STRONG,
  UNKNOWN = OVKPETSC_UNKNOWN,
  COLUMNS = OVKPETSC_COLUMNS
};
enum { LINEAR, MAYBE_NOT = UNKNOWN }; /* whether PCs of a type are linear, if those inside are */

typedef PetscErrorCode (*get_one)(PC, KSP *);
typedef PetscErrorCode (*get_blocks)(PC, PetscInt *, PetscInt *, KSP *[]);

/* *all <- bits that are set there, and those of this KSP; NULL: there is none on this rank. */
static PetscErrorCode add_ksp(KSP ksp, int *all)
{
  bool varies = false;
  int inner = 0;
  PetscFunctionBegin;
  if (!ksp) PetscFunctionReturn(0);
  PetscCall(ovkpetsc_ksp_varies(ksp, &varies));
  if (varies) *all |= VARIES;
  if (!ksp->pc) PetscFunctionReturn(0);
  PetscCall(ovkpetsc_pc_class(ksp->pc, &inner));
  *all |= inner & ~STRONG;
  PetscFunctionReturn(0);
}

static PetscErrorCode look_at_sor(PC pc, int *all)
{
  MatSORType sweep;
  PetscFunctionBegin;
  PetscCall(PCSORGetSymmetric(pc, &sweep));
  const bool both_ways = (sweep & SOR_SYMMETRIC_SWEEP) == SOR_SYMMETRIC_SWEEP ||
                         (sweep & SOR_LOCAL_SYMMETRIC_SWEEP) == SOR_LOCAL_SYMMETRIC_SWEEP;
  if (!both_ways) *all |= ONE_SIDED;
  PetscFunctionReturn(0);
}

static PetscErrorCode add_blocks(PC pc, get_blocks get, int *all)
{
  PetscInt n;
  KSP *inner;
  PetscFunctionBegin;
  PetscCall(get(pc, &n, NULL, &inner));
  for (PetscInt k = 0; k < n; k++) PetscCall(add_ksp(inner[k], all));
  PetscFunctionReturn(0);
}

static PetscErrorCode look_at_blocks(PC pc, int *all)
{
  return add_blocks(pc, PCBJacobiGetSubKSP, all);
}

/* A product is symmetric if it is repeated in reverse. */
static void look_at_combination(PCCompositeType type, int *all)
{
  const bool product = type == PC_COMPOSITE_MULTIPLICATIVE || type == PC_COMPOSITE_SPECIAL;
  if (product) *all |= ONE_SIDED;
  if (type == PC_COMPOSITE_GKB) *all |= VARIES; /* Golub-Kahan bidiagonalization */
}

/* A Schwarz method that restricts or interpolates without overlaps does so on one side only. One
 * subdomain has no overlap. Several ranks have several, and so may a rank, which combines them. */
static PetscErrorCode look_at_schwarz(PC pc, int *all)
{
  PCASMType type;
  PCCompositeType within;
  PetscInt subdomains;
  PetscMPIInt ranks;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)pc), &ranks));
  PetscCall(PCASMGetType(pc, &type));
  PetscCall(PCASMGetLocalType(pc, &within));
  PetscCall(PCASMGetLocalSubdomains(pc, &subdomains, NULL, NULL));
  if (type != PC_ASM_BASIC && (ranks > 1 || subdomains > 1)) *all |= ONE_SIDED;
  if (subdomains > 1) look_at_combination(within, all);
  PetscCall(add_blocks(pc, PCASMGetSubKSP, all));
  PetscFunctionReturn(0);
}

/* GASM has no function that returns its type: the default is symmetric if the matrix is marked as
 * symmetric. */
static PetscErrorCode look_at_general_schwarz(PC pc, int *all)
{
  PetscBool known, symmetric = PETSC_FALSE;
  PetscInt subdomains = 2;
  PetscMPIInt ranks;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)pc), &ranks));
  PetscCall(MatIsSymmetricKnown(pc->pmat, &known, &symmetric));
  if (ranks == 1) PetscCall(PCGASMGetSubdomains(pc, &subdomains, NULL, NULL));
  if (!(known && symmetric) && subdomains > 1) *all |= ONE_SIDED;
  PetscCall(add_blocks(pc, PCGASMGetSubKSP, all));
  PetscFunctionReturn(0);
}

/* PILUT drops entries of L and U row by row. A PETSc without hypre has no such function. */
static PetscErrorCode look_at_hypre(PC pc, int *all)
{
  const char *type = NULL;
  PetscFunctionBegin;
  PetscTryMethod(pc, "PCHYPREGetType_C", (PC, const char **), (pc, &type));
  if (type && strcmp(type, "pilut") == 0) *all |= ONE_SIDED;
  PetscFunctionReturn(0);
}

static PetscErrorCode look_at_composite(PC pc, int *all)
{
  PCCompositeType type;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(PCCompositeGetType(pc, &type));
  look_at_combination(type, all);
  PetscCall(PCCompositeGetNumberPC(pc, &n));
  for (PetscInt k = 0; k < n; k++) {
    PC part;
    int inner = 0;
    PetscCall(PCCompositeGetPC(pc, k, &part));
    PetscCall(PCSetUp(part)); /* as its first application would */
    PetscCall(ovkpetsc_pc_class(part, &inner));
    *all |= inner & ~STRONG;
  }
  PetscFunctionReturn(0);
}

/* One that varies is not tried: no method for symmetric PCs may use it. */
static PetscErrorCode look_at_schur(PC pc, int *all)
{
  bool definite = false;
  PetscFunctionBegin;
  if (!(*all & (VARIES | ONE_SIDED))) PetscCall(ovkpetsc_schur_is_definite(pc, &definite));
  if (!definite) *all |= ONE_SIDED;
  PetscFunctionReturn(0);
}

static PetscErrorCode look_at_split(PC pc, int *all)
{
  PCCompositeType type;
  PetscInt n;
  KSP *inner;
  PetscFunctionBegin;
  PetscCall(PCFieldSplitGetType(pc, &type));
  look_at_combination(type, all);
  PetscCall(PCFieldSplitGetSubKSP(pc, &n, &inner));
  for (PetscInt k = 0; k < n; k++) PetscCall(add_ksp(inner[k], all));
  PetscCall(PetscFree(inner));
  if (type == PC_COMPOSITE_SCHUR) PetscCall(look_at_schur(pc, all));
  PetscFunctionReturn(0);
}

/* If both smoothers of a level are the same, the cycle is symmetric if they are. Two that differ
 * may be the transpose of each other. */
static PetscErrorCode look_at_multigrid(PC pc, int *all)
{
  const PC_MG *mg = pc->data;
  PetscFunctionBegin;
  if (!mg->levels) PetscFunctionReturn(0);
  if (mg->am == PC_MG_KASKADE) *all |= ONE_SIDED;
  for (PetscInt k = 0; k < mg->nlevels; k++) {
    const PC_MG_Levels *level = mg->levels[k];
    int inner = 0;
    PetscCall(add_ksp(level->smoothd, &inner));
    if (level->smoothu != level->smoothd) {
      PetscCall(add_ksp(level->smoothu, &inner));
      inner &= ~ONE_SIDED;
    }
    *all |= inner;
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode add_one(PC pc, get_one get, int *all)
{
  KSP inner = NULL;
  PetscFunctionBegin;
  PetscCall(get(pc, &inner));
  PetscCall(add_ksp(inner, all));
  PetscFunctionReturn(0);
}

/* The known types: whether they are linear if the PCs inside of them are; other bits of the type
 * itself; and a function that looks at the PCs inside, or returns the one KSP that it has. Strong
 * PCs on one rank or a coarse matrix are parts of others. */
static const struct {
  const char *type;
  int linear, own;
  PetscErrorCode (*look)(PC, int *);
  get_one get;
} types[] = {
    {PCNONE, LINEAR, 0, NULL, NULL},
    {PCJACOBI, LINEAR, 0, NULL, NULL},
    {PCPBJACOBI, LINEAR, 0, NULL, NULL},
    {PCILU, LINEAR, 0, NULL, NULL},
    {PCICC, LINEAR, 0, NULL, NULL},
    {PCSOR, LINEAR, 0, look_at_sor, NULL},
    {PCKACZMARZ, MAYBE_NOT, ONE_SIDED, NULL, NULL},
    {PCBJACOBI, LINEAR, 0, look_at_blocks, NULL},
    {PCASM, LINEAR, 0, look_at_schwarz, NULL},
    {PCGASM, MAYBE_NOT, 0, look_at_general_schwarz, NULL},
    {PCCOMPOSITE, MAYBE_NOT, 0, look_at_composite, NULL},
    {PCFIELDSPLIT, MAYBE_NOT, 0, look_at_split, NULL},
    {PCMG, LINEAR, STRONG, look_at_multigrid, NULL},
    {PCGAMG, LINEAR, STRONG, look_at_multigrid, NULL},
    {PCML, MAYBE_NOT, STRONG, look_at_multigrid, NULL},
    {PCHMG, MAYBE_NOT, STRONG, look_at_multigrid, NULL},
    {PCEXOTIC, MAYBE_NOT, STRONG, look_at_multigrid, NULL},
    {PCHYPRE, MAYBE_NOT, STRONG, look_at_hypre, NULL},
    {PCBDDC, MAYBE_NOT, STRONG, NULL, NULL},
    {PCLU, LINEAR, STRONG, NULL, NULL},
    {PCCHOLESKY, LINEAR, STRONG, NULL, NULL},
    {PCKSP, MAYBE_NOT, 0, NULL, PCKSPGetKSP},
    {PCREDUNDANT, LINEAR, STRONG, NULL, PCRedundantGetKSP},
    {PCREDISTRIBUTE, MAYBE_NOT, 0, NULL, PCRedistributeGetKSP},
    {PCTELESCOPE, MAYBE_NOT, 0, NULL, PCTelescopeGetKSP},
    {PCGALERKIN, MAYBE_NOT, 0, NULL, PCGalerkinGetKSP},
    {PCDEFLATION, MAYBE_NOT, 0, NULL, PCDeflationGetCoarseKSP},
};

PetscErrorCode ovkpetsc_pc_class(PC pc, int *all)
{
  const char *type = ((PetscObject)pc)->type_name;
  size_t k = 0, n = sizeof types / sizeof *types;
  bool pay = false;
  PetscFunctionBegin;
  while (pc->setupcalled && type && k < n && strcmp(type, types[k].type) != 0) k++;
  *all = UNKNOWN;
  if (!pc->setupcalled || !type) PetscFunctionReturn(0);
  if (k < n) {
    *all = types[k].linear | types[k].own;
    if (types[k].look) PetscCall(types[k].look(pc, all));
    if (types[k].get) PetscCall(add_one(pc, types[k].get, all));
    const bool blocks = types[k].look == look_at_blocks || types[k].look == look_at_schwarz;
    if (!blocks) *all &= ~COLUMNS;
  }
  PetscCall(ovkpetsc_columns_pay(pc, &pay));
  if (pay) *all |= COLUMNS;
  PetscFunctionReturn(0);
}
