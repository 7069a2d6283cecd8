# One test binary, one benchmark binary, and the ctest entries.
find_package(GTest REQUIRED)
daemark_glob(test_sources tests/*_test.cpp tests/support/*.cpp)
add_executable(daemark_tests ${test_sources})
target_link_libraries(daemark_tests PRIVATE daemark_experiments daemark_bindings GTest::gmock GTest::gtest_main)
target_compile_definitions(daemark_tests PRIVATE DAEMARK_BINARY="$<TARGET_FILE:daemark>")
daemark_compile(daemark_tests tests)
daemark_compile_together(daemark_tests 10 ${test_sources})
# Alone: base/linear/dense_eigenvalues.hpp and methods/stages/stage_system.hpp both name a DenseMatrix.
set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/support/solver_accuracy.cpp PROPERTIES
                            SKIP_UNITY_BUILD_INCLUSION ON)
add_custom_target(tests DEPENDS daemark_tests ${daemark_programs})

find_package(benchmark REQUIRED)
daemark_glob(bench_sources tests/bench/*_bench.cpp)
add_executable(daemark_bench EXCLUDE_FROM_ALL ${bench_sources})
target_link_libraries(daemark_bench PRIVATE daemark_experiments benchmark::benchmark_main)
daemark_compile(daemark_bench numeric)
add_custom_target(bench DEPENDS daemark_bench)

# `make audit`: slow comparisons on samples of the day.
daemark_glob(audit_sources tests/audit/*.cpp)
add_executable(daemark_audit EXCLUDE_FROM_ALL ${audit_sources} tests/support/kernel_accuracy.cpp
               tests/support/solver_accuracy.cpp tests/support/plain_dae.cpp)
target_link_libraries(daemark_audit PRIVATE daemark_experiments)
target_compile_definitions(daemark_audit PRIVATE DAEMARK_BINARY="$<TARGET_FILE:daemark>")
daemark_compile(daemark_audit plain)
daemark_with_compiled(daemark_tests daemark_bench daemark_audit)
add_custom_target(audit DEPENDS daemark_audit ${daemark_programs})

# A few parts of one process each, because every process builds the catalogue before its first test;
# scripts/test_shard.sh names the tests that fail.
enable_testing()
set(parts 8)
set(seconds_a_part 600)
if(DAEMARK_SANITIZE)
  set(seconds_a_part 3000)
endif()
foreach(part RANGE 1 ${parts})
  math(EXPR index "${part} - 1")
  add_test(NAME tests_${part}_of_${parts}
           COMMAND ${PROJECT_SOURCE_DIR}/scripts/test_shard.sh $<TARGET_FILE:daemark_tests>
                   ${index} ${parts} ${seconds_a_part})
  set_tests_properties(tests_${part}_of_${parts} PROPERTIES TIMEOUT 0)
endforeach()
if(NOT DAEMARK_SANITIZE)
  foreach(workers slurm parallel)  # skipped, with the reason, where they are not installed
    add_test(NAME cluster_${workers}
             COMMAND python3 ${PROJECT_SOURCE_DIR}/tests/scripts/cluster_test.py ${workers}
                     $<TARGET_FILE:daemark> ${PROJECT_SOURCE_DIR})
    set_tests_properties(cluster_${workers} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endif()
if(NOT DAEMARK_SANITIZE)  # programs without the sanitizers' runtime cannot load such a library
  add_test(NAME bindings
           COMMAND ${PROJECT_SOURCE_DIR}/tests/bindings/bindings_test.sh ${CMAKE_BINARY_DIR})
endif()
add_test(NAME engines COMMAND python3 ${PROJECT_SOURCE_DIR}/tests/bindings/engines_test.py
         ${CMAKE_BINARY_DIR})
add_test(NAME scripts COMMAND ${PROJECT_SOURCE_DIR}/scripts/self_test.sh)
add_test(NAME file_lengths COMMAND ${PROJECT_SOURCE_DIR}/scripts/file_lengths.sh)
add_test(NAME forged_certificates
         COMMAND python3 ${PROJECT_SOURCE_DIR}/tests/analysis/checker/checker_test.py
                 ${PROJECT_SOURCE_DIR} $<TARGET_FILE:daemark>)
