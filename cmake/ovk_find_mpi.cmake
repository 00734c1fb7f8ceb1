# SPDX-License-Identifier: BSD-2-Clause
# Finds MPI. Debian keeps several side by side as mpicc.openmpi and mpicc.mpich: OVK_MPI chooses.
if(OVK_MPI)
  find_program(OVK_MPICC mpicc.${OVK_MPI})
  find_program(OVK_MPIEXEC mpiexec.${OVK_MPI})
  mark_as_advanced(OVK_MPICC OVK_MPIEXEC)
  if(OVK_MPICC AND OVK_MPIEXEC)
    set(MPI_C_COMPILER ${OVK_MPICC} CACHE FILEPATH "MPI compiler wrapper")
    set(MPIEXEC_EXECUTABLE ${OVK_MPIEXEC} CACHE FILEPATH "MPI launcher")
  else()
    message(STATUS "There is no mpicc.${OVK_MPI}: taking the default MPI")
  endif()
endif()
find_package(MPI 3.0 REQUIRED COMPONENTS C)

# Persistent collectives and large counts came with MPI 4.0; some have the one without the other.
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
check_symbol_exists(MPI_Allreduce_init mpi.h OVK_HAVE_ALLREDUCE_INIT)
check_symbol_exists(MPI_Comm_create_from_group mpi.h OVK_HAVE_SESSIONS)
check_symbol_exists(MPIX_Allreduce_init "mpi.h;mpi-ext.h" OVK_HAVE_ALLREDUCE_INIT_EXTENSION)
check_symbol_exists(MPI_Allreduce_init_c mpi.h OVK_HAVE_ALLREDUCE_LARGE)

# Whose it is: programs that use the library must be compiled with the same.
check_symbol_exists(OPEN_MPI mpi.h OVK_MPI_IS_OPEN_MPI)
check_symbol_exists(MPICH_VERSION mpi.h OVK_HAVE_MPICH_VERSION)
check_symbol_exists(I_MPI_VERSION mpi.h OVK_HAVE_I_MPI_VERSION)
if(OVK_HAVE_MPICH_VERSION OR OVK_HAVE_I_MPI_VERSION)
  set(OVK_MPI_IS_MPICH ON)
endif()
unset(CMAKE_REQUIRED_LIBRARIES)
