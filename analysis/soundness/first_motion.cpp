#include "analysis/soundness/first_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>

#include "base/linear/dense_matrix.hpp"
#include "base/program/stop.hpp"

namespace daemark {
namespace {

constexpr int points = 400;          // of output
constexpr int most_entries = 40000;  // of Φ_q, for the search of singular positions

/// The mechanism at a state in reference coordinates.
class Along {
 public:
  explicit Along(const Problem& problem)
      : mechanism(problem.make<double>()),
        n(mechanism->coordinates()),
        q(n),
        v(n),
        chart(mechanism->chart_size()),
        gradient_(mechanism->gradient_pattern().size()) {}

  void go_to(double time, const std::vector<double>& q_ref, const std::vector<double>& v_ref) {
    t = time;
    mechanism->from_reference(q_ref.data(), v_ref.data(), q.data(), v.data(), chart.data());
  }
  Eigen::MatrixXd gradient() {
    MotionValues<double> out;
    out.gradient = gradient_.data();
    evaluate(out, nullptr);
    return dense_matrix(mechanism->gradient_pattern(), gradient_);
  }
  double smallest() {
    Eigen::MatrixXd G = gradient();
    if (!G.allFinite()) return 0;
    for (int i = 0; i < G.rows(); ++i)
      if (const double length = G.row(i).norm(); length > 0) G.row(i) /= length;
    return singular_values(G)[mechanism->rank() - 1];
  }
  /// Distance of the position from the constraints: |Φ| over the norm of its gradient.
  double off() {
    std::vector<double> gaps(mechanism->constraints());
    MotionValues<double> out;
    out.position = gaps.data();
    evaluate(out, nullptr);
    const Eigen::MatrixXd G = gradient();
    double largest = 0;
    for (std::size_t i = 0; i < gaps.size(); ++i)
      if (const double length = G.row(static_cast<int>(i)).norm(); length > 0)
        largest = std::max(largest, std::abs(gaps[i]) / length);
    return largest;
  }
  std::vector<double> momenta() {  // M v
    std::vector<double> out(n);
    MotionValues<double> values;
    values.inertia = out.data();
    evaluate(values, v.data());
    return out;
  }

  MechanicalPtr<double> mechanism;
  int n;
  double t = 0;
  std::vector<double> q, v, chart;

