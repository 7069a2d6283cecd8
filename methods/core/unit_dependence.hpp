// Methods whose motion depends on the unit of length.
#pragma once

#include <string>

namespace daemark {

/// Implemented next to Method where the formulas as published mix units, so that the motion in
/// millimetres is another one than in metres, by no more than the errors of both.
class DependsOnUnit {
 public:
  virtual ~DependsOnUnit() = default;
  virtual std::string depends_on_unit() const = 0;  ///< why
};

}  // namespace daemark
