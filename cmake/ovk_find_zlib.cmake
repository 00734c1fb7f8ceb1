# SPDX-License-Identifier: BSD-2-Clause
# Finds zlib, with which `ovk bench compress` compresses; makes ovk_zlib, to be linked PRIVATE.
option(OVK_USE_ZLIB "Use zlib where it is installed, in ovk bench compress" ON)
if(OVK_USE_ZLIB)
  find_package(ZLIB QUIET)
  if(ZLIB_FOUND)
    add_library(ovk_zlib INTERFACE)
    target_link_libraries(ovk_zlib INTERFACE ZLIB::ZLIB)
  endif()
endif()
