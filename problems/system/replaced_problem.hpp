// A problem of the catalogue that begins elsewhere, or differs in another way, for one call of the
// program.
#pragma once

#include <functional>
#include <string>

#include "problems/system/registry.hpp"

namespace daemark {

/// While it lives, problem_registry() makes `change` of every problem of this id; its data have a
/// digest with `key`, and it is not of the catalogue: nothing that is stored is taken for it. One
/// at a time, to be made before threads start.
class ReplacedProblem {
 public:
  ReplacedProblem(const std::string& id, const std::string& key,
                  std::function<Problem(Problem)> change);
  ~ReplacedProblem();
  ReplacedProblem(const ReplacedProblem&) = delete;
  ReplacedProblem& operator=(const ReplacedProblem&) = delete;
};

}  // namespace daemark
