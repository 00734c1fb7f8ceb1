/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of methods in PETSc, hypre and the papers, each with the one that ovkrylov prints. */
#ifndef OVK_TESTS_METHOD_NAMES_H
#define OVK_TESTS_METHOD_NAMES_H

static const char *const method_names[][2] = {{"cg", "cg"},
                                              {"pcg", "cg"},
                                              {"algorithm1", "cg"},
                                              {"PCG-Algorithm1", "cg"},
                                              {"algorithm2", "split-cg"},
                                              {"PCG-Algorithm2", "split-cg"},
                                              {"PCG-Overlap", "overlap"},
                                              {"gropp", "groppcg"},
                                              {"pipelined", "pipecg"},
                                              {"pipecgrr", "pipecg"},
                                              {"predict-recompute", "pipeprcg"},
                                              {"deep:l=3", "pipelcg:l=3"},
                                              {"pipelcg:l=3", "pipelcg:l=3"},
                                              {"flexible-cg", "fcg:m=1"},
                                              {"pipelined-fcg:m=2", "pipefcg:m=2"},
                                              {"bicgstab", "bcgs"},
                                              {"BiCGStab", "bcgs"},
                                              {"pipelined-bicgstab", "pipebcgs"},
                                              {"pipelined-gmres", "pgmres:l=1,restart=30"},
                                              {"pipelined-cr", "pipelined-minres"},
                                              {"flexgmres:restart=5", "fgmres:restart=5"}};

enum { METHOD_NAMES = sizeof method_names / sizeof *method_names };

#endif
