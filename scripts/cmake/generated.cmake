# Sources written at build time (scripts/cmake/generate_sources.cmake) and the two files that are
# told facts of the build. The command runs when any file it reads has changed; its outputs are
# touched only if their text changes.
set(generated_folder ${CMAKE_CURRENT_BINARY_DIR}/generated)
set(generated_patterns)
foreach(folder base problems methods analysis bindings experiments)
  foreach(extension hpp cpp h c json)
    list(APPEND generated_patterns ${folder}/*.${extension})
  endforeach()
endforeach()
file(GLOB_RECURSE generated_inputs CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     ${generated_patterns})
# Experiments are data the program reads; their digests are taken then.
set(errata ${generated_inputs})
list(FILTER errata INCLUDE REGEX "^experiments/[^/]+/errata\\.json$")
list(FILTER generated_inputs EXCLUDE REGEX "^experiments/.*\\.json$")
list(APPEND generated_inputs ${errata})
list(SORT generated_inputs)
list(JOIN generated_inputs "\n" input_lines)
file(CONFIGURE OUTPUT generated/inputs.txt CONTENT "${input_lines}\n" @ONLY)

set(generated_sources ${generated_folder}/source_digests.cpp
    ${generated_folder}/registry_problems.cpp ${generated_folder}/registry_methods.cpp
    ${generated_folder}/registry_cells.cpp)
list(TRANSFORM generated_inputs PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE input_paths)
add_custom_command(
  OUTPUT ${generated_sources}
  COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D OUTPUT=${generated_folder}
          -P ${PROJECT_SOURCE_DIR}/scripts/cmake/generate_sources.cmake
  DEPENDS ${input_paths} ${generated_folder}/inputs.txt
          ${PROJECT_SOURCE_DIR}/scripts/cmake/generate_sources.cmake
          ${PROJECT_SOURCE_DIR}/scripts/cmake/rooms.txt
  COMMENT "Registries and source digests" VERBATIM)

string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type_upper)
list(JOIN daemark_flags " " own_flags)
string(JOIN " " build_flags -std=c++${CMAKE_CXX_STANDARD} ${CMAKE_CXX_FLAGS}
       ${CMAKE_CXX_FLAGS_${build_type_upper}} ${own_flags})
set_source_files_properties(base/program/build_info.cpp PROPERTIES
  SKIP_PRECOMPILE_HEADERS ON
  COMPILE_DEFINITIONS
  "DAEMARK_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\";\
DAEMARK_FLAGS=\"${build_flags}\";DAEMARK_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\"")
# The only file that knows where the source tree is.
set_source_files_properties(base/program/paths.cpp PROPERTIES
  SKIP_PRECOMPILE_HEADERS ON
  COMPILE_DEFINITIONS "DAEMARK_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
