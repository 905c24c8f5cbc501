# tkc_add_kernels(TARGET app SOURCES a.tk b.tk … [TARGETS sm_80 gfx942 …] [OPTIONS flags…])
#
# Compiles each source at build time into <build>/tkc/<app>/ (of a multi-config generator: <build>/tkc/<app>/<config>/): the
# images (a.ptx, or a.sm_80.ptx and a.sm_90a.ptx; a.hsaco for AMD), a.h (the launcher, with the images in it) and a.json.
# The folder is added to the target's include path, so `#include "a.h"` works; an INTERFACE library hands it on. Kernel
# files that a source imports are dependencies too. Without TARGETS: tkc's default chip. OPTIONS are tkc's own and may hold
# generator expressions; what is written where is decided here. The target may be of another folder of the project.
# The vendor's own headers and libraries (CUDA::cuda_driver, hip::host) are for the caller to link.
# tkc::tkc must exist: find_package(tkc) makes it.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

function(tkc_add_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET" "SOURCES;TARGETS;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tkc_add_kernels: \"${arg_UNPARSED_ARGUMENTS}\" belongs to no keyword")
  endif()
  _tkc_target(target scope "${arg_TARGET}")
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "tkc_add_kernels: no SOURCES")
  endif()
  _tkc_check_options(${arg_OPTIONS})

  set(nvidia)
  set(amd)
  foreach(chip IN LISTS arg_TARGETS)
    if(chip MATCHES "^gfx[0-9a-z]+$")
      list(APPEND amd ${chip})
    elseif(chip MATCHES "^sm_[0-9a-z]+$")
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

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/tkc/${target}")
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multi_config)
    foreach(config IN LISTS CMAKE_CONFIGURATION_TYPES)
      file(MAKE_DIRECTORY "${folder}/${config}")
    endforeach()
    set(folder "${folder}/$<CONFIG>")
  else()
    file(MAKE_DIRECTORY "${folder}")
  endif()

  set(made)
  foreach(source IN LISTS arg_SOURCES)
    if(source MATCHES "\\$<")
      message(FATAL_ERROR "tkc_add_kernels: SOURCES wants paths, not the generator expression \"${source}\": they name what is written")
    endif()
    get_filename_component(path "${source}" ABSOLUTE)
    get_filename_component(stem "${source}" NAME_WLE)
    _tkc_register(${target} "${folder}/${stem}" "${path}")
    set(outputs)
    set(flags)
    _tkc_images(outputs flags "${folder}/${stem}" ptx ${nvidia})
    _tkc_images(outputs flags "${folder}/${stem}" hsaco ${amd})
    if(arg_TARGETS)
      list(JOIN arg_TARGETS "," chips)
      list(APPEND flags --target "${chips}")
    endif()
    if(NOT "--no-header" IN_LIST arg_OPTIONS)
      list(APPEND outputs "${folder}/${stem}.h")
    endif()
    if(NOT "--no-json" IN_LIST arg_OPTIONS)
      list(APPEND outputs "${folder}/${stem}.json")
    endif()
    add_custom_command(
      OUTPUT ${outputs}
      COMMAND tkc::tkc "${path}" ${flags} -MF "${folder}/${stem}.d" "${arg_OPTIONS}"
      DEPENDS "${path}" tkc::tkc
      DEPFILE "${folder}/${stem}.d"
      COMMENT "Compiling kernels of ${source}"
      COMMAND_EXPAND_LISTS # an expression that comes out empty is no argument
      VERBATIM)
    list(APPEND made ${outputs})
  endforeach()

  # A target of their own: a custom command serves targets of its own folder alone.
  get_property(calls TARGET ${target} PROPERTY TKC_CALLS)
  math(EXPR calls "0${calls} + 1")
  set_property(TARGET ${target} PROPERTY TKC_CALLS ${calls})
  add_custom_target(tkc_kernels_of_${target}_${calls} DEPENDS ${made})
  add_dependencies(${target} tkc_kernels_of_${target}_${calls})
  target_include_directories(${target} ${scope} "${folder}")
endfunction()

# The target behind a name, and how its include path grows: PRIVATE, or INTERFACE where nothing is compiled.
function(_tkc_target target_variable scope_variable name)
  if(NOT name OR NOT TARGET "${name}")
    message(FATAL_ERROR "tkc_add_kernels: TARGET \"${name}\" is no target of this project")
  endif()
  get_target_property(aliased "${name}" ALIASED_TARGET)
  if(aliased)
    set(name "${aliased}")
  endif()
  get_target_property(imported "${name}" IMPORTED)
  get_target_property(type "${name}" TYPE)
  if(imported OR type STREQUAL "UTILITY")
    message(FATAL_ERROR "tkc_add_kernels: TARGET \"${name}\" compiles nothing in this project; name a program or a library of it")
  endif()
  set(${target_variable} "${name}" PARENT_SCOPE)
  set(${scope_variable} PRIVATE PARENT_SCOPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(${scope_variable} INTERFACE PARENT_SCOPE)
  endif()
endfunction()

# What is written, and where, is not for OPTIONS to say, nor may it depend on the configuration.
function(_tkc_check_options)
  foreach(option IN LISTS ARGN)
    if(option MATCHES ".--no-(header|json)")
      message(FATAL_ERROR "tkc_add_kernels: OPTIONS cannot hold ${option}: what is written is the same in every configuration")
    endif()
    if(option MATCHES "^(-o|-MD|-MF|-h|--(output|target|emit|stop-after|run-pass|help|version|print-passes|print-targets)(=|$))")
      message(FATAL_ERROR "tkc_add_kernels: OPTIONS cannot hold ${option}: outputs and chips are chosen by TARGETS")
    endif()
  endforeach()
endfunction()

# Two sources cannot write the same files.
function(_tkc_register target base path)
  get_property(bases TARGET ${target} PROPERTY TKC_BASES)
  if(base IN_LIST bases)
    get_filename_component(stem "${base}" NAME)
    message(FATAL_ERROR "tkc_add_kernels: \"${path}\" is the second source of ${target} to write ${stem}.h; "
                        "name all TARGETS of a source in one call, and give each source a name of its own")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY TKC_BASES "${base}")
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

cmake_policy(POP)
