#include "methods/catalogue/tableau_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "methods/catalogue/tableau_file.hpp"

namespace daemark {
namespace {

using std::string;
using std::string_view;

std::vector<Expression> entries(const SourceValue& values, std::size_t size, const char* what) {
  if (values.is_list && values.items.size() == 1 && values.items[0].is_list)
    return entries(values.items[0], size, what);  // a row where a list is due
  if (!values.is_list || values.items.size() != size)
    throw Unreadable(fmt::format("{} is no list of {} entries", what, size));
  std::vector<Expression> out;
  for (const SourceValue& value : values.items) {
    if (value.is_list || !value.unreadable.empty())
      throw Unreadable(value.is_list ? string(what) + " holds lists" : value.unreadable);
    out.push_back(Expression::parse(value.text, what));
  }
  return out;
}

SourceValue row_sums(const SourceValue& A) {
  std::vector<SourceValue> sums;
  for (const SourceValue& row : A.items) {
    sums.push_back(SourceValue::number(0));
    for (const SourceValue& entry : row.items) sums.back() = combined('+', sums.back(), entry);
  }
  return SourceValue::list(std::move(sums));
}

}  // namespace

string id_of(string_view name, std::set<string>& taken) {
  string id;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 && byte < 0x80)
      id += static_cast<char>(std::tolower(byte));
    else if (!id.empty() && id.back() != '_' && byte < 0x80)
      id += '_';
  }
  if (id.empty() || std::isdigit(static_cast<unsigned char>(id.front())) != 0) id = "m_" + id;
  while (id.back() == '_') id.pop_back();
  id.resize(std::min<std::size_t>(id.size(), 60));
  string unique = id;
  for (int k = 2; !taken.insert(unique).second; ++k) unique = id + "_" + std::to_string(k);
  return unique;
}

SourceValue butcher_form(const SourceValue& alpha, const SourceValue& beta) {
  const std::size_t rows = alpha.items.size();
  if (rows < 2 || beta.items.size() != rows) throw Unreadable("alpha and beta of different sizes");
  SourceValue A = SourceValue::zeros(rows, rows - 1);
  for (std::size_t i = 1; i < rows; ++i) {
    const SourceValue &a = alpha.items[i], &b = beta.items[i];
    if (a.items.size() != rows - 1 || b.items.size() != rows - 1)
      throw Unreadable("alpha and beta need s + 1 rows of s entries");
    for (std::size_t j = 0; j < i; ++j) {
      A.items[i] = combined('+', A.items[i], combined('*', a.items[j], A.items[j]));
      A.items[i].items[j] = combined('+', A.items[i].items[j], b.items[j]);
    }
  }
  return A;
}

void fill(ExactTableau& tableau, SourceValue A, std::optional<SourceValue> b,
          std::optional<SourceValue> c, const std::optional<SourceValue>& b_hat) {
  if (!A.is_list) A = SourceValue::list({A});
  if (A.items.size() == 1 && !A.items[0].is_list) A = SourceValue::list({A});
  const std::size_t s = A.items.size();
  if (s == 0 || s > max_file_stages) throw Unreadable("a matrix of no or more than 100 stages");
  for (const SourceValue& row : A.items) tableau.A.push_back(entries(row, s, "a row of A"));
  if (!b) b = A.items.back();
  if (!c) c = row_sums(A);
  tableau.b = entries(*b, s, "b");
  tableau.c = entries(*c, s, "c");
  if (b_hat) tableau.embedded = entries(*b_hat, s, "b_hat");
  const auto decimal = [](const Expression& e) { return e.has_decimal(); };
  for (const auto& row : tableau.A) tableau.decimal |= std::any_of(row.begin(), row.end(), decimal);
  for (const auto* list : {&tableau.b, &tableau.c, &tableau.embedded})
    tableau.decimal |= std::any_of(list->begin(), list->end(), decimal);
}

}  // namespace daemark
