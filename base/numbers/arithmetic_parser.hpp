// What every arithmetic text has in common: blanks, tokens, digits, and sums of products, joined
// from the left. What a factor is (numbers, names, signs, powers, functions) belongs to the
// language.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace daemark {

/// Term: what the language makes of a part of the text.
template <class Term>
class ArithmeticParser {
 public:
  explicit ArithmeticParser(std::string_view text) : text_(text) {}
  virtual ~ArithmeticParser() = default;

 protected:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  /// The next character that is no blank, or '\0' at the end.
  char peek() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    return here();
  }
  /// The next character, blank or not.
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool at_end() const { return at_ >= text_.size(); }

  bool accept(std::string_view token) {
    peek();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  /// As many characters as `belongs` holds for.
  template <class Predicate>
  std::string_view run_of(const Predicate& belongs) {
    const std::size_t start = at_;
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  std::string_view digits() { return run_of(is_digit); }

  Term sum() {
    return chain("+-", [this] { return chain("*/", [this] { return factor(); }); });
  }

  virtual Term factor() = 0;
  /// left op right; `at`: where the operator is.
  virtual Term joined(char op, const Term& left, const Term& right, std::size_t at) = 0;

  std::string_view text_;
  std::size_t at_ = 0;

 private:
  template <class Next>
  Term chain(std::string_view operators, const Next& next) {
    Term left = next();
    for (;;) {
      const char op = peek();
      const std::size_t at = at_;
      if (operators.find(op) == std::string_view::npos) return left;
      ++at_;
      left = joined(op, left, next(), at);
    }
  }
};

}  // namespace daemark
