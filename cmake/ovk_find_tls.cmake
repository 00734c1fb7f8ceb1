# SPDX-License-Identifier: BSD-2-Clause
# Finds OpenSSL, which encrypts what ranks and remote agents tell each other; makes ovk_tls, to be linked
# PRIVATE. It is used where it is installed, unless OVK_WITH_TLS says otherwise; without it there are no remote
# agents. 1.1.1: TLS 1.3.
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(OPENSSL QUIET openssl>=1.1.1)
endif()
set(openssl_installed OFF)
if(OPENSSL_FOUND)
  set(openssl_installed ON)
endif()
option(OVK_WITH_TLS "Build remote agents, whose control connections are encrypted by OpenSSL" ${openssl_installed})
if(OVK_WITH_TLS)
  if(NOT OPENSSL_FOUND)
    message(FATAL_ERROR "OVK_WITH_TLS=ON, but pkg-config does not find OpenSSL 1.1.1 or newer: "
                        "install its headers (Debian: libssl-dev)")
  endif()
  set(OVK_TLS_LIBRARIES ${OPENSSL_LINK_LIBRARIES})
  add_library(ovk_tls INTERFACE)
  target_include_directories(ovk_tls SYSTEM INTERFACE ${OPENSSL_INCLUDE_DIRS})
  target_link_libraries(ovk_tls INTERFACE ${OPENSSL_LINK_LIBRARIES})
endif()
