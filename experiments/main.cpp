#include <iostream>

#include "experiments/cli/cli.hpp"

int main(int argc, char** argv) { return daemark::run_cli(argc, argv, std::cout, std::cerr); }
