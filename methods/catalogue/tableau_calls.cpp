// The calls and blocks by which other programs state their tableaus.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <utility>

#include "base/text/bad_input.hpp"
#include "methods/catalogue/tableau_parts.hpp"

namespace daemark {
namespace {

using std::string;
using std::string_view;

/// Where a part of a tableau stands among the arguments of a call: positions from 0, or a keyword.
struct Place {
  int position = -1;
  const char* keyword = "";
};

/// Calls that register a tableau, by the text before their bracket.
struct TableauCall {
  std::vector<const char*> names;
  Dialect dialect;
  const char* suffix;  ///< of the name
  Place name, order, A, b, c, b_hat, embedded_order;
  bool b_hat_is_difference = false;  ///< b_hat - b is given
  Place other_b{}, other_A{};        ///< a missing b is this, or the last row of that
};

constexpr Place none;

// clang-format off
const std::vector<TableauCall> all_calls = {
    {{"TSRKRegister", "TSDIRKRegister"}, Dialect::c, "", {0}, {1}, {3}, {4}, {5}, {6}, none},
    {{"TSARKIMEXRegister"}, Dialect::c, "_im", {0}, {1}, {3}, {4}, {5}, {9}, none},
    {{"TSARKIMEXRegister"}, Dialect::c, "_ex", {0}, {1}, {6}, {7}, {8}, {10}, none, false, {4}, {3}},
    {{"ExplicitRKTableau", "ImplicitRKTableau"}, Dialect::julia, "",
     none, {3}, {0}, {2}, {1}, {-1, "αEEst"}, {-1, "adaptiveorder"}},
    {{"ESDIRKIMEXTableau"}, Dialect::julia, "_im", none, {8}, {0}, {1}, {4}, {5}, none, true},
    {{"ESDIRKIMEXTableau"}, Dialect::julia, "_ex", none, {8}, {2}, {3}, {-1, "ce"}, {6}, none, true},
    {{"_pure_esdirk_to_imex_tableau"}, Dialect::julia, "",
     none, {3}, {0}, none, {1}, {2}, none, true},
    {{"Tableau{T}"}, Dialect::julia, "", {0}, {1}, {2}, {3}, {4}, none, none},
    {{"ExplicitRungeKuttaPair"}, Dialect::python, "",
     {-1, "shortname"}, {-1, "order"}, {0, "A"}, {1, "b"}, none, {2, "bhat"}, none},
    {{"ExplicitRungeKuttaMethod", "RungeKuttaMethod"}, Dialect::python, "",
     {-1, "shortname"}, {-1, "order"}, {0, "A"}, {1, "b"}, none, none, none}};
// clang-format on

/// The arguments of a call in its source's own words.
struct Words {
  std::vector<string> positional;
  std::map<string, string> keywords;

  explicit Words(string_view text) {
    bool behind = false;
    for (const SourcePart& part : split_outside(text, ",;")) {
      const std::vector<SourcePart> sides = split_outside(part.text, "=");
      if (sides.size() > 1)
        keywords[sides.front().text] = sides.back().text;
      else if (behind && !part.text.empty())
        keywords[part.text] = part.text;  // "; b" of Julia is "; b = b"
      else if (!part.text.empty() && !part.text.starts_with("Val("))
        positional.push_back(part.text);
      behind = behind || part.end == ';';
    }
  }
  /// Empty where it is not given.
  string at(const Place& place) const {
    if (const auto found = keywords.find(place.keyword); found != keywords.end())
      return found->second;
    const bool given = place.position >= 0 && place.position < static_cast<int>(positional.size());
    if (!given) return "";
    string word = positional[static_cast<std::size_t>(place.position)];
    if (word.starts_with('&')) word = word.substr(1, word.find('[') - 1);  // &A[0][0] of C
    return word == "NULL" || word == "nothing" || word == "nullptr" ? "" : word;
  }
};

bool is_zero(const SourceValue& value) {
  return value.is_list ? std::all_of(value.items.begin(), value.items.end(), is_zero)
                       : value.exact && *value.exact == 0;
}

string name_behind(string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_name_byte(text[end])) ++end;
  return string(text.substr(at, end - at));
}

class Reader {
 public:
  Reader(string_view text, Dialect dialect, const SourceStructs& structs)
      : text_(text),
        dialect_(dialect),
        structs_(structs),
        values_(dialect),
        flags_(flags_of(text)) {}

