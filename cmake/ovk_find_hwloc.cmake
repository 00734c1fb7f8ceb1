# SPDX-License-Identifier: BSD-2-Clause
# Finds hwloc, which knows sockets, NUMA domains and cores; makes ovk_hwloc, to be linked PRIVATE. Without
# it, levels= takes node and sizes only, and a progress thread cannot be pinned.
option(OVK_USE_HWLOC "Use hwloc where it is installed" ON)
if(OVK_USE_HWLOC)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(HWLOC QUIET hwloc>=2.1)
  endif()
  if(HWLOC_FOUND)
    add_library(ovk_hwloc INTERFACE)
    target_include_directories(ovk_hwloc SYSTEM INTERFACE ${HWLOC_INCLUDE_DIRS})
    target_link_libraries(ovk_hwloc INTERFACE ${HWLOC_LINK_LIBRARIES})
  endif()
endif()
