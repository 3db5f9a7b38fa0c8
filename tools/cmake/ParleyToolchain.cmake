# What every target is built with: language level, warnings, sanitizers, output folders.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(PARLEY_CCACHE ccache)
if(PARLEY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Relative paths and no folder in the hash: build folders and clones share what they compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_BASEDIR=${PROJECT_SOURCE_DIR};CCACHE_NOHASHDIR=1;${PARLEY_CCACHE}")
endif()

set(PARLEY_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")

# Ours alone: what is built on the SDK elsewhere has warnings of its own.
add_library(parley_options INTERFACE)
link_libraries(parley_options)
target_compile_options(parley_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wold-style-cast -Wcast-align -Wdouble-promotion -Wformat=2
  -Wimplicit-fallthrough -Wextra-semi -Wsuggest-override -Wundef
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wduplicated-branches -Wlogical-op>
  # g++ 12 is wrong about the frames of coroutines and about their optionals.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-mismatched-new-delete -Wno-maybe-uninitialized>
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>)
if(CMAKE_UNITY_BUILD)
  # g++ takes files that are compiled together for headers, where what is local to a file would be a mistake, and one
  # file's names may be shadowed in the next.
  target_compile_options(parley_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage -Wno-shadow>)
endif()
target_compile_definitions(parley_options INTERFACE SPDLOG_FMT_EXTERNAL
  $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
if(PARLEY_SANITIZE)
  # Built from nothing as a rule, and headers are most of what there is to compile: several files at once cost a third.
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)
  target_compile_options(parley_options INTERFACE -fsanitize=${PARLEY_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all -fno-sanitize=function)
  target_link_options(parley_options INTERFACE -fsanitize=${PARLEY_SANITIZE})
  if(PARLEY_SANITIZE MATCHES address)
    # For tests/fuzz. fuzzer-no-link would watch comparisons, too, for which every test would pay with a call for each.
    target_compile_options(parley_options INTERFACE -fsanitize-coverage=inline-8bit-counters,pc-table)
  endif()
endif()

# For what does little itself (the command, tests and their plugins): to optimise what a sanitizer makes of it takes longer
# than to run it.
add_library(parley_does_little INTERFACE)
if(PARLEY_SANITIZE)
  target_compile_options(parley_does_little INTERFACE -O0)
endif()

# parley_label(LABEL TARGET TEST…): tests that some part of `tools/test` runs, and builds TARGET for (parley_LABEL_tests).
#   threads      they run real threads: the thread sanitizer's part
#   unsanitized  they show more, or anything at all, without a sanitizer: where the sanitizers' part runs the suite, too, the
#                other build is spared all others
function(parley_label label target)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS ${label})
  if(NOT TARGET parley_${label}_tests)
    add_custom_target(parley_${label}_tests)
  endif()
  add_dependencies(parley_${label}_tests ${target})
endfunction()

# parley_add_plugin_tests(TARGET TEST SOURCES…): builds a test program and registers it with ctest as TEST.
function(parley_add_plugin_tests target test)
  add_executable(${target} ${ARGN})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/core" "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${target} PRIVATE parley_test_main fmt::fmt)
  add_test(NAME ${test} COMMAND ${target} --no-intro)
  set_tests_properties(${test} PROPERTIES TIMEOUT 120)
endfunction()
