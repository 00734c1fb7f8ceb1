/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that are written under a temporary name in the same folder, and are renamed when complete:
 * after a failure the old file is unchanged. For one rank. */
#ifndef OVK_CORE_CONTEXT_ATOMIC_WRITE_H
#define OVK_CORE_CONTEXT_ATOMIC_WRITE_H

#include "core/context/check.h"

enum { OVK__PATH_SIZE = 4096 };

typedef struct ovk__file_replacement {
  char written[OVK__PATH_SIZE]; /* the file to write, which exists and is empty */
  char target[OVK__PATH_SIZE];  /* its final name; "": `written` is a device or a pipe */
} ovk__file_replacement;

/* Creates the file to write. It has the permissions of the one that it will replace, or those that
 * open(2) gives to a new one. A symbolic link is kept: its target is replaced. Of several hard
 * links only `path` gets the new file. After an error no file is left. */
ovk_err ovk__replace_begin(ovk_ctx *ctx, const char *path, ovk__file_replacement *out);

/* Renames the written file; `path` as above. After an error it is removed. */
ovk_err ovk__replace_end(ovk_ctx *ctx, const char *path, const ovk__file_replacement *r);

/* Removes the written file. */
void ovk__replace_abandon(const ovk__file_replacement *r);

#endif
