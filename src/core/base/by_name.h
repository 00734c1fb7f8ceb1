/* SPDX-License-Identifier: BSD-2-Clause */
/* Structs whose members have one type: gcc refuses initializers by position, which a new order of
 * the members would change without a word. */
#ifndef OVK_CORE_BASE_BY_NAME_H
#define OVK_CORE_BASE_BY_NAME_H

#if defined __GNUC__ && !defined __clang__
#define OVK_BY_NAME __attribute__((designated_init))
#else
#define OVK_BY_NAME
#endif

#endif
