# find_package(parley): the target parley::sdk, which is what plugins are built with, parley::command, which plays
# their dialogues, and the functions of ParleyPlugin.cmake.
include(CMakeFindDependencyMacro)
find_dependency(Boost 1.81)
find_dependency(nlohmann_json 3.11)
find_dependency(Threads)
include("${CMAKE_CURRENT_LIST_DIR}/parleyTargets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/ParleyPlugin.cmake")
