# SPDX-License-Identifier: BSD-2-Clause
# ovk_compile: how every target of the project is compiled. Link it PRIVATE.
add_library(ovk_compile INTERFACE)
target_compile_definitions(ovk_compile INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(ovk_compile INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                             -Wstrict-prototypes -Wmissing-prototypes)
# MPICH's MPI_STATUSES_IGNORE is the address 1, which gcc takes for an array that is too short.
target_compile_options(ovk_compile INTERFACE $<$<C_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
if(OVK_WERROR)
  target_compile_options(ovk_compile INTERFACE -Werror)
endif()
if(OVK_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(OVK_SANITIZE_THREAD)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()
