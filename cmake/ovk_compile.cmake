# SPDX-License-Identifier: BSD-2-Clause
# ovk_compile: how every target of the project is compiled. Link it PRIVATE.
add_library(ovk_compile INTERFACE)
target_compile_definitions(ovk_compile INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(ovk_compile INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                             -Wstrict-prototypes -Wmissing-prototypes)
# MPICH's MPI_STATUSES_IGNORE is the address 1, which gcc takes for an array that is too short.
target_compile_options(ovk_compile INTERFACE $<$<C_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
# Sizes are enumerators, also where they divide a double; newer versions of clang count that as extra.
target_compile_options(ovk_compile INTERFACE $<$<C_COMPILER_ID:Clang>:-Wno-enum-float-conversion>)
if(OVK_WERROR)
  target_compile_options(ovk_compile INTERFACE -Werror)
endif()

# The same bits from all compilers and versions of a function: no a * b + c in one rounding.
target_compile_options(ovk_compile INTERFACE -ffp-contract=off)

# Whether functions can have a version for each kind of processor; sanitizers start before the loader
# can choose one, and clang 14 chooses the wrong one.
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_FLAGS -Werror)
check_c_source_compiles("
  __attribute__((target_clones(\"arch=x86-64-v4\", \"arch=x86-64-v3\", \"default\")))
  int twice(int n) { return 2 * n; }
  int main(void) { return twice(0); }" OVK_HAVE_TARGET_CLONES)
unset(CMAKE_REQUIRED_FLAGS)
set(OVK_CLONES OFF)
if(OVK_HAVE_TARGET_CLONES AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT OVK_SANITIZE AND NOT OVK_SANITIZE_THREAD)
  set(OVK_CLONES ON)
  target_compile_definitions(ovk_compile INTERFACE OVK_CLONES)
endif()

# Instrumented code hides ranges of numbers from gcc, which then takes texts for too long.
if(OVK_SANITIZE)
  target_compile_options(ovk_compile INTERFACE $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(OVK_BUILD_FUZZ) # what libFuzzer sees of the code that it runs
  add_compile_options(-fsanitize=fuzzer-no-link,float-cast-overflow -fno-sanitize-recover=all)
endif()
if(OVK_SANITIZE_THREAD)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()
