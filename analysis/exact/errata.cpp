#include "analysis/exact/errata.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "analysis/exact/errata_block.hpp"
#include "analysis/exact/import.hpp"
#include "analysis/exact/poly.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"

namespace daemark::exact {

namespace {

using Json = nlohmann::ordered_json;
using Values = std::map<std::string, rational>;

rational evaluate(const std::string& text, const Values& values, const std::string& where) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : values) names.push_back(name);
  const Expression e = Expression::parse(text, where, names);
  return import_numbers({&e}, where, values).front().to_rational();
}

void define(const Json& entry, const char* key, Values& values, const std::string& where) {
  if (!entry.contains(key)) return;
  for (const auto& [name, text] : entry.at(key).items()) {
    values[name] = evaluate(text.get<std::string>(), values, where + ", " + name);
  }
}

/// First grid point where a residual does not vanish; true when all vanish everywhere.
bool conditions_hold(const Json& check, const char* form, const std::string& where,
                     std::string& failure) {
  std::vector<std::string> names;
  std::vector<std::vector<rational>> grid;
  for (const auto& [name, list] : check.at("variables").items()) {
    names.push_back(name);
    grid.emplace_back();
    for (const Json& x : list) grid.back().push_back(evaluate(x.get<std::string>(), {}, where));
  }
  std::vector<std::size_t> at(names.size(), 0);
  while (true) {
    Values values;
    std::string point;
    for (std::size_t i = 0; i < names.size(); ++i) {
      values[names[i]] = grid[i][at[i]];
      point += (i == 0 ? " at " : ", ") + names[i] + " = " + grid[i][at[i]].str();
    }
    define(check, "common", values, where);
    define(check, form, values, where);
    define(check, "derived", values, where);
    for (const auto& [name, text] : check.at("conditions").items()) {
      const rational residual = evaluate(text.get<std::string>(), values, where + ", " + name);
      if (residual == 0) continue;
      failure = name + ": off by " + residual.str() + point;
      return false;
    }
    std::size_t i = 0;
    while (i < names.size() && ++at[i] == grid[i].size()) at[i++] = 0;
    if (i == names.size()) return true;
  }
}

Matrix rational_matrix(const Json& rows, const std::string& where) {
  Matrix out;
  for (const Json& row : rows) {
    out.emplace_back();
    for (const Json& x : row) out.back().emplace_back(evaluate(x.get<std::string>(), {}, where));
  }
  return out;
}

/// Yang 2006, eq. (20): B = I; for each j: p = h e_j, q = J p, Broyden-Fletcher-Shanno update.
Matrix updated_inverse(const Matrix& j, const Number& h) {
  const std::size_t m = j.size();
  Matrix b = identity(static_cast<int>(m));
  for (std::size_t column = 0; column < m; ++column) {
    Vector p(m), q;
    p[column] = h;
    q = multiply(j, p);
    const Vector bq = multiply(b, q);
    const Number pq = dot(p, q), mu = Number(1) + dot(q, bq) / pq;
    for (std::size_t r = 0; r < m; ++r) {
      for (std::size_t c = 0; c < m; ++c) {
        b[r][c] += (mu * p[r] * p[c] - bq[r] * p[c] - p[r] * bq[c]) / pq;
      }
    }
  }
  return b;
}

Matrix finite_difference_inverse(const Matrix& j) {
  Matrix out(j.size());
  for (std::size_t column = 0; column < j.size(); ++column) {
    Vector unit(j.size()), x;
    unit[column] = 1;
    solve(j, unit, x);
    for (std::size_t r = 0; r < j.size(); ++r) out[r].push_back(x[r]);
  }
  return out;
}

