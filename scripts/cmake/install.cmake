# What `make install` puts under a prefix and `cpack -G DEB` into a package. Programs and the library
# find their data relative to themselves (base/program/paths.cpp), so the prefix may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "" FORCE)  # known to paths.cpp, whatever the prefix
set(daemark_data ${CMAKE_INSTALL_DATADIR}/daemark)

# Libraries next to the programs come first, as in a wheel. RPATH, not RUNPATH: it also applies to what
# those libraries load.
set_target_properties(daemark daemark_shared PROPERTIES
                      INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
foreach(target daemark daemark_shared)
  target_link_options(${target} PRIVATE LINKER:--disable-new-dtags)
endforeach()

add_custom_target(installed DEPENDS daemark daemark_shared)
install(TARGETS daemark)
install(PROGRAMS analysis/checker/daemark_checker DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS daemark_shared EXPORT daemark
        PUBLIC_HEADER DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Data by extension, with the paths of the source tree.
daemark_glob(data_files analysis/checker/*.py analysis/checker/*.md methods/*.json methods/*.py problems/*.json problems/*.py experiments/*.json
             experiments/cli/skeletons/* results/references/*.json
             results/curves/*.json results/atlas/*.jsonl results/catalogue.json
             results/certificates/*.md bindings/codes/*)
foreach(file IN LISTS data_files)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE place)
  cmake_path(GET place PARENT_PATH folder)
  install(FILES ${file} DESTINATION ${daemark_data}/${folder})
endforeach()
install(FILES CITATION.cff LICENSE DESTINATION ${daemark_data})

# Found by Debian's interpreter under /usr; elsewhere through PYTHONPATH.
install(DIRECTORY bindings/python/daemark DESTINATION ${CMAKE_INSTALL_LIBDIR}/python3/dist-packages
        FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")

set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/daemark)
install(EXPORT daemark NAMESPACE daemark:: FILE daemarkConfig.cmake DESTINATION ${cmake_folder})
write_basic_package_version_file(daemarkConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(CONFIGURE OUTPUT daemark.pc @ONLY CONTENT [[
prefix=${pcfiledir}/../..
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@

Name: daemark
Description: @PROJECT_DESCRIPTION@: its mechanisms and references for any program
Version: @PROJECT_VERSION@
Cflags: -I${includedir}
Libs: -L${libdir} -ldaemark
]])
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/daemarkConfigVersion.cmake DESTINATION ${cmake_folder})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/daemark.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the daemark authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
include(CPack)