 private:
  void evaluate(const MotionValues<double>& out, const double* a) {
    const std::vector<double> zero(std::max(n, mechanism->constraints()), 0.0);
    mechanism->evaluate({t, q.data(), v.data(), a ? a : zero.data(), zero.data(), chart.data()}, {},
                        out);
  }
  std::vector<double> gradient_;
};

/// Interpolates between two rows of the history: Hermite's cubic, linear on charts.
std::vector<double> between(const History& h, std::size_t i, double share, bool straight) {
  const double x = share, step = h.t[i + 1] - h.t[i];
  std::vector<double> q(h.q[i].size());
  for (std::size_t k = 0; k < q.size(); ++k) {
    const double a = h.q[i][k], b = h.q[i + 1][k];
    q[k] = a + x * (b - a);
    if (straight) continue;
    const double da = h.v[i][k] * step - (b - a), db = h.v[i + 1][k] * step - (b - a);
    q[k] += x * (1 - x) * (da * (1 - x) - db * x);
  }
  return q;
}

/// The minima of the smallest singular value, each searched for between its neighbours.
void search_dips(Along& along, FirstMotion& motion) {
  const History& h = motion.history;
  const bool straight = along.mechanism->chart_size() > 0;
  std::vector<double> value;
  for (std::size_t i = 0; i < h.t.size(); ++i) {
    along.go_to(h.t[i], h.q[i], h.v[i]);
    value.push_back(along.smallest());
  }
  const double largest = *std::max_element(value.begin(), value.end());
  const auto at = [&](std::size_t i, double place) {  // place: 0 to 2, rows from i − 1 on
    const std::size_t row = i - 1 + (place >= 1);
    const double share = place - (place >= 1);
    along.go_to(h.t[row] + share * (h.t[row + 1] - h.t[row]), between(h, row, share, straight),
                h.v[row]);
    return along.smallest();
  };
  for (std::size_t i = 1; i + 1 < value.size(); ++i) {
    if (value[i] > value[i - 1] || value[i] >= value[i + 1]) continue;
    constexpr double golden = 0.381966011250105;
    double from = 0, to = 2;
    for (int round = 0; round < 40; ++round) {
      const double x = from + golden * (to - from), y = to - golden * (to - from);
      const bool left = at(i, x) < at(i, y);
      (left ? to : from) = left ? y : x;
    }
    const double share = at(i, (from + to) / 2) / largest;
    constexpr double near = FirstMotion::singular_below / 3;  // of what is interpolated
    if (share < FirstMotion::singular_below && along.off() < near)
      motion.dips.push_back({along.t, share});
  }
  // A run that fails on approaching one: a straight line reaches 0 within two rows.
  const std::size_t last = value.size() - 1;
  if (motion.status == "ok" || last == 0 || value[last] > 2 * (value[last - 1] - value[last]))
    return;
  const double rate = (value[last - 1] - value[last]) / (h.t[last] - h.t[last - 1]);
  motion.dips.push_back({h.t[last] + value[last] / rate, value[last] / largest});
}

/// A rigid displacement of all bodies: along axis k, or (k ≥ 3) about it through the origin.
std::vector<double> rigid(const Along& along, const std::vector<BodyPlace>& bodies, int k) {
  std::vector<double> w(along.n, 0.0);
  for (const BodyPlace& body : bodies) {
    double* const to = w.data() + body.first;
    const double* const x = along.q.data() + body.first;
    if (k < 3)
      to[k] = 1;
    else if (body.width == 3)
      to[0] = -x[1], to[1] = x[0], to[2] = 1;
    else {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      to[a] = -x[b], to[b] = x[a], to[3 + k - 3] = 1;
    }
  }
  return w;
}

/// Momenta that no constraint can change and that are constant along the motion.
void search_momenta(Along& along, FirstMotion& motion) {
  const std::vector<BodyPlace> bodies = body_places(*along.mechanism);
  if (bodies.empty()) return;
  constexpr double fits = 1e-6;  // of the sizes of what is summed; runs are computed to 1e-8
  const bool planar = bodies.front().width == 3;
  const History& h = motion.history;
  for (int k = 0; k < 6; ++k) {
    if (planar && k >= 2 && k != 5) continue;
    double first = 0, change = 0, size = 0, held = 0;
    for (std::size_t i = 0; i < h.t.size(); ++i) {
      along.go_to(h.t[i], h.q[i], h.v[i]);
      const std::vector<double> w = rigid(along, bodies, k), p = along.momenta();
      double sum = 0, sizes = 0;
      for (int j = 0; j < along.n; ++j) sum += w[j] * p[j], sizes += std::abs(w[j] * p[j]);
      if (i == 0) {
        first = sum;
        const Eigen::MatrixXd G = along.gradient();
        held = G.rows() == 0 ? 0
                             : (G * Eigen::Map<const Eigen::VectorXd>(w.data(), along.n))
                                   .lpNorm<Eigen::Infinity>();
      }
      change = std::max(change, std::abs(sum - first)), size = std::max(size, sizes);
    }
    if (held > fits || change > fits * size || size == 0) continue;
    motion.conserved.push_back(
        fmt::format("{} {}", k < 3 ? "momentum along" : "moment of momentum about the origin,",
                    std::string(1, "xyz"[k % 3])));
  }
}

}  // namespace

std::vector<BodyPlace> body_places(const MechanicalSystem<double>& mechanism) {
  const std::vector<std::string>& names = mechanism.coordinate_names();
  const int n = mechanism.coordinates();
  const std::vector<int> turned = mechanism.rotations();
  const int width = turned.empty() ? 3 : 6;
  std::vector<BodyPlace> bodies;
  for (int i = 0; i < n; i += width) {
    if (width == 6 && names[i].starts_with("phi_")) return bodies;  // angles of couplers
    if (i + width > n || names[i].empty() || names[i + 1].empty()) return {};
    const std::string body = names[i].substr(1);
    const bool is_body = width == 6
                             ? std::find(turned.begin(), turned.end(), i + 3) != turned.end() &&
                                   names[i] == "x" + body && names[i + 1] == "y" + body &&
                                   names[i + 2] == "z" + body
                             : names[i] == "x" + body && names[i + 1] == "y" + body &&
                                   names[i + 2] == "theta" + body;
    if (!is_body) return {};
    bodies.push_back({body.starts_with('_') ? body.substr(1) : body, i, width});
  }
  return bodies;
}

namespace {

/// The first of these that takes it.
std::optional<BoundRun> bound_run(const Problem& problem, const std::string& span,
                                  std::string& why) {
  constexpr std::pair<const char*, const char*> tried[] = {{"ggl", "radau_iia(3)"},
                                                           {"index1", "radau_iia(3)"},
                                                           {"index1", "dormand_prince_5"},
                                                           {"elimination", "dormand_prince_5"}};
  RunRequest request;
  request.problem = problem.name;
  request.settings["control.tol"] = "1e-8";
  request.repeat = 0;
  request.history_every = 1;
  const std::string start = problem.start.text();
  request.t_end = Expression::parse(fmt::format("{} + {}", start, span), "check");
  request.h = Expression::parse(fmt::format("{}/{}", span, points), "check");
  for (const auto& [formulation, method] : tried) {
    request.formulation = formulation, request.method = method;
    try {
      return BoundRun(request, problem);
    } catch (const BadInput& refusal) {
      if (why.empty()) why = refusal.what();
    }
  }
  return std::nullopt;
}

}  // namespace

FirstMotion first_motion(const Problem& problem, double frequency, double seconds) {
  const double period = frequency > 0 ? 2 * std::numbers::pi / frequency : 0;
  FirstMotion motion;
  constexpr double longest = 10, periods = 10;
  const double span = period > 0 ? std::min(periods * period, longest) : 1;
  const std::string text = fmt::format("{:.9e}", span);
  motion.duration = period == 0                  ? "1 s, since there is no frequency"
                    : periods * period > longest ? fmt::format("10 s, the longest run")
                                                 : fmt::format(
                                                       "{:.4g} s, 10 periods of the lowest "
                                                       "frequency",
                                                       span);
  motion.run = bound_run(problem, text, motion.why);
  if (!motion.run) return motion;
  const std::clock_t begin = std::clock();
  motion.run->request.history_sink = [&](const History& row) {
    motion.history.t.push_back(row.t.front());
    motion.history.q.push_back(row.q.front()), motion.history.v.push_back(row.v.front());
    if (static_cast<double>(std::clock() - begin) > seconds * CLOCKS_PER_SEC)
      throw Stopped{StopCause::timed_out};
  };
  motion.why.clear();
  try {
    const RunResult result = run(*motion.run);
    motion.status = result.status, motion.why = result.why;
  } catch (const BadInput& refusal) {
    motion.status = "refused", motion.why = refusal.what();
  }
  checkpoint();  // interrupted, not out of time
  if (motion.history.t.empty()) return motion;
  motion.t = motion.history.t.back();
  Along along(problem);
  const int rows = along.mechanism->constraints();
  motion.searched = rows > 0 && along.n * rows <= most_entries;
  if (motion.searched) search_dips(along, motion);
  if (!along.mechanism->has_power()) motion.conserved.emplace_back("energy");
  search_momenta(along, motion);
  return motion;
}

}  // namespace daemark
