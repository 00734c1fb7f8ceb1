/* SPDX-License-Identifier: BSD-2-Clause */
/* The options -ovk_take, which replaces types of PETSc by the type "ovk", and -ovk_report. */
#ifndef OVKPETSC_TAKE_H
#define OVKPETSC_TAKE_H

#include "state/ksp_ovk.h"

/* The original type "cg" of PETSc is registered as "petsc-cg". */
#define OVKPETSC_ORIGINAL "petsc-"
enum { OVKPETSC_TYPE_SIZE = 64 };

/* take.c: reads -ovk_take, after the type has been registered. */
PetscErrorCode ovkpetsc_take(void);

/* count.c: reads -ovk_report, after all types have been registered. */
PetscErrorCode ovkpetsc_count(void);

/* take.c: whether -ovk_take knows this type. */
bool ovkpetsc_can_take(const char *name);

/* taken.c: the constructor of a KSP of such a type. */
PetscErrorCode ovkpetsc_taken_create(KSP ksp, const ovkpetsc_taken *taken);

/* setters.c: adds, or removes, the functions of PETSc that set values in a KSP of this type. */
PetscErrorCode ovkpetsc_setters_compose(KSP ksp, bool with);

/* setters.c: the options of the original types for the same settings. */
PetscErrorCode ovkpetsc_setters_from_options(KSP ksp, ovkpetsc_options PetscOptionsObject);

/* setters.c: passes the settings to the original type, after the KSP has changed back to it. */
PetscErrorCode ovkpetsc_setters_hand_on(KSP ksp, ovkpetsc_family family,
                                        const ovkpetsc_settings *settings);

/* setters.c: rejects a setting, with the remedy in the message. */
PetscErrorCode ovkpetsc_refuse(KSP ksp, const char *what);

/* options.c: the options of the original types that have no function. Rejects features that the
 * methods of ovkrylov lack. */
PetscErrorCode ovkpetsc_others_from_options(KSP ksp, ovkpetsc_options PetscOptionsObject);

/* directions.c: the defaults of flexible CG in a new KSP. Like all functions of this file, does
 * nothing with KSPs of other families. */
PetscErrorCode ovkpetsc_directions_default(KSP ksp);

/* directions.c: the options of the original types. */
PetscErrorCode ovkpetsc_directions_from_options(KSP ksp, ovkpetsc_options PetscOptionsObject);

/* directions.c: settles how many directions are kept; *has: methods of ovkrylov can keep so many.
 */
PetscErrorCode ovkpetsc_directions_settle(KSP ksp, bool *has);

/* directions.c: passes the settings on, as ovkpetsc_setters_hand_on() does. */
PetscErrorCode ovkpetsc_directions_hand_on(KSP ksp, ovkpetsc_family family,
                                           const ovkpetsc_settings *settings);

#endif
