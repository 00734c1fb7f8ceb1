/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of `ovk bench model --help` on its figures. */
#ifndef OVK_TOOL_MODEL_NOTES_H
#define OVK_TOOL_MODEL_NOTES_H

extern const char model_notes[];

#endif
