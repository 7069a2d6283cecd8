# Third-party libraries as interface targets. Debian 12 and 13 have all of them (see
# scripts/dependencies.sh).
find_package(Threads REQUIRED)

# daemark_known(NAME VERSION LEAST BELOW): refuses versions older than those known to work and warns of
# newer ones.
function(daemark_known name version least below)
  set(known "known to work are ${least} and newer, below ${below}")
  if(version VERSION_LESS least)
    message(FATAL_ERROR "${name} ${version} is too old: ${known}")
  elseif(NOT version VERSION_LESS below)
    message(WARNING "${name} ${version} has not been tried: ${known}")
  endif()
endfunction()

# daemark_package(NAME DEBIAN_PACKAGE LEAST BELOW ARGUMENTS_OF_FIND_PACKAGE...)
macro(daemark_package name package least below)
  find_package(${name} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "${name} not found: install ${package}")
  endif()
  daemark_known(${name} ${${name}_VERSION} ${least} ${below})
endmacro()
daemark_package(Eigen3 libeigen3-dev 3.4 3.5 NO_MODULE)
daemark_package(Boost "libboost-dev libboost-iostreams-dev libboost-system-dev libboost-filesystem-dev"
                1.74 1.84 CONFIG COMPONENTS iostreams system filesystem)
daemark_package(nlohmann_json nlohmann-json3-dev 3.10 3.12)
daemark_package(fmt libfmt-dev 8 11)
daemark_package(CLI11 libcli11-dev 2.1 2.5)

# daemark_header_version(VARIABLE HEADER MACRO): what a header defines as the library's version.
function(daemark_header_version variable header macro)
  file(STRINGS ${header} lines REGEX "^#define ${macro} +\"?[0-9.]+")
  string(REGEX MATCH "[0-9]+\\.[0-9.]*[0-9]" version "${lines}")
  set(${variable} "${version}" PARENT_SCOPE)
endfunction()

function(daemark_require_library name package header)
  find_library(LIB_${name} ${name})
  find_path(INCLUDE_${name} ${header} ${ARGN})
  if(NOT LIB_${name} OR NOT INCLUDE_${name})
    message(FATAL_ERROR "lib${name} with <${header}> not found: install ${package}")
  endif()
endfunction()
daemark_require_library(gmp libgmp-dev gmp.h)
daemark_require_library(mpfr libmpfr-dev mpfr.h)
daemark_require_library(flint libflint-dev flint/flint.h)
daemark_header_version(flint_version ${INCLUDE_flint}/flint/flint.h FLINT_VERSION)
daemark_known(FLINT ${flint_version} 2.9 3.2)
if(NOT EXISTS ${INCLUDE_flint}/flint/arb.h)  # FLINT 3 contains Arb
  daemark_require_library(flint-arb libflint-arb-dev arb.h)
endif()
daemark_require_library(zip libzip-dev zip.h)
daemark_require_library(sleef libsleef-dev sleef.h)
find_path(INCLUDE_gnuplot_iostream gnuplot-iostream.h)
if(NOT INCLUDE_gnuplot_iostream)
  message(FATAL_ERROR "<gnuplot-iostream.h> not found: install libgnuplot-iostream-dev")
endif()

# IDA, CVODE and ARKODE stand in the catalogue of methods; without them their runs are not available.
# By library: SUNDIALS' own package file needs every optional part (MPI, PETSc) to be installed.
add_library(daemark_external INTERFACE)
set(SUNDIALS_FOUND FALSE)
if(DAEMARK_SUNDIALS)
  set(SUNDIALS_FOUND TRUE)
  find_path(INCLUDE_sundials sundials/sundials_context.h)
  find_path(INCLUDE_klu klu.h PATH_SUFFIXES suitesparse)
  find_library(LIB_klu klu)
  if(INCLUDE_sundials AND INCLUDE_klu AND LIB_klu)
    daemark_header_version(sundials_version ${INCLUDE_sundials}/sundials/sundials_config.h
                           SUNDIALS_VERSION)
    daemark_known(SUNDIALS ${sundials_version} 6.4 8)
    file(STRINGS ${INCLUDE_sundials}/sundials/sundials_config.h with_mpi
         REGEX "^#define SUNDIALS_MPI_ENABLED 1")
    if(with_mpi AND sundials_version VERSION_GREATER_EQUAL 7)  # whose headers include MPI's
      daemark_require_library(mpi libopenmpi-dev mpi.h PATH_SUFFIXES mpi)
      list(APPEND sundials_libraries ${LIB_mpi})
    endif()
  else()
    set(SUNDIALS_FOUND FALSE)
  endif()
  find_library(LIB_sundials_core NAMES sundials_core sundials_generic)  # of version 7, of 6
  foreach(part ida cvode arkode nvecserial sunmatrixdense sunmatrixsparse sunlinsoldense
          sunlinsolklu sunnonlinsolfixedpoint core)
    find_library(LIB_sundials_${part} sundials_${part})
    if(NOT LIB_sundials_${part})
      set(SUNDIALS_FOUND FALSE)
    endif()
    list(APPEND sundials_libraries ${LIB_sundials_${part}})
  endforeach()
endif()
if(SUNDIALS_FOUND)
  target_link_libraries(daemark_external INTERFACE ${sundials_libraries} ${LIB_klu})
else()
  message(STATUS "SUNDIALS (libsundials-dev) not found or not wanted: runs of ida, cvode and "
          "arkode will be not available")
endif()

# Scalars, linear algebra, JSON, text: every layer.
add_library(daemark_numeric INTERFACE)
target_link_libraries(daemark_numeric INTERFACE
  Eigen3::Eigen Boost::headers nlohmann_json::nlohmann_json fmt::fmt
  ${LIB_sleef} ${LIB_mpfr} ${LIB_gmp} Threads::Threads ${CMAKE_DL_LIBS})

# Real algebraic numbers.
add_library(daemark_exact INTERFACE)
target_link_libraries(daemark_exact INTERFACE
  ${LIB_flint-arb} ${LIB_flint} ${LIB_mpfr} ${LIB_gmp})

add_library(daemark_plotting INTERFACE)
target_link_libraries(daemark_plotting INTERFACE
  Boost::iostreams Boost::system Boost::filesystem)
