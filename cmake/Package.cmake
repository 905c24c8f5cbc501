# The ways to a user: find_package(tkc) from the build tree, add_subdirectory(), cmake --install, and cpack (a .deb and a tarball that may
# be unpacked anywhere). Nothing installed holds a path.

# ---- manual pages and completions, by the tools themselves ----

set(pages)
set(folder ${PROJECT_BINARY_DIR}/pages)
foreach(tool ${TKC_TOOLS})
  foreach(page --print-man:${tool}.1 --print-completion=bash:${tool} --print-completion=zsh:_${tool}
               --print-completion=fish:${tool}.fish)
    string(REPLACE ":" ";" page ${page})
    list(GET page 0 option)
    list(GET page 1 file)
    add_custom_command(OUTPUT ${folder}/${file} COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
                       COMMAND ${tool} ${option} > ${folder}/${file} DEPENDS ${tool} VERBATIM COMMENT "Printing ${file}")
    list(APPEND pages ${folder}/${file})
  endforeach()
endforeach()
if(TKC_INSTALL)
  add_custom_target(tkc_pages ALL DEPENDS ${pages})
endif()

# ---- find_package(tkc), from this build tree (-Dtkc_DIR=<build>) and from an install prefix ----

include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tkc-config-version.cmake
                                 VERSION ${TKC_VERSION_NUMBER} COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include SYMBOLIC) # as an install prefix has it
# Further libraries for a program with libtkc.a.
if(TKC_SHARED_LLVM)
  set(TKC_PRIVATE_LIBS ${TKC_MLIR_SO} ${TKC_LLVM_SO} -lstdc++ -lm -lpthread)
else()
  set(TKC_PRIVATE_LIBS ${TKC_LLVM_SYSTEM} -lstdc++ -lm -lpthread)
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tkc-libraries.cmake CONTENT "set(tkc_PRIVATE_LIBS \"@TKC_PRIVATE_LIBS@\")\n" @ONLY)
file(STRINGS src/chip/products.def products REGEX "^PRODUCT\\(")
set(TKC_PRODUCTS)
foreach(line IN LISTS products)
  if(line MATCHES "^PRODUCT\\(\"([^\"]+)\", *\"([^\"]+)\"")
    list(APPEND TKC_PRODUCTS ${CMAKE_MATCH_1}=${CMAKE_MATCH_2})
  endif()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tkc_products.cmake CONTENT "set(_tkc_products \"@TKC_PRODUCTS@\")\n" @ONLY)
set(files)
foreach(file tkc-config.cmake tkc_add_kernels.cmake tkc_gate_kernels.cmake)
  configure_file(cmake/${file} ${PROJECT_BINARY_DIR}/${file} COPYONLY)
  list(APPEND files cmake/${file})
endforeach()
list(APPEND files ${PROJECT_BINARY_DIR}/tkc-config-version.cmake ${PROJECT_BINARY_DIR}/tkc-libraries.cmake
     ${PROJECT_BINARY_DIR}/tkc_products.cmake)

# ---- add_subdirectory() and FetchContent: the same names as find_package() gives ----

if(NOT PROJECT_IS_TOP_LEVEL)
  add_executable(tkc::tkc ALIAS tkc)
  add_executable(tkc::diff ALIAS tkc-diff)
  add_executable(tkc::run ALIAS tkc-run)
  add_executable(tkc::tune ALIAS tkc-tune)
  include(${PROJECT_BINARY_DIR}/tkc_add_kernels.cmake)
  include(${PROJECT_BINARY_DIR}/tkc_gate_kernels.cmake)
endif()
if(NOT TKC_INSTALL)
  return()
endif()

# ---- cmake --install ----

string(REPLACE ";" " " TKC_PC_LIBS "${TKC_PRIVATE_LIBS}")
configure_file(cmake/tkc.pc.in ${PROJECT_BINARY_DIR}/tkc.pc @ONLY)
install(FILES ${files} DESTINATION lib/cmake/tkc)
install(TARGETS ${TKC_TOOLS} RUNTIME DESTINATION bin)
install(FILES include/tkc/tkc.h include/tkc/tkc_runtime.h include/tkc/tkc_driver.h include/tkc/tkc_symmetric.h
        DESTINATION include/tkc)
install(PROGRAMS tools/tkc-tune/tkc-tune.sbatch DESTINATION share/tkc)
install(FILES tools/tkc_torch.py tools/tkc_torch_gradients.py tools/tkc_torch_symmetric.py tools/tkc_jax.py
        DESTINATION share/tkc)
install(FILES LICENSE tools/tkc/CHANGELOG.md DESTINATION share/doc/tkc)
install(FILES tools/packages/copyright DESTINATION share/doc/tkc)
if(TKC_LIBRARY)
  install(TARGETS tkc_shared LIBRARY DESTINATION lib PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  install(FILES ${TKC_ARCHIVE} DESTINATION lib)
  install(FILES ${PROJECT_BINARY_DIR}/tkc.pc DESTINATION lib/pkgconfig)
endif()
foreach(tool ${TKC_TOOLS})
  install(FILES ${folder}/${tool}.1 DESTINATION share/man/man1)
  install(FILES ${folder}/${tool} DESTINATION share/bash-completion/completions)
  install(FILES ${folder}/_${tool} DESTINATION share/zsh/site-functions)
  install(FILES ${folder}/${tool}.fish DESTINATION share/fish/vendor_completions.d)
endforeach()

# ---- cpack -G DEB, cpack -G TGZ ----

set(CPACK_PACKAGE_NAME tkc)
set(CPACK_PACKAGE_VERSION ${TKC_VERSION_NUMBER})
set(CPACK_PACKAGE_CONTACT "tkc developers <tkc@packages.debian.org>" CACHE STRING "maintainer of the packages")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "ahead-of-time compiler for Triton-language GPU kernels")
set(CPACK_PACKAGE_DESCRIPTION "tkc compiles GPU kernels in the Triton language for NVIDIA and AMD chips,
on any machine, without Python and without a GPU. Beside the code it writes
a C launcher. tkc-run emulates chips, tkc-diff compares compiled kernels,
tkc-tune times configurations. The compiler is a library, too: libtkc and
tkc.h. In editors it is a language server: tkc lsp.")
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_FILE_NAME tkc-${TKC_VERSION_NUMBER}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "lld-${TKC_LLVM} | lld (>= 1:17)")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
if(TKC_LIBRARY)
  set(control ${PROJECT_BINARY_DIR}/generated/control)
  file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
  file(WRITE ${control}/shlibs "libtkc ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} tkc (>= ${TKC_VERSION_NUMBER})\n")
  set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${control}/triggers ${control}/shlibs)
endif()
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/tools/packages/cpack.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/tools/packages/debian.cmake)
include(CPack)
