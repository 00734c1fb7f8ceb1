/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether the program that a library is preloaded into uses the MPI that the library was made for;
 * part of libovk_delay.so and of libovk_mpi.so. */
#ifndef OVK_OWN_MPI_H
#define OVK_OWN_MPI_H

/* Ends the program with status 2 and a message in the name of `library` if it uses another MPI, to
 * which the handles of this one mean nothing. Callable before MPI_Init(). */
void own_mpi_require(const char *library);

#endif
