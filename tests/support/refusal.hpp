// The message with which bad input is refused.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "base/text/bad_input.hpp"

namespace daemark::test {

/// "accepted" where `work` does not throw Refusal; else one line.
template <class Refusal = BadInput, class Work>
std::string refusal(Work&& work) {
  try {
    work();
  } catch (const Refusal& refused) {
    EXPECT_EQ(std::string(refused.what()).find('\n'), std::string::npos) << refused.what();
    return refused.what();
  }
  return "accepted";
}

}  // namespace daemark::test
