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

/* Members of such structs from a list of their names, #define LETTERS(X) X(r) X(u) ..., which is
 * written once for the vectors of a method, their arrays, and conversions. Lists with names of
 * arrays that are only read have two arguments, (OUT, IN). */
#define OVK_ARRAY(name) double *name;
#define OVK_ARRAY_IN(name) const double *name;

#endif
