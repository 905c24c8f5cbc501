# Finds LLVM and MLIR through llvm-config and offers two ways to link them:
#   tkc_llvm_static  every archive, without sections nobody reaches: for shipped tools
#   tkc_llvm_shared  MLIR's C API archives on libMLIR.so and libLLVM.so: quick to link, for development and tests
# Archives name each other in circles, hence the groups.
# -DTKC_LLVM=19 builds with LLVM 19 instead of 22; -DLLVM_CONFIG=/path/to/llvm-config picks another install of either.

set(TKC_LLVM_VERSIONS 22 19)
set(TKC_LLVM 22 CACHE STRING "the major version of LLVM to build with: 22, the one that releases have, or 19")
set_property(CACHE TKC_LLVM PROPERTY STRINGS ${TKC_LLVM_VERSIONS})
if(NOT TKC_LLVM IN_LIST TKC_LLVM_VERSIONS)
  message(FATAL_ERROR "TKC_LLVM is ${TKC_LLVM}; tkc builds with LLVM 22 or 19")
endif()
find_program(LLVM_CONFIG NAMES llvm-config-${TKC_LLVM} HINTS /usr/lib/llvm-${TKC_LLVM}/bin)
if(NOT LLVM_CONFIG)
  message(FATAL_ERROR "llvm-config-${TKC_LLVM} is not here: install llvm-${TKC_LLVM}-dev and libmlir-${TKC_LLVM}-dev "
                      "(sh tools/bootstrap.sh installs those of 22), or give -DLLVM_CONFIG=PATH")
endif()

function(tkc_llvm_config result)
  execute_process(COMMAND ${LLVM_CONFIG} ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE status
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${LLVM_CONFIG} ${ARGN} failed")
  endif()
  string(REPLACE "\n" ";" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

tkc_llvm_config(TKC_LLVM_VERSION --version)
if(NOT TKC_LLVM_VERSION MATCHES "^${TKC_LLVM}\\.")
  message(FATAL_ERROR "${LLVM_CONFIG} is LLVM ${TKC_LLVM_VERSION}, and TKC_LLVM is ${TKC_LLVM}")
endif()
tkc_llvm_config(TKC_LLVM_LIBDIR --libdir)
tkc_llvm_config(TKC_LLVM_BINDIR --bindir)
tkc_llvm_config(TKC_LLVM_INCLUDE --includedir)

file(GLOB TKC_MLIR_ARCHIVES ${TKC_LLVM_LIBDIR}/libMLIR*.a)
file(GLOB TKC_MLIR_CAPI_ARCHIVES ${TKC_LLVM_LIBDIR}/libMLIRCAPI*.a)
if(NOT TKC_MLIR_CAPI_ARCHIVES OR NOT EXISTS ${TKC_LLVM_INCLUDE}/mlir-c/IR.h)
  message(FATAL_ERROR "MLIR's C API is not in ${TKC_LLVM_LIBDIR}: install libmlir-${TKC_LLVM}-dev")
endif()

# LLD links several times faster than GNU ld; -B makes the compiler driver find LLVM's own.
if(EXISTS ${TKC_LLVM_BINDIR}/ld.lld)
  set(TKC_LINKER -fuse-ld=lld -B${TKC_LLVM_BINDIR})
endif()

add_library(tkc_llvm_headers INTERFACE)
target_include_directories(tkc_llvm_headers SYSTEM INTERFACE ${TKC_LLVM_INCLUDE})
target_compile_definitions(tkc_llvm_headers INTERFACE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS
                                                      __STDC_LIMIT_MACROS)

set(TKC_LLVM_COMPONENTS core nvptx amdgpu passes irreader bitreader bitwriter linker ipo target mc support)
tkc_llvm_config(TKC_LLVM_ARCHIVES --link-static --libfiles ${TKC_LLVM_COMPONENTS})
separate_arguments(TKC_LLVM_ARCHIVES UNIX_COMMAND "${TKC_LLVM_ARCHIVES}")
tkc_llvm_config(TKC_LLVM_SYSTEM --link-static --system-libs ${TKC_LLVM_COMPONENTS})
separate_arguments(TKC_LLVM_SYSTEM UNIX_COMMAND "${TKC_LLVM_SYSTEM}")
# Named by llvm-config for parts of LLVM not linked in.
list(FILTER TKC_LLVM_SYSTEM EXCLUDE REGEX "tinfo|xml2|edit|ffi|z3")

set(TKC_LLVM_STATIC_LINK -Wl,--start-group ${TKC_MLIR_ARCHIVES} ${TKC_LLVM_ARCHIVES} -Wl,--end-group)
add_library(tkc_llvm_static INTERFACE)
target_link_libraries(tkc_llvm_static INTERFACE ${TKC_LLVM_STATIC_LINK} ${TKC_LLVM_SYSTEM})
# Not position-independent: the tables of LLVM and MLIR have 87,000 addresses, whose relocation was a quarter of what a process
# costs before it does anything.
target_link_options(tkc_llvm_static INTERFACE ${TKC_LINKER} -no-pie -Wl,--gc-sections -Wl,--as-needed -static-libstdc++
                                              -static-libgcc)

find_library(TKC_MLIR_SO NAMES MLIR HINTS ${TKC_LLVM_LIBDIR} NO_DEFAULT_PATH)
find_library(TKC_LLVM_SO NAMES LLVM LLVM-${TKC_LLVM} HINTS ${TKC_LLVM_LIBDIR} NO_DEFAULT_PATH)
add_library(tkc_llvm_shared INTERFACE)
target_link_libraries(tkc_llvm_shared INTERFACE -Wl,--start-group ${TKC_MLIR_CAPI_ARCHIVES} -Wl,--end-group
                                                ${TKC_MLIR_SO} ${TKC_LLVM_SO})
target_link_options(tkc_llvm_shared INTERFACE ${TKC_LINKER} -Wl,--gc-sections -Wl,--as-needed)
