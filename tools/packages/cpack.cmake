# Read by cpack for each package: a .deb lies in /usr, a tarball in one folder.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
endif()
