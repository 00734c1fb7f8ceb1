/* SPDX-License-Identifier: BSD-2-Clause */
/* All storage formats: X(ops table). The first is what "auto" takes. */
#define OVK_FORMAT_LIST(X) X(ovk__format_csr)
