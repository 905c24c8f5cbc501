# tkc's version: that of the newest tag v1.2.3 behind the checked-out commit, as `git describe` has it ("1.2.3", or "1.2.3-4-gabcdef0"
# four commits later). Where there is no repository of tkc's own or no such tag, a source archive for example, it is FALLBACK.
function(tkc_find_version result root fallback)
  set(${result} ${fallback} PARENT_SCOPE)
  find_program(TKC_GIT git)
  if(NOT TKC_GIT)
    return()
  endif()
  # Inside another project's repository the tags are that project's.
  execute_process(COMMAND ${TKC_GIT} -C ${root} rev-parse --show-prefix RESULT_VARIABLE failed OUTPUT_VARIABLE prefix
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(failed OR NOT prefix STREQUAL "")
    return()
  endif()
  execute_process(COMMAND ${TKC_GIT} -C ${root} describe --tags --match "v[0-9]*" --abbrev=7 RESULT_VARIABLE failed
                  OUTPUT_VARIABLE tag OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed AND tag MATCHES "^v([0-9]+\\.[0-9]+\\.[0-9]+(-.*)?)$")
    set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
  endif()
endfunction()

# The checked-out commit of tkc's own repository, as `git describe --always` has it; "" where there is none.
function(tkc_find_commit result root)
  set(${result} "" PARENT_SCOPE)
  find_program(TKC_GIT git)
  if(NOT TKC_GIT)
    return()
  endif()
  execute_process(COMMAND ${TKC_GIT} -C ${root} rev-parse --show-prefix RESULT_VARIABLE failed OUTPUT_VARIABLE prefix
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed AND prefix STREQUAL "")
    execute_process(COMMAND ${TKC_GIT} -C ${root} describe --always --tags --match "v[0-9]*" --abbrev=12 RESULT_VARIABLE failed
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failed)
      set(${result} ${commit} PARENT_SCOPE)
    endif()
  endif()
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
