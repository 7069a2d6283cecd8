#include "analysis/reference/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>

#include "analysis/reference/reference_shelf.hpp"
#include "analysis/reference/routes.hpp"
#include "analysis/reference/taylor_reference.hpp"
#include "base/linear/lu_tally.hpp"
#include "base/program/paths.hpp"
#include "base/program/progress.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

/// By both routes, which are asked for more until `digits` agree everywhere, that no longer helps
/// or cannot be had.
std::vector<ReferenceState> agreed(const Route& one, const Route& other,
                                   const std::vector<Expression>& times, int digits) {
  constexpr int most_idle = 2;  // rounds without a digit more
  std::vector<ReferenceState> states(times.size());
  std::vector<RoutePoint> first, second;
  int idle = 0, done = 0;  // rounds, integrations: nobody knows how many there will be
  for (int asked = digits; idle < most_idle;) {
    const auto taken = [&](const Route& route, std::vector<RoutePoint>& points, int later) {
      const double whole = done + 1 + later;
      const ProgressShare share(done / whole, (done + 1) / whole);
      ++done;
      std::vector<RoutePoint> more = route(asked);
      if (more.empty()) return false;
      points = std::move(more);
      return true;
    };
    const bool one_more = taken(one, first, 1), other_more = taken(other, second, 0);
    if (!one_more && !other_more) break;
    bool better = false;
    int least = digits;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const int digits_here = i < std::min(first.size(), second.size())
                                  ? agreement(first[i].motion, second[i].motion,
                                              std::pow(10.0, -digits - 3), most_reference_digits)
                                  : -1;
      least = std::min(least, digits_here);
      if (digits_here < 0 || (!states[i].t.empty() && digits_here <= states[i].agreed_digits))
        continue;
      better = true;
      const auto& [motion, by] = first[i];
      states[i] = {times[i].text(), motion.q, motion.v,     motion.lambda,
                   digits_here,     by,       second[i].by, 0};
    }
    if (least >= digits) break;
    if (better || least <= 0)
      idle = 0;
    else
      ++idle;
    asked += digits - std::max(least, 0) + 1;
  }
  for (std::size_t i = 0; i < times.size(); ++i)
    if (states[i].t.empty())
      throw TaylorFailure(fmt::format("t = {} is not reached by two methods", times[i].text()));
  return states;
}

/// States at ascending times after the start.
std::vector<ReferenceState> compute(const Problem& problem, const std::vector<Expression>& times,
                                    int digits) {
  digits = std::min(digits, digits_within_reach(problem));
  const bool known = static_cast<bool>(problem.closed_form);
  const auto exact = known ? std::optional(closed_form(problem, times)) : std::nullopt;
  const auto computed = [&](const std::array<Route, 2>& routes) {
    return exact ? agreed(*exact, routes[0], times, digits)
                 : agreed(routes[0], routes[1], times, digits);
  };
  if (has_series(problem)) {
    try {
      return computed(with_series(problem, times, digits));
    } catch (const TaylorFailure&) {  // singular or too long for a series: the other routes
    }
  }
  try {
    constexpr int telling = 4;
    std::vector<ReferenceState> states = computed(integrations(problem, times, digits));
    if (std::all_of(states.begin(), states.end(),
                    [](const ReferenceState& state) { return state.agreed_digits >= telling; }))
      return states;
  } catch (const TaylorFailure&) {  // singular positions on the way
  }
  return computed(equal_integrations(problem, times, digits));
}

/// The start, with multipliers from the series, or from one solve where constraints depend on each
/// other; of a closed form, as far as that solve agrees with it.
ReferenceState compute_initial(const Problem& problem, const Expression& t, int digits) {
  const auto state = [&](const RoutePoint& point, int agreed_digits, const std::string& other) {
    const auto& [motion, by] = point;
    return ReferenceState{t.text(), motion.q, motion.v, motion.lambda, agreed_digits, by, other, 0};
  };
  if (has_series(problem)) {
    try {
      const Route series = with_series(problem, {t}, most_reference_digits)[0];
      const RoutePoint point{series(most_reference_digits).front().motion, "initial values"};
      return state(point, most_reference_digits, point.by);
    } catch (const TaylorFailure&) {  // singular: the other route
    }
  }
  int solved_digits = 0;
  const RoutePoint solved = start_of_motion(problem, digits, solved_digits);
  if (!problem.closed_form) return state(solved, solved_digits, "the same, moved by a rounding");
  const RoutePoint exact = closed_form(problem, {t})(digits).front();
  const int same = agreement(exact.motion, solved.motion, std::pow(10.0, -most_reference_digits),
                             most_reference_digits);
  return state(exact, std::min(same, solved_digits), solved.by);
}

/// States at ascending times, the start among them.
std::vector<ReferenceState> compute_all(const Problem& problem,
                                        const std::vector<Expression>& times, int digits) {
  std::vector<ReferenceState> states;
  std::vector<Expression> later;
  for (const Expression& t : times) {
    if (t.as_rational() == problem.start.as_rational())
      states.push_back(compute_initial(problem, t, digits));
    else
      later.push_back(t);
  }
  if (later.empty()) return states;
  for (ReferenceState& state : compute(problem, later, digits)) states.push_back(std::move(state));
  return states;
}

