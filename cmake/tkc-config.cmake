# find_package(tkc): the compiler as tkc::tkc, and tkc_add_kernels(). This file serves an install prefix
# (lib/cmake/tkc/) and a build tree (its root) alike; the compiler stands at a known place from either.
get_filename_component(_tkc_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_tkc_executable)
foreach(_tkc_candidate "${CMAKE_CURRENT_LIST_DIR}/bin/tkc" "${_tkc_prefix}/bin/tkc")
  if(NOT _tkc_executable AND EXISTS "${_tkc_candidate}")
    set(_tkc_executable "${_tkc_candidate}")
  endif()
endforeach()
if(NOT _tkc_executable)
  set(tkc_FOUND FALSE)
  set(tkc_NOT_FOUND_MESSAGE "the tkc program is not at ${_tkc_prefix}/bin nor ${CMAKE_CURRENT_LIST_DIR}/bin: build it first")
  return()
endif()

if(NOT TARGET tkc::tkc)
  add_executable(tkc::tkc IMPORTED)
  set_target_properties(tkc::tkc PROPERTIES IMPORTED_LOCATION "${_tkc_executable}")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/tkc_add_kernels.cmake")
