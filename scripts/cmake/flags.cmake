# Compiler flags (target daemark_options, daemark_compile) and the precompiled third-party headers.
add_library(daemark_options INTERFACE)
target_include_directories(daemark_options INTERFACE ${PROJECT_SOURCE_DIR})
# No contraction to fused multiply-adds, no -march, no -ffast-math: the same digits everywhere.
# Functions start at cache lines: otherwise the placement of hot loops changes timings by 10 %.
# All code may become part of libdaemark.so, which exports only the functions of daemark.h.
set(daemark_flags -ffp-contract=off -falign-functions=64 -fPIC -fvisibility=hidden)
if(DAEMARK_NATIVE)
  list(APPEND daemark_flags -march=native)
endif()
if(DAEMARK_SANITIZE)
  list(APPEND daemark_flags -fsanitize=${DAEMARK_SANITIZE} -fno-sanitize-recover=all
       -fno-omit-frame-pointer)
  target_link_options(daemark_options INTERFACE -fsanitize=${DAEMARK_SANITIZE})
endif()
set(daemark_warnings -Wall -Wextra $<$<BOOL:${DAEMARK_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC 12 to 14 warn of `"literal" + std::string` itself (GCC bug 105651), and from 13 on of every
  # reference into one argument that a function returns whose other argument is a temporary text.
  list(APPEND daemark_warnings -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
       -Wno-array-bounds -Wno-dangling-reference)
endif()
target_compile_options(daemark_options INTERFACE ${daemark_flags} ${daemark_warnings})

# daemark_compile(TARGET KIND): numeric sources, which compute, at the level of the build type; plain
# sources and tests, which call libraries, handle files or run once, at -Og: optimising strings and
# JSON would be half of the whole build.
#
# Boost.Multiprecision, Eigen, JSON and GoogleTest cost 3 to 6 s of parsing each in every file, 0.3 s
# precompiled: one set a kind, as a precompiled header brings its own -O along (GCC). Only headers
# of other projects: an include forgotten in our own files still fails without them (preset tidy).
set(daemark_headers_numeric
    <boost/multiprecision/gmp.hpp> <boost/multiprecision/mpfr.hpp> <Eigen/Dense> <fmt/format.h>)
set(daemark_headers_plain
    <boost/multiprecision/gmp.hpp> <boost/multiprecision/mpfr.hpp> <Eigen/Dense> <fmt/format.h> <nlohmann/json.hpp>
    <filesystem> <fstream> <functional> <map> <optional> <set> <sstream>)
set(daemark_headers_tests ${daemark_headers_plain} <gmock/gmock.h> <gtest/gtest.h>)
if(DAEMARK_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CCACHE)
  target_compile_options(daemark_options INTERFACE -fpch-preprocess)
endif()

function(daemark_flags_of target kind)
  if(NOT kind MATCHES "^numeric")
    target_compile_options(${target} PRIVATE -Og)
  endif()
endfunction()

function(daemark_compile target kind)
  daemark_flags_of(${target} ${kind})
  if(NOT DAEMARK_PCH)
    return()
  endif()
  set(owner daemark_pch_${kind})
  if(NOT TARGET ${owner})
    file(CONFIGURE OUTPUT generated/pch.cpp CONTENT "// Owner of the precompiled headers.\n")
    add_library(${owner} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/generated/pch.cpp)
    target_link_libraries(${owner} PRIVATE daemark_options daemark_numeric)
    if(kind STREQUAL tests)  # whose definitions the headers have to see
      target_link_libraries(${owner} PRIVATE GTest::gmock GTest::gtest)
    endif()
    daemark_flags_of(${owner} ${kind})
    target_precompile_headers(${owner} PRIVATE ${daemark_headers_${kind}})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# daemark_compile_together(TARGET AT_ONCE SOURCES...): AT_ONCE neighbours of the list as one translation
# unit (CMake's unity build). They share the parsing of headers and the instantiation of templates,
# which takes three quarters of the time of tests and half of that of other sources. GCC warns of
# local types in included files; here no file is included twice. Excluded are problems, methods and
# kinds of cells, whose local names may clash; the dense decompositions, each long to compile; and files
# that instantiate members of a class separately (StageSystem, the inside of steps).
function(daemark_compile_together target at_once)
  if(NOT DAEMARK_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  list(FILTER ARGN EXCLUDE REGEX
       "_cell\\.cpp$|/generated/|/base/linear/|/(problems|methods)/[^/]*$|/stages/stage_|_inside\\.cpp$")
  list(SORT ARGN)
  list(LENGTH ARGN count)
  math(EXPR groups "(${count} + ${at_once} - 1) / ${at_once}")
  set(place 0)
  foreach(source IN LISTS ARGN)
    math(EXPR group "${place} * ${groups} / ${count}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    math(EXPR place "${place} + 1")
  endforeach()
endfunction()
