# SPDX-License-Identifier: BSD-2-Clause
# Toolchain: Debian's cross compiler for aarch64, with the libraries that scripts/aarch64-sysroot has
# unpacked; qemu-aarch64 runs what it builds, as ranks of this machine's own mpiexec.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)

set(CMAKE_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-sysroot)
get_filename_component(CMAKE_SYSROOT ${CMAKE_SYSROOT} ABSOLUTE)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${CMAKE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(libraries ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})

# The wrapper mpicc would tell where this machine's MPI is.
set(MPI_C_LIB_NAMES mpi CACHE STRING "")
set(MPI_mpi_LIBRARY ${libraries}/openmpi/lib/libmpi.so CACHE FILEPATH "")
set(MPI_C_HEADER_DIR ${libraries}/openmpi/include CACHE PATH "")
set(MPI_C_INCLUDE_PATH ${MPI_C_HEADER_DIR} CACHE PATH "")

find_program(OVK_QEMU_AARCH64 NAMES qemu-aarch64 qemu-aarch64-static)
find_program(OVK_MPIEXEC NAMES mpiexec.openmpi mpiexec)
mark_as_advanced(OVK_QEMU_AARCH64 OVK_MPIEXEC)
set(MPIEXEC_EXECUTABLE ${OVK_MPIEXEC} CACHE FILEPATH "")
set(MPIEXEC_PREFLAGS ${OVK_QEMU_AARCH64} -L ${CMAKE_SYSROOT} CACHE STRING "")
