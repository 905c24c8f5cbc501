# tkc_gate_kernels(NAME kernels TARGET app BASELINE folder [ALLOW registers=+2 spills=0 instructions=5% …])
#
# A test that compares the kernels of a target with those of BASELINE, a folder that the project keeps, through tkc-diff. Without
# ALLOW every difference fails the test; with ALLOW only a kernel that went, or that is worse than the budget (tkc-diff --help has
# its names). The report is the test's output, and <build>/tkc_gate/<NAME>.md as Markdown.
# The target <NAME>_accept makes the kernels at hand the new baseline: images and descriptions; launcher headers are left out. Other files of
# the folder stay.
# Call it behind tkc_add_kernels, where ctest is enabled. TARGET is the one given to tkc_add_kernels.
#
# As a script (cmake -P) this file runs the comparison itself: tests cannot pass with status 1 otherwise.
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  cmake_policy(VERSION 3.20...3.25)
  string(REPLACE "|" ";" made "${NEW}")
  set(names)
  foreach(file IN LISTS made)
    get_filename_component(name "${file}" NAME)
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "tkc_gate_kernels: there is no ${file}: build the project first")
    endif()
    if(name IN_LIST names)
      message(FATAL_ERROR "tkc_gate_kernels: the target has two files ${name}, in folders of their own; give the sources different names")
    endif()
    list(APPEND names "${name}")
  endforeach()
  if(ACCEPT)
    # Images and descriptions go. The folder may hold other files, even sources and choices of tkc-tune.
    string(REGEX REPLACE "([][*?])" "[\\1]" folder "${OLD}")
    file(GLOB kept "${folder}/*.ptx" "${folder}/*.cubin" "${folder}/*.hsaco" "${folder}/*.json")
    foreach(file IN LISTS kept)
      file(READ "${file}" start LIMIT 16)
      if(NOT file MATCHES "\\.json$" OR start MATCHES "^{[ \n]*\"tkc\"")
        file(REMOVE "${file}")
      endif()
    endforeach()
    file(COPY ${made} DESTINATION "${OLD}")
    return()
  endif()
  file(REMOVE_RECURSE "${STAGE}")
  file(COPY ${made} DESTINATION "${STAGE}")
  set(budget)
  if(ALLOW)
    set(budget "--allow=${ALLOW}")
  endif()
  execute_process(COMMAND "${DIFF}" "${OLD}" "${STAGE}" ${budget} --format=markdown -o "${STAGE}.md" RESULT_VARIABLE unused ERROR_QUIET)
  execute_process(COMMAND "${DIFF}" "${OLD}" "${STAGE}" ${budget} RESULT_VARIABLE status)
  if(NOT status EQUAL 0 AND NOT (ALLOW AND status EQUAL 1))
    message(FATAL_ERROR "tkc_gate_kernels: the kernels are not as ${OLD} has them (build ${NAME}_accept to take them over)")
  endif()
  return()
endif()

cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

set(_tkc_gate_script "${CMAKE_CURRENT_LIST_FILE}")

function(tkc_gate_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TARGET;BASELINE" "ALLOW")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tkc_gate_kernels: \"${arg_UNPARSED_ARGUMENTS}\" belongs to no keyword")
  endif()
  foreach(keyword NAME TARGET BASELINE)
    if(NOT arg_${keyword})
      message(FATAL_ERROR "tkc_gate_kernels: no ${keyword}")
    endif()
  endforeach()
  set(bases)
  if(TARGET "${arg_TARGET}")
    get_property(bases TARGET "${arg_TARGET}" PROPERTY TKC_BASES)
  endif()
  if(NOT bases)
    message(FATAL_ERROR "tkc_gate_kernels: TARGET \"${arg_TARGET}\" has no kernels: call tkc_add_kernels first")
  endif()
  get_filename_component(baseline "${arg_BASELINE}" ABSOLUTE)
  list(JOIN arg_ALLOW "," budget)
  set(run "-DDIFF=$<TARGET_FILE:tkc::diff>" "-DOLD=${baseline}"
          "-DNEW=$<JOIN:$<GENEX_EVAL:$<TARGET_PROPERTY:${arg_TARGET},TKC_FILES>>,|>" # of folders configured later, too
          "-DSTAGE=${CMAKE_BINARY_DIR}/tkc_gate/${arg_NAME}" "-DNAME=${arg_NAME}" "-DALLOW=${budget}")
  add_test(NAME "${arg_NAME}" COMMAND ${CMAKE_COMMAND} ${run} -P "${_tkc_gate_script}")
  add_custom_target("${arg_NAME}_built" ALL) # an INTERFACE library is of no default build by itself
  add_dependencies("${arg_NAME}_built" "${arg_TARGET}")
  add_custom_target("${arg_NAME}_accept" COMMAND ${CMAKE_COMMAND} ${run} -DACCEPT=ON -P "${_tkc_gate_script}"
                    COMMENT "The kernels of ${arg_TARGET} become ${arg_BASELINE}" VERBATIM)
  add_dependencies("${arg_NAME}_accept" "${arg_TARGET}")
endfunction()

cmake_policy(POP)
