# Third-party libraries as three interface targets. Debian 12 has all of them (see
# scripts/dependencies.sh); elsewhere CMake's own message names what is missing.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Boost 1.74 REQUIRED COMPONENTS iostreams system filesystem)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(fmt 8 REQUIRED)
find_package(CLI11 2.1 REQUIRED)

function(daemark_require_library name package header)
  find_library(LIB_${name} ${name})
  find_path(INCLUDE_${name} ${header})
  if(NOT LIB_${name} OR NOT INCLUDE_${name})
    message(FATAL_ERROR "lib${name} with <${header}> not found: install ${package}")
  endif()
endfunction()
daemark_require_library(gmp libgmp-dev gmp.h)
daemark_require_library(mpfr libmpfr-dev mpfr.h)
daemark_require_library(flint libflint-dev flint/flint.h)
daemark_require_library(flint-arb libflint-arb-dev arb.h)
daemark_require_library(zip libzip-dev zip.h)
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
  if(NOT INCLUDE_sundials OR NOT INCLUDE_klu OR NOT LIB_klu)
    set(SUNDIALS_FOUND FALSE)
  endif()
  foreach(part ida cvode arkode nvecserial sunmatrixdense sunmatrixsparse sunlinsoldense
          sunlinsolklu sunnonlinsolfixedpoint generic)
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
  message(STATUS "SUNDIALS 6 (libsundials-dev) not found or not wanted: runs of ida, cvode and "
          "arkode will be not available")
endif()

# Scalars, linear algebra, JSON, text: every layer.
add_library(daemark_numeric INTERFACE)
target_link_libraries(daemark_numeric INTERFACE
  Eigen3::Eigen Boost::headers nlohmann_json::nlohmann_json fmt::fmt
  ${LIB_mpfr} ${LIB_gmp} quadmath Threads::Threads)

# Real algebraic numbers.
add_library(daemark_exact INTERFACE)
target_link_libraries(daemark_exact INTERFACE
  ${LIB_flint-arb} ${LIB_flint} ${LIB_mpfr} ${LIB_gmp})

add_library(daemark_plotting INTERFACE)
target_link_libraries(daemark_plotting INTERFACE
  Boost::iostreams Boost::system Boost::filesystem)
