// What the statements of a source set: numbers as they are written, and lists of them.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers/scalar.hpp"
#include "methods/catalogue/source_statements.hpp"

namespace daemark {

/// A number or a list. Fractions stay fractions, of decimals with at most three places too; a
/// longer decimal stays as it is written, as it may stand for another number.
struct SourceValue {
  bool is_list = false;
  std::vector<SourceValue> items;
  std::string text = "0";         ///< of a number: an exact expression
  std::optional<rational> exact;  ///< its value where no long decimal and no root is in it
  std::string unreadable;         ///< why it is not known; empty: it is

  static SourceValue number(const rational& value);
  /// An exact expression. Throws BadInput naming `where`.
  static SourceValue written(std::string_view expression, std::string_view where);
  static SourceValue list(std::vector<SourceValue> items);
  /// A list of lists of zeros, or of zeros where `columns` is 0.
  static SourceValue zeros(std::size_t rows, std::size_t columns = 0);
};

/// The value cannot be told from the source.
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// ... because a name in it is none that was set.
struct NoLiteral : Unreadable {
  using Unreadable::Unreadable;
};

/// a op b for + - * / and ^; of lists, entry by entry.
SourceValue combined(char op, const SourceValue& a, const SourceValue& b);

using NamedValues = std::map<std::string, SourceValue, std::less<>>;

class SourceValues {
 public:
  explicit SourceValues(Dialect dialect) : dialect_(dialect) {}
  const NamedValues& all() const { return values_; }
  /// Forgets everything, and sets `name` to `value`.
  void clear() { values_.clear(); }
  void set(const std::string& name, SourceValue value) { values_[name] = std::move(value); }
  /// Keeps what an assignment sets; other statements are passed over. What cannot be read is known
  /// to be unreadable, with the line.
  void run(const SourceStatement& statement);
  /// Throws Unreadable.
  SourceValue evaluate(std::string_view text) const;

 private:
  void assign(std::string_view target, std::string_view value, const SourceStatement& statement);
  Dialect dialect_;
  NamedValues values_;
};

}  // namespace daemark
