// The message with which bad input is refused.
#pragma once

#include <string>

#include "base/text/bad_input.hpp"

namespace daemark::test {

/// "accepted" where `work` does not throw BadInput.
template <class Work>
std::string refusal(Work&& work) {
  try {
    work();
  } catch (const BadInput& refused) {
    return refused.what();
  }
  return "accepted";
}

}  // namespace daemark::test
