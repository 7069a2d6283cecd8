#include <iostream>

#include "base/program/write_file.hpp"
#include "experiments/cli/cli.hpp"

int main(int argc, char** argv) {
  return daemark::with_standard_output(
      "daemark", [&](std::ostream& out) { return daemark::run_cli(argc, argv, out, std::cerr); });
}
