# Finds LLVM 19 and MLIR 19 through llvm-config and offers two ways to link them:
#   tkc_llvm_static  every archive, sections nobody reaches dropped: what is shipped
#   tkc_llvm_shared  MLIR's C API archives on libMLIR.so and libLLVM.so: quick to link, for development and tests
# Archives name each other in circles, hence the groups. -DLLVM_CONFIG=/path/to/llvm-config picks another install.

find_program(LLVM_CONFIG NAMES llvm-config-19 llvm-config HINTS /usr/lib/llvm-19/bin)
if(NOT LLVM_CONFIG)
  message(FATAL_ERROR "llvm-config-19 is not here: install llvm-19-dev and libmlir-19-dev "
                      "(sh tools/bootstrap.sh does), or give -DLLVM_CONFIG=PATH")
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
if(NOT TKC_LLVM_VERSION MATCHES "^19\\.")
  message(FATAL_ERROR "${LLVM_CONFIG} is LLVM ${TKC_LLVM_VERSION}; tkc needs LLVM 19")
endif()
tkc_llvm_config(TKC_LLVM_LIBDIR --libdir)
tkc_llvm_config(TKC_LLVM_BINDIR --bindir)
tkc_llvm_config(TKC_LLVM_INCLUDE --includedir)

file(GLOB TKC_MLIR_ARCHIVES ${TKC_LLVM_LIBDIR}/libMLIR*.a)
file(GLOB TKC_MLIR_CAPI_ARCHIVES ${TKC_LLVM_LIBDIR}/libMLIRCAPI*.a)
if(NOT TKC_MLIR_CAPI_ARCHIVES OR NOT EXISTS ${TKC_LLVM_INCLUDE}/mlir-c/IR.h)
  message(FATAL_ERROR "MLIR 19's C API is not in ${TKC_LLVM_LIBDIR}: install libmlir-19-dev")
endif()

# LLD links several times faster than GNU ld; -B makes the compiler driver find LLVM 19's own.
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
# Named by llvm-config for parts of LLVM that are not linked in.
list(FILTER TKC_LLVM_SYSTEM EXCLUDE REGEX "tinfo|xml2|edit|ffi|z3")

add_library(tkc_llvm_static INTERFACE)
target_link_libraries(tkc_llvm_static INTERFACE -Wl,--start-group ${TKC_MLIR_ARCHIVES} ${TKC_LLVM_ARCHIVES}
                                                -Wl,--end-group ${TKC_LLVM_SYSTEM})
# Not position-independent: the tables of LLVM and MLIR have 87,000 addresses, whose relocation was a quarter of what a process
# costs before it does anything.
target_link_options(tkc_llvm_static INTERFACE ${TKC_LINKER} -no-pie -Wl,--gc-sections -Wl,--as-needed -static-libstdc++
                                              -static-libgcc)

find_library(TKC_MLIR_SO NAMES MLIR HINTS ${TKC_LLVM_LIBDIR} NO_DEFAULT_PATH)
find_library(TKC_LLVM_SO NAMES LLVM LLVM-19 HINTS ${TKC_LLVM_LIBDIR} NO_DEFAULT_PATH)
add_library(tkc_llvm_shared INTERFACE)
target_link_libraries(tkc_llvm_shared INTERFACE -Wl,--start-group ${TKC_MLIR_CAPI_ARCHIVES} -Wl,--end-group
                                                ${TKC_MLIR_SO} ${TKC_LLVM_SO})
target_link_options(tkc_llvm_shared INTERFACE ${TKC_LINKER} -Wl,--gc-sections -Wl,--as-needed)
