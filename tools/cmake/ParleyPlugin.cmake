# What authors of stages and skills call: in this tree, after add_subdirectory(), and after find_package(parley).
# docs/authors.md shows a project that does.
#
# parley_add_skill(NAME SOURCES…)      builds the skill NAME: lib/parley/skills/NAME/libparley_skill_NAME.so
# parley_add_stage(NAME SOURCES…)      builds the stage NAME: lib/parley/stages/libparley_stage_NAME.so
# parley_add_part(TARGET SOURCES…)     builds a static library that becomes part of plugins, so that tests reach what
#                                      is in it without loading them
# parley_add_dialogues(NAME SCRIPT…)   makes every dialogue script a test, played with the configuration of the same
#                                      name beside it, else the parley.yaml there, else with the defaults; with a
#                                      sanitizer those of one configuration are one test
# parley_add_test_program(NAME SOURCES…) builds a program with <parley/testing.hpp> and makes it a test, run with the
#                                      configuration of the build
# parley_put_beside(FOLDER KIND…)      puts folders of files where the plugin in lib/parley/FOLDER looks for them
#
# The folders locale/ and data/ beside the CMakeLists.txt are put beside the plugin. What is built lies in the build
# folder as it is installed; `parley --config BUILD/parley.yaml` runs with it.

function(parley_compile_for_plugin target)
  set_target_properties(${target} PROPERTIES
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>
    $<$<CXX_COMPILER_ID:Clang>:-Wglobal-constructors>)
endfunction()

# A plugin exports one symbol and nothing that keeps it mapped after unloading.
function(parley_plugin_target target folder)
  set(map "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin.map")
  target_link_libraries(${target} PRIVATE parley::sdk)
  if(PROJECT_VERSION)
    target_compile_definitions(${target} PRIVATE PARLEY_PLUGIN_VERSION="${PROJECT_VERSION}")
  endif()
  parley_compile_for_plugin(${target})
  string(REGEX REPLACE "[^/]+" ".." up "${folder}")
  set_target_properties(${target} PROPERTIES
    PREFIX "lib" LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/parley/${folder}"
    INSTALL_RPATH "$ORIGIN/../${up}" LINK_DEPENDS "${map}")
  target_link_options(${target} PRIVATE "-Wl,--version-script=${map}")
  if(NOT PARLEY_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  if(NOT TARGET parley_plugins)
    add_custom_target(parley_plugins ALL)
  endif()
  add_dependencies(parley_plugins ${target})
endfunction()

# Those that are in the build folder are loaded, so those whose sources are gone have to go.
function(parley_finish_plugins)
  get_property(plugins GLOBAL PROPERTY parley_plugins)
  file(GLOB built "${CMAKE_BINARY_DIR}/lib/parley/s*/*.so" "${CMAKE_BINARY_DIR}/lib/parley/s*/*/*.so")
  list(REMOVE_ITEM built ${plugins})
  if(built)
    file(REMOVE ${built})
  endif()
  set(config "# What is built here, and what comes with parley.\n")
  if("${plugins}" MATCHES "/libparley_stage_")
    string(APPEND config "plugins: {directories: [lib/parley/stages]}\n")
  endif()
  if("${plugins}" MATCHES "/libparley_skill_")
    string(APPEND config "skills: {directories: [lib/parley/skills]}\n")
  endif()
  string(APPEND config "store: {path: parley.db}\n")
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/parley.yaml" CONTENT "${config}" @ONLY)
endfunction()

# Where it is built and installed, with what lies beside it in `resources`.
function(parley_place_plugin target folder resources)
  parley_plugin_target(${target} ${folder})
  parley_put_beside(${resources} locale data)
  install(TARGETS ${target} LIBRARY DESTINATION "lib/parley/${folder}" COMPONENT runtime)
  get_property(plugins GLOBAL PROPERTY parley_plugins)
  if(NOT plugins)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL parley_finish_plugins)
  endif()
  set_property(GLOBAL APPEND PROPERTY parley_plugins "${CMAKE_BINARY_DIR}/lib/parley/${folder}/lib${target}.so")
endfunction()

