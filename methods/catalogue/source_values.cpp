#include "methods/catalogue/source_values.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/numbers/arithmetic_parser.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

using std::string;
using std::string_view;

constexpr std::size_t most_entries = 1000;  ///< of a list: a tableau has a hundred rows

std::size_t count_of(const SourceValue& value, std::size_t most) {
  if (!value.exact || mp::denominator(*value.exact) != 1 || *value.exact < 0 ||
      *value.exact > static_cast<long>(most))
    throw Unreadable("no number from 0 to " + std::to_string(most) + " where an index is due");
  return static_cast<std::size_t>(static_cast<long>(mp::numerator(*value.exact)));
}

bool one_of(string_view name, std::initializer_list<string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Positions that an index means: all, a range, or one.
struct Index {
  std::size_t first = 0, last = 0;  ///< last: one behind
  bool one = true;
};

class Evaluator : ArithmeticParser<SourceValue> {
 public:
  Evaluator(string_view text, Dialect dialect, const NamedValues& names)
      : ArithmeticParser(text), dialect_(dialect), names_(names) {}

  SourceValue run() {
    const SourceValue value = sum();
    if (peek() != '\0' || !at_end())
      throw Unreadable("unexpected " + in_quotes(text_.substr(at_, 20)));
    return value;
  }

  Index index(string_view text, std::size_t size) const {
    const auto value = [&](string_view part) {
      NamedValues names = names_;
      names["end"] = SourceValue::number(static_cast<long>(size));
      SourceValue found = Evaluator(part, dialect_, names).run();
      if (dialect_ == Dialect::python && found.exact && *found.exact < 0)
        found = SourceValue::number(*found.exact + static_cast<long>(size));
      return found;
    };
    const std::size_t base = dialect_ == Dialect::julia ? 1 : 0;
    const std::vector<SourcePart> parts = split_outside(text, ":");
    if (parts.size() > 2) throw Unreadable("a slice with steps");
    const auto at = [&](const string& part, std::size_t without) {
      return part.empty() ? without : count_of(value(part), size + base);
    };
    Index out;
    out.one = parts.size() == 1;
    out.first = at(parts.front().text, base) - base;
    if (at(parts.front().text, base) < base) throw Unreadable("an index below 1");
    out.last = out.one ? out.first + 1 : at(parts.back().text, size);
    if (out.last > size || out.first > out.last) throw Unreadable("an index outside the list");
    return out;
  }

  SourceValue element(const SourceValue& from, const std::vector<string>& where,
                      std::size_t depth = 0) const {
    if (depth == where.size()) return from;
    if (!from.is_list) throw Unreadable("an index of what is no list");
    const Index found = index(where[depth], from.items.size());
    if (found.one) return element(from.items[found.first], where, depth + 1);
    std::vector<SourceValue> items;
    for (std::size_t i = found.first; i < found.last; ++i)
      items.push_back(element(from.items[i], where, depth + 1));
    return SourceValue::list(std::move(items));
  }

  void store(SourceValue& target, const std::vector<string>& where, const SourceValue& value,
             std::size_t depth = 0) const {
    if (depth == where.size()) {
      // A[1] of a Julia matrix of one entry.
      SourceValue* entry = &target;
      while (entry->is_list && !value.is_list && entry->items.size() == 1) entry = &entry->items[0];
      *entry = value;
      return;
    }
    if (!target.is_list) throw Unreadable("an index of what is no list");
    const Index found = index(where[depth], target.items.size());
    const bool each = !found.one && value.is_list;
    if (each && value.items.size() != found.last - found.first)
      throw Unreadable("a list of another length than its place");
    for (std::size_t i = found.first; i < found.last; ++i)
      store(target.items[i], where, each ? value.items[i - found.first] : value, depth + 1);
  }

 private:
  SourceValue factor() override {
    if (accept("-")) return combined('-', SourceValue::number(0), factor());
    if (accept("+")) return factor();
    if (dialect_ == Dialect::julia && accept("/")) return factor();  // of "//"
    SourceValue value = postfix(primary());
    const bool two = dialect_ == Dialect::python && text_.substr(at_).starts_with("**");
    if (peek() == '^' || two) {
      at_ += two ? 2 : 1;
      return combined('^', value, factor());
    }
    return value;
  }

  SourceValue joined(char op, const SourceValue& a, const SourceValue& b, std::size_t) override {
    return combined(op, a, b);
  }

  /// The body of the bracket that stands here.
  string_view bracket() {
    peek();
    const std::size_t end = closing(text_, at_);
    if (end == text_.npos) throw Unreadable("a bracket that is not closed");
    const string_view body = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return body;
  }

  SourceValue inner(string_view text) const {
    if (depth_ > 100) throw Unreadable("nesting deeper than 100");
    Evaluator next(text, dialect_, names_);
    next.depth_ = depth_ + 1;
    return next.run();
  }

  SourceValue postfix(SourceValue value) {
    while (here() == '[') {
      std::vector<string> where;
      for (const SourcePart& part : split_outside(bracket(), ",")) where.push_back(part.text);
      value = element(value, where);
    }
    if (here() == '.' && dialect_ == Dialect::python) {
      const string_view method = run_of([](char c) { return is_name_byte(c) || c == '.'; });
      if (method != ".astype" && method != ".copy") throw NoLiteral("the method " + string(method));
      bracket();
    }
    return value;
  }

  SourceValue primary() {
    const char c = peek();
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
      SourceValue value = number();
      const bool times = dialect_ == Dialect::julia && (is_name_byte(here()) || here() == '(');
      return times ? combined('*', value, postfix(primary())) : value;
    }
    if (c == '(') return inner(bracket());
    if (c == '[' || c == '{') return list(bracket());
    if (c == '@' && accept("@big")) return primary();
    if (!is_name_byte(c)) {
      throw Unreadable(c == '\0' ? string("an unexpected end")
                                 : "unexpected " + in_quotes(text_.substr(at_, 20)));
    }
    return named();
  }

  SourceValue number() {
    const std::size_t start = at_;
    run_of([](char c) { return is_digit(c) || c == '.'; });
    if (here() == 'e' || here() == 'E') {
      const std::size_t sign =
          at_ + 1 < text_.size() && (text_[at_ + 1] == '-' || text_[at_ + 1] == '+');
      if (at_ + 1 + sign < text_.size() && is_digit(text_[at_ + 1 + sign])) {
        at_ += 1 + sign;
        digits();
      }
    }
    const string_view written = text_.substr(start, at_ - start);
    if (dialect_ != Dialect::julia) run_of([](char c) { return c == 'L' || c == 'f' || c == 'F'; });
    try {
      return SourceValue::written(written, "a number");
    } catch (const BadInput&) {
      throw Unreadable("the malformed number " + in_quotes(written, 60));
    }
  }

  /// Rows of Julia end at a line or ";", its columns at blanks; other lists have commas.
  SourceValue list(string_view body) const {
    std::vector<SourceValue> rows;
    const bool julia = dialect_ == Dialect::julia;
    string text;
    for (const SourcePart& part : split_outside(body, julia ? ";,\n" : ",")) {
      text += (text.empty() ? "" : " ") + part.text;
      const bool continued = julia && part.end == '\n' && !text.empty() &&
                             string_view("+-*/^").find(text.back()) != string_view::npos;
      if (continued || text.empty()) continue;
      const std::vector<string> columns = julia ? julia_columns(text) : std::vector{text};
      text.clear();
      std::vector<SourceValue> row;
      for (const string& column : columns) row.push_back(inner(column));
      const auto is_list = [](const SourceValue& item) { return item.is_list; };
      const SourceValue& first = row.front();
      const bool matrix = julia && row.size() == 1 && first.is_list && !first.items.empty() &&
                          std::all_of(first.items.begin(), first.items.end(), is_list);
      if (matrix)  // [[1 2]; [3 4]] stands below each other
        rows.insert(rows.end(), first.items.begin(), first.items.end());
      else
        rows.push_back(row.size() == 1 ? first : SourceValue::list(std::move(row)));
      if (rows.size() > most_entries) throw Unreadable("a list of more than 1000 entries");
    }
    return SourceValue::list(std::move(rows));
  }

  /// "1 // 9 (-1 - x) / 18 -2" has three: a blank ends a column unless an operator stands on both
  /// of its sides or none.
  static std::vector<string> julia_columns(string_view row) {
    std::vector<string> columns(1);
    const string_view operators = "+-*/^=";
    for (std::size_t at = 0; at < row.size(); ++at) {
      const char c = row[at];
      if (c == '(' || c == '[' || c == '"') {
        const std::size_t end = c == '"' ? row.find('"', at + 1) : closing(row, at);
        if (end == row.npos) throw Unreadable("a bracket that is not closed");
        columns.back() += row.substr(at, end + 1 - at);
        at = end;
        continue;
      }
      if (c != ' ' && c != '\t') {
        columns.back() += c;
        continue;
      }
      std::size_t next = at;
      while (next < row.size() && (row[next] == ' ' || row[next] == '\t')) ++next;
      if (next == row.size()) break;
      const bool after =
          !columns.back().empty() && operators.find(columns.back().back()) != operators.npos;
      const bool before = operators.find(row[next]) != operators.npos;
      const bool sign =
          before && next + 1 < row.size() && row[next + 1] != ' ' && row[next + 1] != '/';
      if (!after && (!before || sign) && !columns.back().empty()) columns.emplace_back();
      at = next - 1;
    }
    return columns;
  }

  SourceValue named() {
    string name(run_of([](char c) { return is_name_byte(c) || c == '.'; }));
    constexpr string_view root = "√";
    if (name.starts_with(root))
      return combined('^', name == root ? primary() : inner(string_view(name).substr(root.size())),
                      SourceValue::number(rational(1) / 2));
    while (accept("->")) name += "->" + string(run_of(is_name_byte));
    if (name == "big" && here() == '"') {
      const std::size_t end = text_.find('"', at_ + 1);
      if (end == text_.npos) throw Unreadable("a text that is not closed");
      const string_view body = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return inner(body);
    }
    if (here() == '[' && one_of(name, {"T", "T2", "T_time"})) return list(bracket());
    if (name == "pi" && !names_.contains(name)) return {false, {}, "pi", {}, ""};
    const std::size_t point = name.rfind('.');
    if (peek() == '(' && point != name.npos && dialect_ == Dialect::python) {
      const string method = name.substr(point + 1);
      const auto known = names_.find(string_view(name).substr(0, point));
      if (known != names_.end() && (method == "astype" || method == "copy")) {
        bracket();
        return readable(known->second);
      }
    }
    if (here() == '{') bracket();  // the type of a Julia constructor
    if (here() == '(') {
      std::vector<string> arguments;
      for (const SourcePart& part : split_outside(bracket(), ","))
        if (!part.text.empty()) arguments.push_back(part.text);
      return called(point == name.npos ? name : name.substr(point + 1), arguments);
    }
    const auto known = names_.find(name);
    if (known == names_.end()) throw NoLiteral(in_quotes(name, 40) + " is no literal");
    return readable(known->second);
  }

  static const SourceValue& readable(const SourceValue& value) {
    if (!value.unreadable.empty()) throw Unreadable(value.unreadable);
    return value;
  }

  SourceValue called(const string& name, const std::vector<string>& arguments) const {
    static const std::vector<string_view> same = {
        "RC",    "SUN_RCONST", "PetscRealConstant", "convert", "BigInt",   "big",    "BigFloat",
        "map",   "array",      "squeeze",           "T",       "Rational", "T_time", "T2",
        "float", "copy",       "collect",           "asarray"};
    if (one_of(name, {"one", "zero"})) return SourceValue::number(name == "one" ? 1 : 0);
    if (arguments.empty()) throw NoLiteral("the call of " + name);
    if (one_of(name, {"zeros", "ones", "fill", "Matrix", "Vector"})) return filled(name, arguments);
    const bool known =
        one_of(name, {"sqrt", "SUNRsqrt", "PetscSqrtReal", "PetscSqr", "cos", "sin"}) ||
        std::find(same.begin(), same.end(), name) != same.end();
    if (!known) throw NoLiteral("the function " + in_quotes(name, 40) + " is not read");
    const SourceValue last = inner(arguments.back());
    if (one_of(name, {"sqrt", "SUNRsqrt", "PetscSqrtReal"}))
      return combined('^', last, SourceValue::number(rational(1) / 2));
    if (one_of(name, {"cos", "sin"})) {
      SourceValue out;
      out.text = name + "(" + last.text + ")";
      return out;
    }
    if (name == "PetscSqr") return combined('*', last, last);
    if (name == "Rational" && arguments.size() == 2)
      return combined('/', inner(arguments[0]), last);
    return last;
  }

  /// zeros(T, 3, 3), zeros((3, 3)), fill(1//2, 1, 1), Matrix{T}(undef, 1, 1)
  SourceValue filled(const string& name, const std::vector<string>& arguments) const {
    const bool fill = name == "fill";
    std::vector<std::size_t> sizes;
    const auto add = [&](const string& text) {
      const SourceValue value = inner(text);
      for (const SourceValue& item : value.is_list ? value.items : std::vector{value})
        sizes.push_back(count_of(item, most_entries));
    };
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (fill && i == 0) continue;
      string text = arguments[i];
      if (text == "undef" || text == "T" || text == "T2" || text == "T_time" || text == "BigFloat")
        continue;
      if (text.front() == '(') text = "[" + text.substr(1, text.size() - 2) + "]";
      add(text);
    }
    if (sizes.empty() || sizes.size() > 2) throw Unreadable("a list of unknown size");
    const SourceValue value =
        fill ? inner(arguments[0]) : SourceValue::number(name == "ones" ? 1 : 0);
    SourceValue row = SourceValue::list(std::vector<SourceValue>(sizes.back(), value));
    return sizes.size() == 1 ? row
                             : SourceValue::list(std::vector<SourceValue>(sizes.front(), row));
  }

  Dialect dialect_;
  const NamedValues& names_;
  int depth_ = 0;
};

}  // namespace

