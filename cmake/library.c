// libtkc.so is made of tkc_core's objects; a target of CMake wants a source.
extern int tkc_library_has_no_source_of_its_own;
