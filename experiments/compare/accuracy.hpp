// How accurate somebody wants it: a relative error of q, v or λ at the end.
#pragma once

#include <string>
#include <vector>

namespace daemark {

struct Accuracy {
  int part = 0;              ///< 0, 1, 2: q, v, λ
  double value = 0;          ///< in (0, 1)
  std::string text;          ///< as typed
  std::string name() const;  ///< "q to 1e-3"
};

/// "1e-4", "v:1e-4" or "lambda:1e-4", several separated by commas. Throws BadInput.
std::vector<Accuracy> read_accuracies(const std::string& text);

}  // namespace daemark
