# Compiler flags (target daemark_options) and the precompiled third-party headers.
add_library(daemark_options INTERFACE)
target_include_directories(daemark_options INTERFACE ${PROJECT_SOURCE_DIR})
# No contraction to fused multiply-adds, no -march, no -ffast-math: the same digits everywhere.
set(daemark_flags -ffp-contract=off)
if(DAEMARK_NATIVE)
  list(APPEND daemark_flags -march=native)
endif()
if(DAEMARK_SANITIZE)
  list(APPEND daemark_flags -fsanitize=${DAEMARK_SANITIZE} -fno-sanitize-recover=all
       -fno-omit-frame-pointer)
  target_link_options(daemark_options INTERFACE -fsanitize=${DAEMARK_SANITIZE})
endif()
set(daemark_warnings -Wall -Wextra $<$<BOOL:${DAEMARK_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of `"literal" + std::string` itself (GCC bug 105651), under other names when the
  # library headers come precompiled; the presets without them keep those two warnings.
  list(APPEND daemark_warnings -Wno-restrict)
  if(DAEMARK_PCH)
    list(APPEND daemark_warnings -Wno-stringop-overflow -Wno-array-bounds)
  endif()
endif()
target_compile_options(daemark_options INTERFACE ${daemark_flags} ${daemark_warnings})

# Boost.Multiprecision and Eigen cost 3 to 5 s of parsing in every file, 0.3 s precompiled. Only
# headers of other projects: an include forgotten in our own files still fails without them
# (presets debug, asan-ubsan and tidy build without).
if(DAEMARK_PCH)
  file(CONFIGURE OUTPUT generated/pch.cpp CONTENT "// Owner of the precompiled headers.\n")
  add_library(daemark_pch OBJECT ${CMAKE_CURRENT_BINARY_DIR}/generated/pch.cpp)
  target_link_libraries(daemark_pch PRIVATE daemark_options daemark_numeric)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CCACHE)
    target_compile_options(daemark_options INTERFACE
                           $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
  target_precompile_headers(daemark_pch PRIVATE
    <boost/multiprecision/float128.hpp>
    <boost/multiprecision/gmp.hpp>
    <boost/multiprecision/mpfr.hpp>
    <Eigen/Dense>
    <nlohmann/json.hpp>
    <fmt/format.h>)
endif()

function(daemark_precompile target)
  if(DAEMARK_PCH)
    target_precompile_headers(${target} REUSE_FROM daemark_pch)
  endif()
endfunction()

# clang-tidy parses with clang, which does not know where GCC keeps quadmath.h; the rest of that
# folder must stay out of its sight.
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=include
                OUTPUT_VARIABLE compiler_include OUTPUT_STRIP_TRAILING_WHITESPACE)
if(EXISTS ${compiler_include}/quadmath.h)
  file(COPY ${compiler_include}/quadmath.h DESTINATION ${CMAKE_CURRENT_BINARY_DIR}/clang_include)
endif()
