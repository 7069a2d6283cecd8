// The checker's own reading of exact expressions: "1/4-sqrt(3)/6" as a number of the field.
//
// A radical is not computed but recognised: the certificate lists its value, which must satisfy
// what defines the radical. Hence equality with the expression is exact.
#pragma once

#include <string>

#include "analysis/certcheck/reader.hpp"

namespace daemark::certcheck {

class Radicals {
 public:
  explicit Radicals(Row values) : values_(std::move(values)), used_(values_.size()) {}
  /// y >= 0 with y² = x.
  Number square_root(const Number& x);
  /// cos(pi turns).
  Number cosine(const rational& turns);
  /// The one root of p in (lower, upper).
  Number root(const Row& p, const rational& lower, const rational& upper);
  /// Every value was needed, none stands twice.
  void require_all_used() const;

 private:
  template <class Property>
  Number find(const std::string& what, const Property& is);
  Row values_;
  std::vector<bool> used_;
};

/// Refuses, naming `name`, what is no expression of the project's grammar.
Number evaluated(const std::string& text, Radicals& radicals, const std::string& name);

}  // namespace daemark::certcheck
