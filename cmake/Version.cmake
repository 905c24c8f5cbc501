# `git describe` of the checked-out commit, by tags v1.2.3, with further options. Empty without a repository of tkc's own: inside another
# project's repository the tags are that project's.
function(tkc_describe result root)
  set(${result} "" PARENT_SCOPE)
  find_program(TKC_GIT git)
  if(NOT TKC_GIT)
    return()
  endif()
  execute_process(COMMAND ${TKC_GIT} -C ${root} rev-parse --show-prefix RESULT_VARIABLE failed OUTPUT_VARIABLE prefix
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed AND prefix STREQUAL "")
    execute_process(COMMAND ${TKC_GIT} -C ${root} describe --tags --match "v[0-9]*" ${ARGN} RESULT_VARIABLE failed
                    OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failed)
      set(${result} ${text} PARENT_SCOPE)
    endif()
  endif()
endfunction()

# tkc's version, by the newest tag behind the checked-out commit: "1.2.3", or "1.2.3-4-gabcdef0" four commits later. Without such a tag, in
# a source archive for example, it is FALLBACK.
function(tkc_find_version result root fallback)
  tkc_describe(tag ${root} --abbrev=7)
  if(tag MATCHES "^v([0-9]+\\.[0-9]+\\.[0-9]+(-.*)?)$")
    set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
  else()
    set(${result} ${fallback} PARENT_SCOPE)
  endif()
endfunction()

# The checked-out commit of tkc's own repository, or "".
function(tkc_find_commit result root)
  tkc_describe(commit ${root} --always --abbrev=12)
  set(${result} "${commit}" PARENT_SCOPE)
endfunction()

# A commit or a checkout configures anew: the reflog changes with each.
function(tkc_watch_version root)
  execute_process(COMMAND ${TKC_GIT} -C ${root} rev-parse --git-path logs/HEAD OUTPUT_VARIABLE log RESULT_VARIABLE failed
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(log "${log}" ABSOLUTE BASE_DIR ${root})
  if(NOT failed AND EXISTS ${log} AND NOT IS_DIRECTORY ${log})
    set_property(DIRECTORY ${root} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
  endif()
endfunction()
