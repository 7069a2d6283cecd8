# C functions of the catalogue's mechanisms in double, written by a program of the build and compiled
# with it. Programs find them by weak symbols (base/graph/compiled.cpp) and interpret what is missing.
add_executable(daemark_codes ${PROJECT_SOURCE_DIR}/problems/compiled/main.cpp)
target_link_libraries(daemark_codes PRIVATE daemark_problems)
daemark_compile(daemark_codes plain)

set(compiled_sources)
foreach(number RANGE 3)
  list(APPEND compiled_sources ${generated_folder}/compiled_${number}.cpp)
endforeach()
add_custom_command(OUTPUT ${compiled_sources} COMMAND daemark_codes ${compiled_sources}
                   DEPENDS daemark_codes COMMENT "C functions of mechanisms" VERBATIM)
add_library(daemark_compiled OBJECT ${compiled_sources})
target_link_libraries(daemark_compiled PRIVATE daemark_options daemark_numeric)
# Straight-line code: more takes half as long again to compile and gives the same instructions.
target_compile_options(daemark_compiled PRIVATE -O1)

function(daemark_with_compiled)
  foreach(program IN LISTS ARGN)
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:daemark_compiled>)
  endforeach()
endfunction()
