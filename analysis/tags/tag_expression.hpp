// Selections of methods by their tags: "esdirk & L_stable & order>=3".
//
//   expression := conjunction { "|" conjunction }     conjunction := part { "&" part }
//   part := "!" part | "(" expression ")" | PROPERTY | NUMBER compare number | METHOD
//   compare := < <= > >= = !=
//
// METHOD is an id of the catalogue and holds for its members. Truth has three values: what is
// undecided is neither selected by a tag nor by its negation.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daemark {

class TagExpression {
 public:
  struct Node;

  /// Throws BadInput with the place where it breaks and what is accepted.
  static TagExpression parse(const std::string& text, const std::string& where);

  /// Of a call; empty: undecided.
  std::optional<bool> holds(const std::string& call) const;
  bool names(const std::string& tag_or_method) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
};

/// The members of the catalogue of which the expression holds, as canonical calls; those of the
/// library too where the expression names `library` or one of its methods. Throws BadInput where
/// there are none.
std::vector<std::string> select_methods(const std::string& expression, const std::string& where);

/// Those of `calls` of which it holds. Throws BadInput where there are none.
std::vector<std::string> select_methods(const std::string& expression, const std::string& where,
                                        const std::vector<std::string>& calls);

}  // namespace daemark