  std::vector<SourceTableau> run() {
    for (const SourceStatement& statement : source_statements(text_, dialect_)) {
      const string& words = statement.text;
      if (words.starts_with("function ")) function_ = name_behind(words, 9);
      if (dialect_ == Dialect::c) butcher_table(statement);
      if (!take_struct(words)) values_.run(statement);
      const bool definition = words.starts_with("function ") || words.starts_with("def ") ||
                              words.starts_with("class ") || words.starts_with("struct ");
      if (!definition)
        for (const TableauCall& call : all_calls)
          for (const char* name : call.names)
            if (call.dialect == dialect_) read(call, name, statement);
    }
    return std::move(found_);
  }

 private:
  /// "ARKODE_NAME  SDIRK  Y  N  Y": A- and L-stable, from the list at the head of SUNDIALS' files.
  static std::map<string, std::pair<bool, bool>> flags_of(string_view text) {
    static const std::regex row(R"((ARKODE_\w+)[*^]*[ \t]+E?SDIRK[ \t]+([YN])[ \t]+([YN]))");
    std::map<string, std::pair<bool, bool>> out;
    for (std::cregex_iterator at(text.data(), text.data() + text.size(), row), end; at != end; ++at)
      out[(*at)[1]] = {(*at)[2] == "Y", (*at)[3] == "Y"};
    return out;
  }

  /// "tab = NAME(T, T2)": whether NAME is a struct.
  bool take_struct(const string& words) {
    const std::vector<SourcePart> sides = split_outside(words, "=");
    if (structs_.empty() || sides.size() != 2) return false;
    const auto made = structs_.find(name_behind(sides[1].text, 0));
    if (made == structs_.end()) return false;
    for (const auto& [name, value] : made->second) values_.set(sides[0].text + "." + name, value);
    return true;
  }

  /// What a call or a block of SUNDIALS states; kept with the reason where it cannot be told.
  template <class Fill>
  void keep(const string& name, const SourceStatement& statement, const Fill& fill_in) {
    SourceTableau out;
    out.name = name;
    out.line = statement.line;
    try {
      if (statement.conditional) throw Unreadable("it stands in a loop or under a condition");
      fill_in(out.tableau);
    } catch (const NoLiteral&) {
      return;  // made of the arguments of a function: no tableau is stated here
    } catch (const Unreadable& reason) {
      out.unreadable = reason.what();
    } catch (const BadInput& reason) {
      out.unreadable = reason.what();
    }
    out.tableau.id = id_of(name, taken_);
    if (out.tableau.embedded.empty()) out.tableau.claims.embedded_order.reset();
    found_.push_back(std::move(out));
  }

  std::optional<int> integer(const string& word) const {
    if (word.empty()) return std::nullopt;
    const SourceValue value = values_.evaluate(word);
    if (!value.exact || mp::denominator(*value.exact) != 1 || *value.exact < 0 ||
        *value.exact > 200)
      throw Unreadable("an order that is no number from 0 to 200");
    return static_cast<int>(static_cast<long>(mp::numerator(*value.exact)));
  }

  std::optional<SourceValue> value(const string& word) const {
    if (word.empty()) return std::nullopt;
    SourceValue found = values_.evaluate(word);
    if (found.is_list && found.items.empty()) return std::nullopt;
    return found;
  }

  void butcher_table(const SourceStatement& statement) {
    constexpr string_view opening = "ARK_BUTCHER_TABLE(", allocation = "ARKodeButcherTable_Alloc(";
    const string& words = statement.text;
    if (words.starts_with(opening)) {
      function_ = name_behind(words, opening.size());
      values_.clear();
    }
    if (const auto at = words.find(allocation); at != words.npos && !function_.empty()) {
      try {
        const auto s = static_cast<std::size_t>(
            integer(Words(words.substr(at + allocation.size())).at({0})).value_or(0));
        values_.set("B->A", SourceValue::zeros(s, s));
        for (const char* list : {"B->b", "B->c", "B->d"}) values_.set(list, SourceValue::zeros(s));
        embedded_ = words.find("SUNTRUE") != words.npos;
      } catch (const Unreadable&) {
        function_.clear();  // another use of the allocation
      }
    }
    if (words != "return B" || function_.empty()) return;
    keep(function_, statement, [&](ExactTableau& tableau) {
      tableau.claims.order = integer("B->q");
      if (embedded_) tableau.claims.embedded_order = integer("B->p");
      if (const auto known = flags_.find(function_); known != flags_.end()) {
        tableau.claims.a_stable = known->second.first;
        tableau.claims.l_stable = known->second.second;
      }
      fill(tableau, values_.evaluate("B->A"), value("B->b"), value("B->c"),
           embedded_ ? value("B->d") : std::nullopt);
    });
    function_.clear();
  }