function(parley_put_beside folder)
  set(there "${CMAKE_BINARY_DIR}/lib/parley/${folder}")
  file(MAKE_DIRECTORY "${there}")
  foreach(kind IN LISTS ARGN)
    cmake_path(GET kind FILENAME name)
    file(REMOVE "${there}/${name}")
    file(GLOB found CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${kind}")  # it may be made later
    if(found)
      file(CREATE_LINK "${found}" "${there}/${name}" SYMBOLIC)
      install(DIRECTORY "${found}" DESTINATION "lib/parley/${folder}" COMPONENT runtime)
    endif()
  endforeach()
endfunction()

function(parley_add_stage name)
  add_library(parley_stage_${name} MODULE ${ARGN})
  target_compile_definitions(parley_stage_${name} PRIVATE PARLEY_PLUGIN_NAME="${name}")
  parley_place_plugin(parley_stage_${name} stages stages/${name})
endfunction()

function(parley_add_skill name)
  add_library(parley_skill_${name} MODULE ${ARGN})
  parley_place_plugin(parley_skill_${name} skills/${name} skills/${name})
endfunction()

function(parley_add_part target)
  add_library(${target} STATIC ${ARGN})
  parley_compile_for_plugin(${target})
  target_include_directories(${target} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${target} PUBLIC parley::sdk)
endfunction()

function(parley_add_test_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE parley::sdk)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 120
    ENVIRONMENT "PARLEY_CONFIG=${CMAKE_BINARY_DIR}/parley.yaml;TZ=Asia/Kathmandu")
endfunction()

function(parley_add_dialogues name)
  set(keys)
  foreach(script IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH script BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    cmake_path(GET script STEM stem)
    cmake_path(GET script PARENT_PATH folder)
    set(config --config "${CMAKE_BINARY_DIR}/parley.yaml")
    set(enabled)  # by the configuration itself
    foreach(beside parley ${stem})
      if(EXISTS "${folder}/${beside}.yaml")
        file(STRINGS "${folder}/${beside}.yaml" enabled REGEX "enabled:")
        set(config --config "${folder}/${beside}.yaml")
        foreach(kind plugins/stages skills/skills)
          cmake_path(GET kind PARENT_PATH section)
          cmake_path(GET kind FILENAME where)
          if(EXISTS "${CMAKE_BINARY_DIR}/lib/parley/${where}")
            list(APPEND config --set "${section}.directories=[${CMAKE_BINARY_DIR}/lib/parley/${where}]")
          endif()
        endforeach()
      endif()
    endforeach()
    if(PARLEY_SANITIZE)
      # Starting is most of what a sanitizer makes slow: what has the same configuration is played by one process.
      string(MD5 key "${config}")
      list(APPEND keys ${key})
      set(config_${key} "${config}")
      list(APPEND scripts_${key} "${script}")
      continue()
    endif()
    set(spoken)
    if(NOT enabled)
      file(STRINGS "${script}" languages REGEX "^@ lang ")
      list(TRANSFORM languages REPLACE "^@ lang +" "")
      list(APPEND languages en-US)
      list(REMOVE_DUPLICATES languages)
      list(JOIN languages "," languages)
      set(spoken --set "language.enabled=[${languages}]")
    endif()
    add_test(NAME dialogue.${name}.${stem} COMMAND $<TARGET_FILE:parley::command> ${config} script "${script}")
    # Scripts go as they do wherever they are played: here far from UTC.
    set_tests_properties(dialogue.${name}.${stem} PROPERTIES TIMEOUT 120 ENVIRONMENT "TZ=Asia/Kathmandu")
    # Of a skill: it says the same in a child process. Some of its dialogues show that, those of the clock among them; under
    # a sanitizer placement.isolation does.
    if(parley_also_in_child AND NOT PARLEY_SANITIZE AND stem MATCHES "^(en|way_en|questions|clock|ringing|converse)$")
      add_test(NAME placement.${name}.${stem} COMMAND $<TARGET_FILE:parley::command> ${config} ${spoken}
        --set "skills.options.${parley_also_in_child}.placement=process" script "${script}")
      set_tests_properties(dialogue.${name}.${stem} placement.${name}.${stem} PROPERTIES TIMEOUT 120 ENVIRONMENT "TZ=Asia/Kathmandu" LABELS placement)
      parley_label(unsanitized parley_run placement.${name}.${stem})
    endif()
  endforeach()
  if(keys)
    list(REMOVE_DUPLICATES keys)
  endif()
  set(test dialogue.${name})
  foreach(key IN LISTS keys)
    if(TEST ${test})
      list(GET scripts_${key} 0 script)
      cmake_path(GET script STEM stem)
      set(test dialogue.${name}.${stem})
    endif()
    add_test(NAME ${test} COMMAND $<TARGET_FILE:parley::command> ${config_${key}} script ${scripts_${key}})
    list(LENGTH scripts_${key} count)
    math(EXPR cost "100 + 4 * ${count}")  # the longest begin first
    # What waits in the address sanitizer's quarantine is written to, and so copied, by each copy that plays a script.
    set_tests_properties(${test} PROPERTIES TIMEOUT 900 COST ${cost} ENVIRONMENT "TZ=Asia/Kathmandu"
      ENVIRONMENT_MODIFICATION "ASAN_OPTIONS=string_append::quarantine_size_mb=4")
  endforeach()
endfunction()
