# libtkc.so and libtkc.a: the functions of include/tkc/tkc.h and their dependencies, LLVM too (in builds with shared LLVM: without it).
# Other symbols stay inside: a program with an LLVM of its own can be linked with either. The soname has the minor version, because
# structures of tkc.h grow with it.
set(TKC_EXPORTS ${PROJECT_BINARY_DIR}/generated/libtkc.map)
file(CONFIGURE OUTPUT ${TKC_EXPORTS} CONTENT "{ global: tkc_*; local: *; };\n")

add_library(tkc_shared SHARED cmake/library.c)
set_target_properties(tkc_shared PROPERTIES OUTPUT_NAME tkc LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_link_libraries(tkc_shared PRIVATE -Wl,--whole-archive tkc_core -Wl,--no-whole-archive)
target_link_options(tkc_shared PRIVATE -Wl,--version-script=${TKC_EXPORTS} -Wl,--gc-sections -Wl,--as-needed ${TKC_LINKER})
if(TKC_SHARED_LLVM)
  target_link_libraries(tkc_shared PRIVATE tkc_llvm_shared)
else()
  target_link_libraries(tkc_shared PRIVATE ${TKC_LLVM_STATIC_LINK} ${TKC_LLVM_SYSTEM})
  target_link_options(tkc_shared PRIVATE -static-libstdc++ -static-libgcc)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_link_options(tkc_shared PRIVATE -s)
endif()

# One object, linked in advance by GNU ld: groups of sections are dissolved, for a group of the same name in a program would take the place
# of ours, and symbols but tkc_ become local behind it.
file(STRINGS include/tkc/tkc.h lines REGEX "^[a-z].*tkc_[a-z_]+\\(")
set(keep)
foreach(line IN LISTS lines)
  string(REGEX MATCH "tkc_[a-z_]+\\(" name "${line}")
  string(REPLACE "(" "" name "${name}")
  list(APPEND keep -Wl,-u,${name})
endforeach()
set(TKC_ARCHIVE ${PROJECT_BINARY_DIR}/lib/libtkc.a)
set(object ${PROJECT_BINARY_DIR}/generated/libtkc.o)
if(TKC_SHARED_LLVM)
  set(archives -Wl,--start-group ${TKC_MLIR_CAPI_ARCHIVES} -Wl,--end-group)
else()
  set(archives ${TKC_LLVM_STATIC_LINK})
endif()
add_custom_command(
  OUTPUT ${TKC_ARCHIVE}
  COMMAND ${CMAKE_C_COMPILER} -fuse-ld=bfd -r -nostdlib -o ${object} ${keep} -Wl,--gc-sections -Wl,--force-group-allocation
          -Wl,-T,${PROJECT_SOURCE_DIR}/cmake/libtkc.ld
          $<TARGET_FILE:tkc_core> ${archives}
  COMMAND ${CMAKE_OBJCOPY} --wildcard "--keep-global-symbol=tkc_*" --strip-debug ${object}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${TKC_ARCHIVE}
  COMMAND ${CMAKE_AR} qcD ${TKC_ARCHIVE} ${object}
  COMMAND ${CMAKE_RANLIB} -D ${TKC_ARCHIVE}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${object}
  DEPENDS tkc_core cmake/libtkc.ld VERBATIM COMMENT "Linking libtkc.a")
add_custom_target(tkc_archive ALL DEPENDS ${TKC_ARCHIVE})
