/* SPDX-License-Identifier: BSD-2-Clause */
/* What `ovk bench model --help` says of its figures. */
#ifndef OVK_TOOL_MODEL_NOTES_H
#define OVK_TOOL_MODEL_NOTES_H

extern const char model_notes[];

#endif