void SourceValues::assign(string_view target, string_view value, const SourceStatement& statement) {
  // Of "const PetscReal A[2][2]" and "B->A[1][0]" the name begins behind the last blank.
  const std::size_t bracket = std::min(target.find('['), target.size());
  const string_view head = without_blanks(target.substr(0, bracket));
  const std::size_t blank = head.find_last_of(" \t\n*)");
  const string name(blank == head.npos ? head : head.substr(blank + 1));
  const bool declared = blank != head.npos && dialect_ == Dialect::c;
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_name_byte(c) || c == '-' || c == '>' || c == '.';
  });
  if (!plain) return;
  try {
    if (statement.conditional) throw Unreadable("set in a loop or under a condition");
    const Evaluator evaluator(value, dialect_, values_);
    const SourceValue found = Evaluator(value, dialect_, values_).run();
    std::vector<string> where;
    for (std::size_t at = bracket; !declared && at < target.size();) {
      const std::size_t end = closing(target, at);
      if (target[at] != '[' || end == target.npos) throw Unreadable("a place that is not read");
      for (const SourcePart& part : split_outside(target.substr(at + 1, end - at - 1), ","))
        where.push_back(part.text);
      at = end + 1;
    }
    if (where.empty()) {
      values_[name] = found;
    } else {
      SourceValue& known = values_[name];
      if (known.unreadable.empty()) evaluator.store(known, where, found);
    }
  } catch (const Unreadable& reason) {
    if (values_[name].unreadable.empty())
      values_[name].unreadable = "line " + std::to_string(statement.line) + ": " + reason.what();
  }
}

void SourceValues::run(const SourceStatement& statement) {
  if (statement.opens_scope) clear();
  const std::vector<SourcePart> parts = split_outside(statement.text, "=");
  if (parts.size() == 2 && !parts[0].text.empty()) assign(parts[0].text, parts[1].text, statement);
}

SourceValue SourceValues::evaluate(string_view text) const {
  return Evaluator(text, dialect_, values_).run();
}

}  // namespace daemark
