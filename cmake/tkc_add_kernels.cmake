# tkc_add_kernels(TARGET app SOURCES a.tk b.tk … [TARGETS sm_80 gfx942 …] [OPTIONS flags…])
#
# Compiles each source at build time into <build>/tkc/<app>/: the images (a.ptx, or a.sm_80.ptx and a.sm_90a.ptx; a.hsaco
# for AMD), a.h (the launcher, with the images in it) and a.json. The folder is added to the target's include path, so
# `#include "a.h"` works. Kernel files that a source imports are dependencies too. Without TARGETS: tkc's default chip.
# The vendor's own headers and libraries (CUDA::cuda_driver, hip::host) are for the caller to link.
# tkc::tkc must exist: find_package(tkc) makes it.
function(tkc_add_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET" "SOURCES;TARGETS;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tkc_add_kernels: \"${arg_UNPARSED_ARGUMENTS}\" belongs to no keyword")
  endif()
  if(NOT arg_TARGET OR NOT TARGET ${arg_TARGET})
    message(FATAL_ERROR "tkc_add_kernels: TARGET \"${arg_TARGET}\" is no target of this project")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "tkc_add_kernels: no SOURCES")
  endif()

  set(nvidia)
  set(amd)
  foreach(chip IN LISTS arg_TARGETS)
    if(chip MATCHES "^gfx")
      list(APPEND amd ${chip})
    elseif(chip MATCHES "^sm_")
      list(APPEND nvidia ${chip})
    else()
      message(FATAL_ERROR "tkc_add_kernels: TARGETS wants names of chips (sm_80, gfx942), not \"${chip}\"")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES nvidia)
  list(REMOVE_DUPLICATES amd)
  if(NOT arg_TARGETS)
    set(nvidia default)
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/tkc/${arg_TARGET}")
  file(MAKE_DIRECTORY "${folder}")
  set(headers)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(path "${source}" ABSOLUTE)
    get_filename_component(stem "${source}" NAME_WLE)
    set(outputs)
    set(flags)
    _tkc_images(outputs flags "${folder}/${stem}" ptx ${nvidia})
    _tkc_images(outputs flags "${folder}/${stem}" hsaco ${amd})
    if(arg_TARGETS)
      list(JOIN arg_TARGETS "," chips)
      list(APPEND flags --target "${chips}")
    endif()
    add_custom_command(
      OUTPUT ${outputs} "${folder}/${stem}.h" "${folder}/${stem}.json"
      COMMAND tkc::tkc "${path}" ${flags} -MF "${folder}/${stem}.d" ${arg_OPTIONS}
      DEPENDS "${path}" tkc::tkc
      DEPFILE "${folder}/${stem}.d"
      COMMENT "Compiling kernels of ${source}"
      VERBATIM)
    list(APPEND headers "${folder}/${stem}.h")
  endforeach()
  target_sources(${arg_TARGET} PRIVATE ${headers})
  target_include_directories(${arg_TARGET} PRIVATE "${folder}")
endfunction()

# Adds the images of one kind: to the list named by files_variable their files, to that of flags_variable the -o that makes
# them.
function(_tkc_images files_variable flags_variable base suffix)
  list(LENGTH ARGN count)
  if(count EQUAL 0)
    return()
  endif()
  set(files ${${files_variable}})
  if(count EQUAL 1)
    list(APPEND files "${base}.${suffix}")
  else()
    foreach(chip IN LISTS ARGN)
      list(APPEND files "${base}.${chip}.${suffix}")
    endforeach()
  endif()
  set(${files_variable} "${files}" PARENT_SCOPE)
  set(${flags_variable} ${${flags_variable}} -o "${base}.${suffix}" PARENT_SCOPE)
endfunction()
