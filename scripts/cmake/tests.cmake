# One test binary, one benchmark binary; `tests` and `bench` build whatever exists.
enable_testing()
add_custom_target(tests DEPENDS ${daemark_programs})
add_custom_target(bench)

daemark_glob(test_sources tests/*_test.cpp tests/support/*.cpp)
if(test_sources)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  add_executable(daemark_tests ${test_sources})
  target_link_libraries(daemark_tests PRIVATE daemark_experiments GTest::gmock GTest::gtest_main)
  daemark_precompile(daemark_tests)
  if(TARGET daemark)  # command-line tests run the program itself
    target_compile_definitions(daemark_tests PRIVATE DAEMARK_BINARY="$<TARGET_FILE:daemark>")
  endif()
  # Values of parametrised tests hold brackets and semicolons: keep them out of the names.
  gtest_discover_tests(daemark_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       NO_PRETTY_VALUES PROPERTIES TIMEOUT 300)
  add_dependencies(tests daemark_tests)
endif()

daemark_glob(bench_sources tests/bench/*_bench.cpp)
if(bench_sources)
  find_package(benchmark REQUIRED)
  add_executable(daemark_bench EXCLUDE_FROM_ALL ${bench_sources})
  target_link_libraries(daemark_bench PRIVATE daemark_experiments benchmark::benchmark_main)
  daemark_precompile(daemark_bench)
  add_dependencies(bench daemark_bench)
endif()

add_test(NAME scripts COMMAND ${PROJECT_SOURCE_DIR}/scripts/self_test.sh)
add_test(NAME file_lengths COMMAND ${PROJECT_SOURCE_DIR}/scripts/file_lengths.sh)
