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

# ovk_kernel_tests(VERSION COMMAND...): tests of kernels, started by COMMAND; files of a program share a start.
set(files_of_updates test_updates test_updates_overlapped)
set(files_of_formats test_dia_format test_dia_slices test_pattern_format test_sell_format test_sym3_format
                     test_sym_format test_symdia_format test_narrow_formats)
foreach(name IN ITEMS updates_exact triangle fingerprints)
  set(files_of_${name} test_${name})
endforeach()
function(ovk_kernel_tests version)
  foreach(name IN ITEMS updates formats updates_exact triangle fingerprints)
    list(GET files_of_${name} 0 first)
    ovk_program_of(program ${first})
    add_test(NAME ${name}_${version} COMMAND ${ARGN} $<TARGET_FILE:${program}> ${files_of_${name}})
    set_tests_properties(${name}_${version} PROPERTIES LABELS unit TIMEOUT 600 ENVIRONMENT "${OVK_TEST_ENVIRONMENT}")
  endforeach()
endfunction()

if(OVK_VALGRIND)
  ovk_kernel_tests(avx2 ${OVK_VALGRIND} --tool=none --quiet)
endif()
if(OVK_QEMU)
  ovk_kernel_tests(plain ${OVK_QEMU} -cpu Nehalem)
  set_tests_properties(updates_plain formats_plain triangle_plain PROPERTIES LABELS "unit;long")
endif()
