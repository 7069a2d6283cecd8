#include "analysis/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "analysis/cell_setup.hpp"
#include "analysis/taylor_reference.hpp"
#include "problems/core/paths.hpp"
#include "problems/core/strict_json.hpp"

namespace daemark {
namespace {

using nlohmann::json;

constexpr int most_digits = 48;   // what 50-digit arithmetic can show at best
constexpr int ask_at_least = 30;  // computed to no fewer, so that one computation serves all

struct Motion {
  std::vector<real50> q, v, lambda;
};

Motion by_closed_form(const Problem& problem, const real50& t, int n, int m) {
  Motion motion{std::vector<real50>(n), std::vector<real50>(n), std::vector<real50>(m)};
  problem.closed_form(t, motion.q.data(), motion.v.data(), motion.lambda.data());
  return motion;
}

std::vector<Motion> by_taylor(const Problem& problem, const std::vector<real50>& times) {
  const auto mechanism = problem.make<real50>();
  std::vector<real50> q(mechanism->coordinates()), v(q.size());
  mechanism->initial(q.data(), v.data());
  TaylorIntegrator<real50> integrator(*mechanism);
  std::vector<Motion> motions;
  for (TaylorState<real50>& s : integrator.integrate(real50(0), q, v, times))
    motions.push_back({std::move(s.q), std::move(s.v), std::move(s.lambda)});
  return motions;
}

/// Gauss collocation on the index-1 equations, `steps` equal steps to t.
Motion by_collocation(const std::string& problem, const Expression& t, long steps) {
  constexpr int stages = 24;
  RunRequest request;
  request.problem = problem;
  request.formulation = "index1";
  request.method = fmt::format("gauss({})", stages);
  request.h = Expression(rational(t.as_rational() / steps));
  request.t_end = t;
  request.precision = "real50";
  request.settings = {{"predictor", "extrapolated"}, {"newton.tol", "1e-44"}};
  const CellSetup setup(request);
  CellSystem<real50> cell(setup);
  const State<real50> initial = initial_state(setup, cell, std::nullopt);
  const auto stepper = setup.method->stepper(cell.pair(), setup.settings);
  stepper->start(initial, from_wide<real50>(setup.h));
  for (long i = 0; i < setup.steps; ++i)
    if (stepper->step().status != Status::ok) return {};
  const int n = cell.mechanism->coordinates(), m = cell.mechanism->constraints();
  const auto at = stepper->state().y.begin();
  return {{at, at + n}, {at + n, at + 2 * n}, {at + 2 * n, at + 2 * n + m}};
}

/// Significant digits on which all components agree; 0 where a route failed.
int agreement(const Motion& a, const Motion& b) {
  double worst = most_digits;
  const auto compare = [&worst](const std::vector<real50>& x, const std::vector<real50>& y) {
    if (x.size() != y.size()) worst = 0;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      const real50 difference = abs(x[i] - y[i]), size = std::max<real50>(abs(x[i]), abs(y[i]));
      if (difference == 0) continue;
      worst = std::min(worst, -to_double(real50(log10(real50(difference / size)))));
    }
  };
  compare(a.q, b.q);
  compare(a.v, b.v);
  compare(a.lambda, b.lambda);
  return std::max(0, static_cast<int>(std::floor(worst)));
}

ReferenceState compute(const std::string& name, const Problem& problem, const Expression& t,
                       int digits, const Motion& taylor) {
  const auto mechanism = problem.make<real50>();
  const int n = mechanism->coordinates(), m = mechanism->constraints();
  const real50 time = t.eval<real50>();
  ReferenceState state;
  state.t = t.text();
  if (time == 0) {
    state.first_route = state.second_route = "initial values";
    state.agreed_digits = most_digits;
    state.q = taylor.q, state.v = taylor.v, state.lambda = taylor.lambda;
    return state;
  }
  if (problem.closed_form) {
    const Motion exact = by_closed_form(problem, time, n, m);
    state.first_route = "closed form";
    state.second_route = "Taylor series";
    state.agreed_digits = agreement(exact, taylor);
    state.q = exact.q, state.v = exact.v, state.lambda = exact.lambda;
    return state;
  }
  state.first_route = "Taylor series";
  state.q = taylor.q, state.v = taylor.v, state.lambda = taylor.lambda;
  long steps = std::max(8L, static_cast<long>(std::ceil(64 * to_double(time))));
  int best = -1;
  for (int doubling = 0; doubling < 4; ++doubling, steps *= 2) {
    const int agreed = agreement(by_collocation(name, t, steps), taylor);
    if (agreed > best) {
      best = agreed;
      state.agreed_digits = agreed;
      state.second_route = fmt::format("Gauss collocation, 24 stages, {} steps", steps);
    } else if (best > 0) {
      break;  // halving the step no longer helps: round-off
    }
    if (best >= digits) break;
  }
  return state;
}

std::filesystem::path file_of(const std::string& problem) {
  std::string name;
  for (const char c : problem)
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '-';
  return results_root() / "references" / (name + ".json");
}

json strings(const std::vector<real50>& x, int digits) {
  json list = json::array();
  for (const real50& value : x) list.push_back(value.str(std::max(digits, 1) + 2));
  return list;
}

json to_json(const ReferenceState& s) {
  return {{"t", s.t},
          {"q", strings(s.q, s.agreed_digits)},
          {"v", strings(s.v, s.agreed_digits)},
          {"lambda", strings(s.lambda, s.agreed_digits)},
          {"agreed_digits", s.agreed_digits},
          {"first_route", s.first_route},
          {"second_route", s.second_route}};
}

ReferenceState from_json(const json& j) {
  const auto list = [](const json& from) {
    std::vector<real50> x;
    for (const json& value : from) x.emplace_back(value.get<std::string>());
    return x;
  };
  return {j.at("t"), list(j.at("q")), list(j.at("v")), list(j.at("lambda")), j.at("agreed_digits"),
          j.at("first_route"), j.at("second_route")};
}

/// Stored states of one problem, by time; the file is the memory between runs.
class Store {
 public:
  explicit Store(const std::string& problem) : file_(file_of(problem)) {
    if (!std::filesystem::exists(file_)) return;
    try {
      for (const json& entry : parse_json_file(file_.string()).at("states")) {
        const ReferenceState state = from_json(entry);
        states_[Expression::parse(state.t, "reference").as_rational()] = state;
      }
    } catch (const std::exception&) {
      states_.clear();  // a damaged file is computed anew
    }
  }
  const ReferenceState* find(const rational& t) const {
    const auto found = states_.find(t);
    return found == states_.end() ? nullptr : &found->second;
  }
  void add(const rational& t, const ReferenceState& state) { states_[t] = state; }
  void save(const std::string& problem) const {
    json all = json::array();
    for (const auto& [t, state] : states_) all.push_back(to_json(state));
    std::error_code ignored;
    std::filesystem::create_directories(file_.parent_path(), ignored);
    const auto temporary = file_.string() + ".tmp";
    std::ofstream out(temporary);
    out << json{{"problem", problem}, {"states", all}}.dump(1) << '\n';
    out.close();
    if (!out) throw BadInput(fmt::format("cannot write {}, accepted: a writable folder", temporary));
    std::filesystem::rename(temporary, file_);
  }