bool is_identity(const Matrix& product, std::string& failure) {
  for (std::size_t r = 0; r < product.size(); ++r) {
    for (std::size_t c = 0; c < product.size(); ++c) {
      const Number gap = product[r][c] - Number(r == c ? 1 : 0);
      if (gap.is_zero()) continue;
      failure = "B J differs from I by " + gap.text() + " in entry (" + std::to_string(r + 1) +
                "," + std::to_string(c + 1) + ")";
      return false;
    }
  }
  return true;
}

void run_check(const Json& check, const std::string& where, Erratum& out) {
  const std::string kind = check.at("kind").get<std::string>();
  std::string unused;
  if (kind == "conditions") {
    out.printed_holds = conditions_hold(check, "printed", where, out.condition);
    out.right_holds = conditions_hold(check, "right", where, unused);
    if (!out.right_holds) out.condition += " (derived form: " + unused + ")";
  } else if (kind == "inverse_start") {
    const Matrix j = rational_matrix(check.at("J"), where);
    const Number h(evaluate(check.at("h").get<std::string>(), {}, where));
    out.printed_holds = is_identity(multiply(updated_inverse(j, h), j), out.condition);
    out.right_holds = is_identity(multiply(finite_difference_inverse(j), j), unused);
  } else {
    run_block_check(check, where, out);
  }
  if (out.printed_holds && out.condition.empty()) out.condition = "every condition holds";
}

std::string cell(std::string text) {  // for a markdown table
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string quoted(const std::string& text) {  // for CSV
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

const char* status(const Erratum& e) {
  if (!e.right_holds) return "undecided";
  return e.printed_holds ? "right as printed" : "wrong as transcribed";
}

}  // namespace

Erratum run_erratum(const std::string& paper, const nlohmann::ordered_json& entry) {
  Erratum out;
  out.paper = paper;
  try {
    out.place = entry.at("place").get<std::string>();
    out.transcribed = entry.at("transcribed").get<std::string>();
    out.right = entry.at("right").get<std::string>();
    out.effect = entry.at("effect").get<std::string>();
    run_check(entry.at("check"), paper + ", " + out.place, out);
  } catch (const nlohmann::json::exception& problem) {
    throw BadInput("errata of " + paper + ", entry '" + out.place + "': " + problem.what());
  }
  return out;
}

std::vector<Erratum> run_errata(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) {
    throw BadInput("errata folder " + folder.string() + ": not found");
  }
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() == ".json") files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Erratum> out;
  for (const auto& path : files) {
    std::ifstream stream(path);
    const Json all = Json::parse(stream, nullptr, false);
    if (all.is_discarded()) throw BadInput(path.string() + ": not readable as JSON");
    const std::string paper = all.at("paper").get<std::string>();
    for (const Json& entry : all.at("entries")) out.push_back(run_erratum(paper, entry));
  }
  return out;
}

void write_errata(const std::vector<Erratum>& errata, const std::filesystem::path& folder) {
  std::ostringstream text, table;
  text << "# Errata, derived\n\nEach row is decided by an exact check that fails for the form as "
          "transcribed and passes for the derived one. Damage may come from the printer or from "
          "text recognition: \"as transcribed\" covers both.\n";
  table << "paper,place,status,transcribed,derived,condition,effect\n";
  std::string paper;
  for (const Erratum& e : errata) {
    if (e.paper != paper) {
      paper = e.paper;
      text << "\n## " << paper << "\n\n| place | status | as transcribed | derived | condition | "
           << "effect |\n|---|---|---|---|---|---|\n";
    }
    text << "| " << cell(e.place) << " | " << status(e) << " | " << cell(e.transcribed) << " | "
         << cell(e.right) << " | " << cell(e.condition) << " | " << cell(e.effect) << " |\n";
    table << e.paper;
    for (const std::string& field :
         {e.place, std::string(status(e)), e.transcribed, e.right, e.condition, e.effect}) {
      table << "," << quoted(field);
    }
    table << "\n";
  }
  write_if_changed(folder / "errata.md", text.str());
  write_if_changed(folder / "errata.csv", table.str());
}

}  // namespace daemark::exact
