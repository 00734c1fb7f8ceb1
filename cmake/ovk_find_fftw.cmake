# SPDX-License-Identifier: BSD-2-Clause
# Finds FFTW, whose transforms of lines `ovk bench fft` takes; makes ovk_fftw, to be linked PRIVATE.
option(OVK_USE_FFTW "Use FFTW where it is installed, in ovk bench fft" ON)
if(OVK_USE_FFTW)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(FFTW QUIET fftw3>=3.3)
  endif()
  if(FFTW_FOUND)
    add_library(ovk_fftw INTERFACE)
    target_include_directories(ovk_fftw SYSTEM INTERFACE ${FFTW_INCLUDE_DIRS})
    target_link_libraries(ovk_fftw INTERFACE ${FFTW_LINK_LIBRARIES})
  endif()
endif()