/// Throws BadInput unless it is a rational number not before the start.
Expression checked_time(const Problem& problem, const std::string& text) {
  const Expression t = Expression::parse(text, "time");
  if (!t.is_rational() || t.as_rational() < problem.start.as_rational())
    throw BadInput(fmt::format("time '{}' is not accepted: a rational number >= {}", text,
                               problem.start.text()));
  return t;
}

void check_digits(int digits) {
  if (digits < 1 || digits > most_reference_digits)
    throw BadInput(
        fmt::format("digits = {} is not accepted: integer 1..{}", digits, most_reference_digits));
}

/// For the shelf.
ReferenceState compute_one(const Problem& problem, const Expression& t, int digits) try {
  return compute_all(problem, {t}, digits).front();
} catch (const TaylorFailure& why) {
  throw NoReference(fmt::format("no reference of {}: {}", problem.name, why.what()));
}

/// One a problem and folder of results, made when first asked for.
class Shelves {
 public:
  ReferenceShelf& of(const std::string& problem_call) {
    const std::lock_guard lock(guard_);
    const std::string folder = results_root().string() + "\n";
    ReferenceShelf*& known = by_call_[folder + problem_call];
    if (known != nullptr) return *known;
    known = &shelf_of(problem_registry().make(problem_call), folder);
    return *known;
  }

  ReferenceShelf& of(const Problem& problem) {
    const std::lock_guard lock(guard_);
    return shelf_of(problem, results_root().string() + "\n");
  }

  std::vector<ReferenceNote> take_notes() {
    const std::lock_guard lock(guard_);
    std::vector<ReferenceNote> notes;
    for (auto& [name, shelf] : shelves_)
      for (ReferenceNote& note : shelf.take_notes()) notes.push_back(std::move(note));
    return notes;
  }

 private:
  ReferenceShelf& shelf_of(const Problem& problem, const std::string& folder) {
    const auto compute = [problem](const Expression& t, int digits) {
      return compute_one(problem, t, digits);
    };
    return shelves_.try_emplace(folder + problem.name, problem.name, compute).first->second;
  }

  std::mutex guard_;
  std::map<std::string, ReferenceShelf*> by_call_;  ///< as spelled
  std::map<std::string, ReferenceShelf> shelves_;
};

Shelves& shelves() {
  static Shelves all;
  return all;
}

}  // namespace

std::vector<ReferenceState> reference_states(const Problem& problem,
                                             const std::vector<std::string>& times, int digits,
                                             bool recompute, bool store) {
  const LuTally apart;  // a run that is compared with it is not charged for it
  check_digits(digits);
  std::vector<std::pair<rational, std::string>> asked;
  Times wanted;
  for (const std::string& text : times) {
    const Expression t = checked_time(problem, text);
    asked.emplace_back(t.as_rational(), t.text());
    // However it is written: a stored state says nothing of who asked for it.
    wanted.emplace(asked.back().first, Expression::parse(asked.back().first.str(), "time"));
  }
  // A closed form costs nothing: it is not stored.
  const bool keep = store && !problem.closed_form;
  const std::vector<ReferenceState> states =
      shelves().of(problem).get(wanted, digits, recompute, keep);
  std::map<rational, const ReferenceState*> by_time;
  std::size_t i = 0;
  for (const auto& [key, t] : wanted) by_time[key] = &states[i++];
  std::vector<ReferenceState> result;
  for (const auto& [key, text] : asked) {
    result.push_back(*by_time.at(key));
    result.back().t = text;
  }
  return result;
}

ReferenceState fresh_reference(const Problem& problem, const std::string& time, int digits) {
  check_digits(digits);
  const Expression t = checked_time(problem, time);
  ReferenceState state = compute_one(problem, t, digits);
  shelves().of(problem).compare(t.as_rational(), state);
  return state;
}

void check_reference(const Problem& problem, const std::vector<std::string>& times, int digits) {
  check_digits(digits);
  for (const std::string& text : times) checked_time(problem, text);
}

std::string reference_digest(const std::string& problem, const std::string& t) {
  return shelves().of(problem).digest_of(Expression::parse(t, "time").as_rational());
}

void publish_reference(const std::string& problem, const std::vector<std::string>& times) {
  if (problem_registry().make(problem).closed_form) return;
  std::set<rational> keys;
  for (const std::string& t : times) keys.insert(Expression::parse(t, "time").as_rational());
  shelves().of(problem).publish(keys);
}

bool is_published(const std::string& problem, const std::string& t) {
  return problem_registry().make(problem).closed_form ||
         shelves().of(problem).is_published(Expression::parse(t, "time").as_rational());
}

std::vector<PublishedState> published_references() {
  std::vector<PublishedState> out;
  for (const std::string& problem : published_problems()) {
    const ReferenceStore store(problem);
    for (const rational& t : store.published())
      out.push_back({problem, t.str(), store.is_published(t)});
  }
  return out;
}

std::vector<ReferenceNote> take_reference_notes() { return shelves().take_notes(); }

std::vector<ReferenceState> compute_reference(const Problem& problem,
                                              const std::vector<std::string>& times, int digits) {
  check_digits(digits);
  std::vector<Expression> at;
  for (const std::string& text : times) at.push_back(checked_time(problem, text));
  return compute_all(problem, at, digits);
}

}  // namespace daemark