  void read(const TableauCall& call, const string& call_name, const SourceStatement& statement) {
    const string& words = statement.text;
    const string opening = call_name + "(";
    const std::size_t at = words.find(opening);
    const bool inside_name = at != words.npos && at > 0 && is_name_byte(words[at - 1]);
    if (at == words.npos || inside_name) return;
    const std::size_t open = at + opening.size() - 1, end = closing(words, open);
    if (end == words.npos) return;
    const Words arguments(string_view(words).substr(open + 1, end - open - 1));
    const string A = arguments.at(call.A);
    const bool shu_osher = arguments.keywords.contains("alpha");
    const bool of_types = std::any_of(arguments.positional.begin(), arguments.positional.end(),
                                      [](const string& w) { return w.find("::") != w.npos; });
    const bool generator = dialect_ == Dialect::python && !words.starts_with("RK[");
    if (of_types || generator || (A.empty() && !shu_osher)) return;
    string name = arguments.at(call.name);
    if (dialect_ == Dialect::python && words.starts_with("RK["))
      name = words.substr(3, words.find(']') - 3);
    if (name.empty()) name = function_;
    std::erase_if(name, [](char c) { return c == '"' || c == '\'' || c == ':'; });
    if (dialect_ == Dialect::python && name.starts_with('u')) name.erase(0, 1);
    keep(name + call.suffix, statement, [&](ExactTableau& tableau) {
      SourceValue matrix;
      std::optional<SourceValue> b = value(arguments.at(call.b));
      if (shu_osher)
        matrix = butcher_form(values_.evaluate(arguments.keywords.at("alpha")),
                              values_.evaluate(arguments.keywords.at("beta")));
      else
        matrix = values_.evaluate(A);
      if (!matrix.is_list || matrix.items.empty()) throw NoLiteral("a method without this part");
      if (shu_osher) {
        b = matrix.items.back();
        matrix.items.pop_back();
      }
      if (!b) b = value(arguments.at(call.other_b));
      if (const auto other = value(arguments.at(call.other_A)); !b && other && other->is_list)
        b = other->items.back();
      if (!b) b = matrix.items.back();
      if (is_zero(matrix) && is_zero(*b)) throw NoLiteral("a method without this part");
      std::optional<SourceValue> b_hat = value(arguments.at(call.b_hat));
      if (b_hat && call.b_hat_is_difference) b_hat = combined('+', *b, *b_hat);
      tableau.claims.order = integer(arguments.at(call.order));
      tableau.claims.embedded_order = integer(arguments.at(call.embedded_order));
      if (dialect_ == Dialect::python) claims_in(tableau.claims, arguments);
      fill(tableau, matrix, b, value(arguments.at(call.c)), b_hat);
    });
  }

  /// nodepy states orders in names and descriptions: "RK5(4)7", "2nd-order, L-stable".
  static void claims_in(Claims& claims, const Words& arguments) {
    static const std::regex pair(R"((\d+)\((\d+)\))"), order(R"((\d)(st|nd|rd|th)[- ]order)");
    for (const char* keyword : {"name", "description"}) {
      const string text = arguments.at({-1, keyword});
      std::smatch found;
      if (std::regex_search(text, found, pair)) {
        claims.order = std::stoi(found[1]);
        claims.embedded_order = std::stoi(found[2]);
      }
      if (std::regex_search(text, found, order)) claims.order = std::stoi(found[1]);
      if (text.find("-stable") != text.npos && text.find('L') != text.npos &&
          std::regex_search(text, std::regex("L-[sS]table")))
        claims.l_stable = true;
    }
  }

  string_view text_;
  Dialect dialect_;
  const SourceStructs& structs_;
  SourceValues values_;
  std::map<string, std::pair<bool, bool>> flags_;
  std::vector<SourceTableau> found_;
  std::set<string> taken_;
  string function_;  ///< in which we are, or the block of SUNDIALS
  bool embedded_ = false;
};

}  // namespace

void add_structs(string_view text, SourceStructs& structs) {
  constexpr string_view begins = "function ", ends = "return ";
  SourceValues values(Dialect::julia);
  string function;
  for (const SourceStatement& statement : source_statements(text, Dialect::julia)) {
    values.run(statement);
    if (statement.text.starts_with(begins)) function = name_behind(statement.text, begins.size());
    if (statement.text.starts_with(ends) && !function.empty()) structs[function] = values.all();
  }
}

std::vector<SourceTableau> tableaus_in(string_view text, Dialect dialect,
                                       const SourceStructs& structs) {
  return Reader(text, dialect, structs).run();
}

}  // namespace daemark
