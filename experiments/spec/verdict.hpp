// Verdicts: a printed number against ours, by the interval its printed digits stand for.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark {

enum class Verdict {
  reproduced,    ///< inside the printed interval: "2.6" means [2.55, 2.65]
  close,         ///< within 5 % of the printed value
  same_order,    ///< within a factor of 3
  floor,         ///< both below a declared round-off or stopping floor: a bound, no digits
  differs,       ///< elsewhere, and no second route has confirmed ours, or what was printed is open
  contradicted,  ///< elsewhere, and a second independent route gives our value
  not_comparable,  ///< runtimes, third-party rows, missing parameters
  holds,           ///< claims: every condition is true
  holds_partly,    ///< some are
  fails,           ///< none is
  undetermined     ///< nothing to decide it with
};

/// The words used in verdicts.csv, in the order of Verdict, in which they are shown too.
inline constexpr std::array verdict_names = {
    "reproduced",     "close", "same_order",   "floor", "differs",     "contradicted",
    "not_comparable", "holds", "holds_partly", "fails", "undetermined"};
constexpr const char* verdict_name(Verdict verdict) {
  return verdict_names[static_cast<std::size_t>(verdict)];
}

/// What a printed decimal stands for: its value and half a unit of its last digit either way.
struct PrintedInterval {
  rational value, lower, upper;
  int digits = 0;  ///< significant ones; of a zero, all that are printed
};

/// Reads "2.6", "-0.0021", "7.0007e-05", "7.0007E-5". Throws BadInput naming `where` otherwise.
PrintedInterval printed_interval(std::string_view text, std::string_view where);

/// One run of a quantity: ours or a second route's.
struct Route {
  std::string name;                ///< "quad precision", for the sentence
  std::optional<double> measured;  ///< absent: the run failed, or was left out
  std::string status;              ///< "ok", a failure status, or "" when it was not run
};

struct NumberEvidence {
  std::string printed, where;
  Route ours;
  std::vector<Route> second;          ///< all of them have to agree with ours
  std::optional<double> floor;        ///< values below it are bounds
  std::vector<std::string> violated;  ///< inequalities the printed number breaks, as sentences
  std::string not_comparable;         ///< why it is not compared; empty: compared
};

struct Judgement {
  Verdict verdict = Verdict::undetermined;
  std::string why;
};

/// Two of our routes agree when they differ by less than `close` (5 % of ours), when both lie below
/// the floor, or when both fail with one status: the resolution of the verdicts themselves, since
/// what they have to rule out is a disagreement by more than a factor of 3.
bool routes_agree(const Route& ours, const Route& second, std::optional<double> floor);

Judgement judge_number(const NumberEvidence& evidence);

/// Truth of each condition of a claim, absent where a value is missing.
Verdict judge_claim(const std::vector<std::optional<bool>>& conditions);

/// A measured value with the digits a table claims for it: `digits` significant ones, fewer where
/// the last would lie below a tenth of the floor, two where the value itself lies below the floor.
std::string claimed_digits(double value, std::optional<double> floor, int digits = 5);

}  // namespace daemark
