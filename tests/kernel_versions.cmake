# SPDX-License-Identifier: BSD-2-Clause
# Kernels have versions for several processors (core/clones.h), of which a machine runs its best one.
# Solves of fingerprints.txt compare all of them with each other. The others run in emulations: valgrind's processor has
# AVX2 and not AVX-512, Nehalem neither. Kernels alone without AVX are long: sanitizers and aarch64 have no others.
if(NOT OVK_CLONES OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  return()
endif()
find_program(OVK_VALGRIND valgrind)
find_program(OVK_QEMU qemu-x86_64)
mark_as_advanced(OVK_VALGRIND OVK_QEMU)

# ovk_kernel_tests(VERSION COMMAND...): tests of kernels, started by COMMAND.
function(ovk_kernel_tests version)
  foreach(name updates updates_overlapped updates_exact triangle dia_format dia_slices pattern_format sell_format sym3_format sym_format symdia_format
               narrow_formats fingerprints)
    ovk_test_command(command test_${name})
    add_test(NAME ${name}_${version} COMMAND ${ARGN} ${command})
    set_tests_properties(${name}_${version} PROPERTIES LABELS unit TIMEOUT 300
                         ENVIRONMENT "${OVK_TEST_ENVIRONMENT}")
  endforeach()
endfunction()

if(OVK_VALGRIND)
  ovk_kernel_tests(avx2 ${OVK_VALGRIND} --tool=none --quiet)
endif()
if(OVK_QEMU)
  ovk_kernel_tests(plain ${OVK_QEMU} -cpu Nehalem)
  foreach(name updates updates_overlapped triangle dia_format dia_slices pattern_format sell_format sym3_format sym_format
               symdia_format narrow_formats)
    set_tests_properties(${name}_plain PROPERTIES LABELS "unit;long")
  endforeach()
endif()
