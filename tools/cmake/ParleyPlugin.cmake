# parley_add_stage(NAME SOURCES…)   builds plugins' stage NAME    → lib/parley/stages/libparley_stage_NAME.so
# parley_add_skill(NAME SOURCES…)   builds the skill NAME         → lib/parley/skills/NAME/libparley_skill_NAME.so
# parley_add_part(TARGET SOURCES…)  builds a static library that becomes part of plugins, so that tests reach what is
#                                   in it without loading them
# parley_add_plugin_tests(TARGET TEST SOURCES…)   builds a test program and registers it with ctest as TEST
# The folders locale/ and data/ beside the CMakeLists.txt are linked into stages/NAME/ and skills/NAME/.
# A plugin exports one symbol and nothing that keeps it mapped after unloading.
file(WRITE "${CMAKE_BINARY_DIR}/plugin.map" "{ global: parley_plugin; local: *; };\n")

# The fingerprint: what a plugin must share with the host. It changes with every header of the SDK.
file(GLOB parley_sdk_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/core/include/parley/*.hpp")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${parley_sdk_headers})
set(parley_sdk_hashes "")
foreach(header IN LISTS parley_sdk_headers)
  file(SHA256 "${header}" hash)
  string(APPEND parley_sdk_hashes "${hash}")
endforeach()
string(SHA256 parley_sdk_hash "${parley_sdk_hashes}")
string(SUBSTRING "${parley_sdk_hash}" 0 12 parley_sdk_hash)
configure_file("${CMAKE_CURRENT_LIST_DIR}/fingerprint.hpp.in" "${CMAKE_BINARY_DIR}/include/parley/fingerprint.hpp" @ONLY)

function(parley_compile_for_plugin target)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>
    $<$<CXX_COMPILER_ID:Clang>:-Wglobal-constructors>)
endfunction()

function(parley_plugin_target target folder)
  target_link_libraries(${target} PRIVATE parley::core)
  target_compile_definitions(${target} PRIVATE PARLEY_PLUGIN_VERSION="${PROJECT_VERSION}")
  parley_compile_for_plugin(${target})
  set_target_properties(${target} PROPERTIES
    PREFIX "lib" LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/parley/${folder}"
    LINK_DEPENDS "${CMAKE_BINARY_DIR}/plugin.map")
  target_link_options(${target} PRIVATE "-Wl,--version-script=${CMAKE_BINARY_DIR}/plugin.map")
  if(NOT PARLEY_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  if(NOT TARGET parley_plugins)
    add_custom_target(parley_plugins ALL)
  endif()
  add_dependencies(parley_plugins ${target})
endfunction()

# Links the folders of a plugin that are not code to where it looks for them.
function(parley_link_resources folder)
  foreach(kind locale data)
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${kind}")
      file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/lib/parley/${folder}")
      file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/${kind}" "${CMAKE_BINARY_DIR}/lib/parley/${folder}/${kind}" SYMBOLIC)
    endif()
  endforeach()
endfunction()

function(parley_add_stage name)
  add_library(parley_stage_${name} MODULE ${ARGN})
  target_compile_definitions(parley_stage_${name} PRIVATE PARLEY_PLUGIN_NAME="${name}")
  parley_plugin_target(parley_stage_${name} stages)
  parley_link_resources(stages/${name})
endfunction()

function(parley_add_skill name)
  add_library(parley_skill_${name} MODULE ${ARGN})
  parley_plugin_target(parley_skill_${name} skills/${name})
  parley_link_resources(skills/${name})
endfunction()

function(parley_add_part target)
  add_library(${target} STATIC ${ARGN})
  parley_compile_for_plugin(${target})
  target_include_directories(${target} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${target} PUBLIC parley::core)
endfunction()

function(parley_add_plugin_tests target test)
  add_executable(${target} ${ARGN})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/core" "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${target} PRIVATE parley_test_main fmt::fmt)
  add_test(NAME ${test} COMMAND ${target} --no-intro)
  set_tests_properties(${test} PROPERTIES TIMEOUT 120)
endfunction()
