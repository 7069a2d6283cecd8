// Tests that draw are skipped, by name, where gnuplot is not installed.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#define NEEDS_GNUPLOT()                                       \
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) \
  GTEST_SKIP() << "gnuplot is not on the PATH"