 private:
  std::filesystem::path file_;
  std::map<rational, ReferenceState> states_;
};

}  // namespace

std::vector<ReferenceState> reference_states(const std::string& problem_call,
                                             const std::vector<std::string>& times, int digits,
                                             bool recompute, bool store) {
  static std::mutex guard;  // cells of one run share references: each is computed once
  const std::scoped_lock lock(guard);
  static std::map<std::string, Store> stores;
  if (digits < 1 || digits > most_digits)
    throw BadInput(fmt::format("digits = {} is not accepted: integer 1..{}", digits, most_digits));
  const Problem problem = problem_registry().make(problem_call);
  if (recompute) stores.erase(problem.name);
  Store& known = stores.try_emplace(problem.name, problem.name).first->second;

  std::vector<Expression> wanted;
  std::vector<rational> keys;
  std::map<rational, Expression> missing;
  for (const std::string& text : times) {
    wanted.push_back(Expression::parse(text, "time"));
    const Expression& t = wanted.back();
    if (!t.is_rational() || t.as_rational() < 0)
      throw BadInput(fmt::format("time '{}' is not accepted: a rational number >= 0", text));
    keys.push_back(t.as_rational());
    const ReferenceState* found = recompute ? nullptr : known.find(keys.back());
    if (!found || found->agreed_digits < digits) missing.emplace(keys.back(), t);
  }
  if (!missing.empty()) {
    std::vector<real50> at;
    for (const auto& [key, t] : missing) at.push_back(t.eval<real50>());
    const std::vector<Motion> taylor = by_taylor(problem, at);
    std::size_t i = 0;
    for (const auto& [key, t] : missing) {
      known.add(key, compute(problem.name, problem, t, std::max(digits, ask_at_least), taylor[i]));
      ++i;
    }
    if (store) known.save(problem.name);
  }
  std::vector<ReferenceState> result;
  for (const rational& key : keys) result.push_back(*known.find(key));
  return result;
}

}  // namespace daemark
