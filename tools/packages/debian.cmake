# Run by cpack behind the installation into its staging folder. In a .deb manual pages are compressed, zsh looks for completions elsewhere,
# the change log is gzipped, and lintian gets the list of intended exceptions.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr")
file(GLOB pages "${root}/share/man/man1/*.1")
string(TIMESTAMP day "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH, if set
file(WRITE "${root}/share/doc/tkc/changelog"
"tkc (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * CHANGELOG.md has the changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${day}
")
execute_process(COMMAND gzip -9n ${pages} "${root}/share/doc/tkc/changelog" COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${root}/share/zsh/site-functions" "${root}/share/zsh/vendor-completions")
file(REMOVE "${root}/share/doc/tkc/LICENSE") # copyright says it
file(WRITE "${root}/share/lintian/overrides/tkc"
"# The tables of LLVM have 87,000 addresses, whose relocation is a quarter of what a short run costs.
tkc: hardening-no-pie *
# One package has the compiler and its library.
tkc: package-name-doesnt-match-sonames *
tkc: link-to-shared-library-in-wrong-package *
# All files stand in one tree: tkc.pc and tkc-config.cmake find the others at any place of it.
tkc: pkg-config-unavailable-for-cross-compilation *
# cpack writes these scripts; the trigger is there, too.
tkc: maintscript-calls-ldconfig *
")
file(CHMOD "${root}/share/lintian/overrides/tkc" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
