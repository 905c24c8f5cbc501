# Run by cpack behind the installation into its staging folder. In a .deb manual pages are compressed, zsh looks for completions elsewhere,
# the change log is gzipped, and lintian is told what is on purpose.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr")
file(GLOB pages "${root}/share/man/man1/*.1")
file(RENAME "${root}/share/doc/tkc/CHANGELOG.md" "${root}/share/doc/tkc/changelog")
execute_process(COMMAND gzip -9n ${pages} "${root}/share/doc/tkc/changelog" COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${root}/share/zsh/site-functions" "${root}/share/zsh/vendor-completions")
file(REMOVE "${root}/share/doc/tkc/LICENSE") # copyright says it
file(WRITE "${root}/share/lintian/overrides/tkc"
"# The tables of LLVM have 87,000 addresses, whose relocation is a quarter of what a short run costs.
tkc: hardening-no-pie *
# One package has the compiler and its library.
tkc: package-name-doesnt-match-sonames *
")
file(CHMOD "${root}/share/lintian/overrides/tkc" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
