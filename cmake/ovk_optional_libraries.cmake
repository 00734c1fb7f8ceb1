# SPDX-License-Identifier: BSD-2-Clause
# Finds the libraries that are optional.

# ovk_optional_library(NAME OPTION DESCRIPTION MODULE PACKAGE): makes the target ovk_NAME, to be linked PRIVATE, from
# the module of pkg-config, such as "openssl>=1.1.1". The library is used where it is installed, unless OPTION says
# otherwise. PACKAGE is its name in Debian. Sets OVK_NAME_LIBRARIES, which a static library passes on.
function(ovk_optional_library name option description module package)
  string(TOUPPER ${name} NAME)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(OVK_PKG_${NAME} QUIET ${module})
  endif()
  set(installed OFF)
  if(OVK_PKG_${NAME}_FOUND)
    set(installed ON)
  endif()
  option(${option} "${description}" ${installed})
  if(NOT ${option})
    return()
  endif()
  if(NOT installed)
    message(FATAL_ERROR "${option}=ON, but pkg-config does not find ${module}: install it (Debian: ${package})")
  endif()
  add_library(ovk_${name} INTERFACE)
  target_include_directories(ovk_${name} SYSTEM INTERFACE ${OVK_PKG_${NAME}_INCLUDE_DIRS})
  target_link_libraries(ovk_${name} INTERFACE ${OVK_PKG_${NAME}_LINK_LIBRARIES})
  set(OVK_${NAME}_LIBRARIES ${OVK_PKG_${NAME}_LINK_LIBRARIES} PARENT_SCOPE)
endfunction()

# Without hwloc, levels= takes node and sizes only, and a progress thread cannot be pinned.
ovk_optional_library(hwloc OVK_USE_HWLOC "Find sockets, NUMA domains and cores through hwloc" hwloc>=2.1 libhwloc-dev)
# 1.11: ibv_query_gid_ex().
ovk_optional_library(verbs OVK_WITH_VERBS "Use adapters for remote memory access through libibverbs" libibverbs>=1.11
                     libibverbs-dev)
# 1.1.1: TLS 1.3. It encrypts the connections of remote agents, which are not built without it.
ovk_optional_library(tls OVK_WITH_TLS "Build remote agents, whose control connections are encrypted by OpenSSL"
                     openssl>=1.1.1 libssl-dev)
