# SPDX-License-Identifier: BSD-2-Clause
# Finds libibverbs, which drives InfiniBand and RoCE adapters; makes ovk_verbs, to be linked PRIVATE. It
# is used where it is installed, unless OVK_WITH_VERBS says otherwise. 1.11: ibv_query_gid_ex().
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(IBVERBS QUIET libibverbs>=1.11)
endif()
set(ibverbs_installed OFF)
if(IBVERBS_FOUND)
  set(ibverbs_installed ON)
endif()
option(OVK_WITH_VERBS "Use adapters for remote memory access through libibverbs" ${ibverbs_installed})
if(OVK_WITH_VERBS)
  if(NOT IBVERBS_FOUND)
    message(FATAL_ERROR "OVK_WITH_VERBS=ON, but pkg-config does not find libibverbs 1.11 or newer: "
                        "install rdma-core (Debian: libibverbs-dev)")
  endif()
  set(OVK_VERBS_LIBRARIES ${IBVERBS_LINK_LIBRARIES})
  add_library(ovk_verbs INTERFACE)
  target_include_directories(ovk_verbs SYSTEM INTERFACE ${IBVERBS_INCLUDE_DIRS})
  target_link_libraries(ovk_verbs INTERFACE ${IBVERBS_LINK_LIBRARIES})
endif()
