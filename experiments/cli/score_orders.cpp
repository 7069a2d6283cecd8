#include "experiments/cli/score_orders.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/numbers/expression.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/terminal/text.hpp"

namespace daemark {
namespace {

/// Of the file's header, else the spacing of its rows; 0 with a single row.
double step_of(const Score& score) {
  if (score.h > 0) return score.h;
  return score.rows > 1 ? (score.t_end - score.t_start) / static_cast<double>(score.rows - 1) : 0;
}

double error_in(const ScoredTime& time, const std::string& name) {
  if (const auto found = time.errors.find(name); found != time.errors.end()) return found->second;
  for (const ScoredColumn& column : time.columns)
    if (column.name == name) return column.error;
  return missing;
}

}  // namespace

ScoreOrders::ScoreOrders(const std::vector<std::string>& files, const std::vector<Score>& scores,
                         const std::string& steps)
    : files_(files), h_from_(steps.empty() ? "headers or spacing of rows" : "--h") {
  if (!steps.empty())
    for (const Expression& h : read_numbers(steps, "--h")) h_.push_back(h.eval<double>());
  if (steps.empty())
    for (const Score& score : scores) h_.push_back(step_of(score));
  if (h_.size() != files.size())
    throw BadInput(fmt::format("--h states {} step sizes for {} files; accepted: one a file",
                               h_.size(), files.size()));
  for (std::size_t i = 0; i < h_.size(); ++i)
    if (!(h_[i] > 0) || (i > 0 && h_[i] == h_[i - 1]))
      throw BadInput(
          fmt::format("the step size of {} is {:g}; accepted: --h with one a file, > 0 and "
                      "not that of the file before",
                      printable(files[i], 200), h_[i]));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i].times.empty())
      throw BadInput(fmt::format("{}: no reference at its last time", printable(files[i], 200)));
    if (scores[i].times.back().t != scores[0].times.back().t)
      throw BadInput(fmt::format("{} ends at t = {}, {} at {}; accepted: files that end together",
                                 printable(files[0], 200), scores[0].times.back().t,
                                 printable(files[i], 200), scores[i].times.back().t));
  }
  t_ = scores[0].times.back().t;
  std::vector<std::string> names;
  for (const auto& [name, error] : scores[0].times.back().errors) names.push_back(name);
  for (const ScoredColumn& column : scores[0].times.back().columns) names.push_back(column.name);
  for (const std::string& name : names) {
    std::vector<double> errors;
    for (const Score& score : scores) errors.push_back(error_in(score.times.back(), name));
    add(name, std::move(errors));
  }
}

void ScoreOrders::add(const std::string& name, std::vector<double> errors) {
  Quantity quantity{name, std::move(errors), {}, {}};
  for (std::size_t i = 1; i < h_.size(); ++i) {
    const double ratio = quantity.errors[i - 1] / quantity.errors[i];
    quantity.ratios.push_back(std::isfinite(ratio) ? ratio : missing);
    quantity.slopes.push_back(std::isfinite(ratio) && ratio > 0
                                  ? std::log(ratio) / std::log(h_[i - 1] / h_[i])
                                  : missing);
  }
  quantities_.push_back(std::move(quantity));
}

nlohmann::ordered_json ScoreOrders::json() const {
  nlohmann::ordered_json quantities = nlohmann::ordered_json::object();
  for (const Quantity& q : quantities_)
    quantities[q.name] = {{"errors", q.errors}, {"ratios", q.ratios}, {"slopes", q.slopes}};
  return {{"t", t_}, {"files", files_}, {"h", h_}, {"h_from", h_from_}, {"errors", quantities}};
}

void ScoreOrders::print(std::ostream& out) const {
  out << fmt::format("errors at t = {} s; h from {}\n", t_, h_from_);
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < files_.size(); ++i)
    rows.push_back({files_[i], "h = " + brief(h_[i])});
  out << columns(rows);
  const auto table = [&](const char* title, const std::vector<double> Quantity::*values) {
    rows.clear();
    for (const Quantity& q : quantities_) {
      rows.push_back({q.name});
      for (const double value : q.*values) rows.back().push_back(brief(value));
    }
    out << title << "\n" << columns(rows);
  };
  table("errors", &Quantity::errors);
  table("ratios, each file to the next", &Quantity::ratios);
  table("slopes", &Quantity::slopes);
}

}  // namespace daemark
