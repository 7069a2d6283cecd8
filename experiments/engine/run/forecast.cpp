#include "experiments/engine/run/forecast.hpp"

#include <algorithm>

namespace daemark {

std::string Forecast::kin_of(const Cell& cell) {
  return cell.kind + " " + cell.problem.substr(0, cell.problem.find('(')) + " " + cell.precision;
}

void Forecast::finished(const std::string& kin, double cost, double seconds) {
  constexpr double kept = 0.7;  // of what the cells before say
  Kin& known = kins_[kin];
  known.left -= cost;
  known.done = kept * known.done + cost;
  known.seconds = kept * known.seconds + seconds;
}

bool Forecast::knows() const {
  return std::any_of(kins_.begin(), kins_.end(),
                     [](const auto& kin) { return kin.second.done > 0; });
}

double Forecast::left() const {
  double done = 0, seconds = 0;
  for (const auto& [name, kin] : kins_) done += kin.done, seconds += kin.seconds;
  if (done <= 0) return 0;
  double sum = 0;
  for (const auto& [name, kin] : kins_) {
    const double rate = kin.done > 0 ? kin.seconds / kin.done : seconds / done;
    sum += rate * std::max(0.0, kin.left);
  }
  return sum;
}

}  // namespace daemark
