// Tags of methods: properties that are derived from coefficients, proofs and a few steps, never
// declared. A tag is a property that holds or not, or a number.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/exact/proof/catalogue.hpp"

namespace daemark {

struct MethodSubject;

struct Tag {
  const char* name;
  const char* meaning;
  bool is_number;
  /// 1 or 0 of a property; empty: undecided, or without meaning for this kind of method.
  std::optional<double> (*value)(const MethodSubject&);
};

/// All of them, in the order shown.
const std::vector<Tag>& tags();

/// By name, upper and lower case alike; null: there is none.
const Tag* find_tag(const std::string& name);

/// Of the method of a call. Values are derived when they are asked for. Throws BadInput for unknown
/// methods and tags.
std::optional<double> tag_value(const std::string& call, const Tag& tag);

/// Names of the properties that hold, and "order=4" of numbers, in the order of tags().
std::vector<std::string> tags_of(const std::string& call);
/// Every tag that has a value: 0 and 1 for properties; infinite numbers too.
std::vector<std::pair<std::string, double>> tag_values(const std::string& call);

// What exact work decided of a method, without doing it again: from the committed catalogue that
// `daemark verify` writes, else from earlier calls on this machine, else proved now.

/// Of a call. A line counts where its print is that of the method at hand. What is proved now takes
/// at most `prove_seconds` of processor time, then it is undecided, and is kept under
/// results/.cache. Throws BadInput for unknown methods.
const exact::CatalogueLine& proved(const std::string& call);

inline constexpr double prove_seconds = 20;

}  // namespace daemark
