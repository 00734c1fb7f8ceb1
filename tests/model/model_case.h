/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the tests of the model. */
#ifndef OVK_TEST_MODEL_CASE_H
#define OVK_TEST_MODEL_CASE_H

#include "model/model.h"

static const double US = 1e-6;

/* Without latencies, overheads and noise: 1000 rows and 10 polls in a product of 100 us. */
ovk_model model_of(const char *method, const char *backend, int nranks);

/* Its iteration is the sum of its parts. */
ovk_model_result run_model(const ovk_model *m);

#endif
