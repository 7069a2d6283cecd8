#include "analysis/soundness/soundness.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/roots/eigenvalues.hpp"
#include "analysis/soundness/judge_numbers.hpp"
#include "base/linear/dense_eigenvalues.hpp"
#include "base/linear/dense_matrix.hpp"
#include "base/text/printable.hpp"
#include "problems/files/mechanism_file.hpp"
#include "problems/system/remarks.hpp"

namespace daemark {
namespace {

constexpr double consistent = 1e-12;  // what a run accepts of its start

/// The mechanism at its start.
struct Start {
  MechanicalPtr<double> mechanism;
  double t;
  std::vector<double> q, v, a, lambda, chart;

  explicit Start(const Problem& problem)
      : mechanism(problem.make<double>()), t(problem.start.eval<double>()) {
    const int n = mechanism->coordinates();
    q.resize(n), v.resize(n), a.resize(n), lambda.resize(mechanism->constraints());
    chart.resize(mechanism->chart_size());
    mechanism->initial(q.data(), v.data());
    mechanism->initial_chart(chart.data());
  }
  void evaluate(const MotionValues<double>& out, double later = 0) {
    const double at = t + later;
    mechanism->evaluate({at, q.data(), v.data(), a.data(), lambda.data(), chart.data()}, {}, out);
  }
  std::vector<double> rows(bool velocity, double later = 0) {
    std::vector<double> values(lambda.size());
    MotionValues<double> out;
    (velocity ? out.velocity : out.position) = values.data();
    evaluate(out, later);
    return values;
  }
  std::pair<Eigen::MatrixXd, Eigen::MatrixXd> mass_and_gradient() {
    std::vector<double> mass(mechanism->mass_pattern().size()),
        gradient(mechanism->gradient_pattern().size());
    MotionValues<double> out;
    out.mass = mass.data(), out.gradient = gradient.data();
    evaluate(out);
    return {dense_matrix(mechanism->mass_pattern(), mass),
            dense_matrix(mechanism->gradient_pattern(), gradient)};
  }
  bool depends_on_time() {
    for (const bool velocity : {false, true})
      for (const double later : {0.37, 1.61})
        if (rows(velocity) != rows(velocity, later)) return true;
    return false;
  }
};

class Check {
 public:
  Check(const std::string& what, double seconds) : seconds_(seconds) { read(what); }

  Soundness take() {
    judge_inertias(facts_, s_.findings);
    const bool no_body = s_.is_wrong();
    if (!build(no_body)) return std::move(s_);
    Start start(s_.problem);
    s_.rows = row_facts(s_.problem, *start.mechanism);
    s_.driven = start.depends_on_time();
    if (s_.rows.freedom() == 0 && !s_.driven)
      throw BadInput(
          fmt::format("{}: nothing can move: {} coordinates, {} constraint rows of rank {} and no "
                      "drive; accepted: a mechanism with a degree of freedom",
                      s_.name, s_.rows.coordinates, s_.rows.rows, s_.rows.rank));
    judge_start(start);
    const bool bodies_are_new = facts_.bodies.empty();
    add_facts(s_.problem, facts_);
    if (bodies_are_new) judge_inertias(facts_, s_.findings);
    judge_units(s_.problem, facts_, *start.mechanism, s_.findings);
    judge_scales(facts_, s_.findings);
    judge_rows(std::string_view(s_.findings.empty() ? "" : s_.findings.back().kind) == "scale");
    judge_motion(start);
    return std::move(s_);
  }

 private:
  void add(bool wrong, const char* kind, std::string where, std::string what, std::string mend) {
    s_.findings.push_back({wrong, kind, std::move(where), std::move(what), std::move(mend)});
  }
  /// "joint4 (elements[5], revolute of a and b)".
  std::string place(const std::string& joint) const {
    const auto known = facts_.joints.find(joint);
    return known == facts_.joints.end() ? joint : fmt::format("{} ({})", joint, known->second);
  }
  std::string places(const std::vector<std::string>& joints) const {
    constexpr std::size_t most = 6;
    std::vector<std::string> all;
    for (const std::string& joint : joints) all.push_back(place(joint));
    const std::size_t more = all.size() > most ? all.size() - most : 0;
    all.resize(all.size() - more);
    return fmt::format("{}{}", fmt::join(all, ", "),
                       more > 0 ? fmt::format(" and {} more", more) : "");
  }

  void read(const std::string& what) {
    const bool is_file = what.ends_with(".json");
    std::string path = what;
    s_.name = what;
    Call call;
    if (!is_file) {
      call = parse_call(what, "check");
      path = problem_registry().info(call.id).data_file;
      s_.problem = problem_registry().make(what);
      s_.name = s_.problem.name;
    }
    if (path.empty()) return;
    file_ = MechanismFile{parse_json_file(path), printable(path, 200)};
    if (is_file) call.id = get_string(file_->content, "id", file_->where), s_.file = path;
    arguments_ = is_file ? Arguments(call, parameters_of(*file_))
                         : Arguments(call, problem_registry().info(call.id).parameters);
    file_->of_catalogue = !is_file && problem_registry().info(call.id).of_catalogue;
    facts_ = facts_of(*file_, arguments_);
  }

  /// False where the file cannot be built for a reason that is a finding.
  bool build(bool no_body) {
    if (s_.file.empty()) return true;
    ProblemRegistry own;
    std::string refusal;
    try {
      s_.problem = own.make(add_mechanism_file(s_.file, own));
      s_.name = s_.problem.name;
      return true;
    } catch (const BadInput& why) {
      refusal = why.what();
    }
    s_.built = false;
    if (no_body) return false;
    const bool does_not_close = refusal.find("assemble: ") != std::string::npos;
    const bool of_velocities = refusal.find("velocit") != std::string::npos;
    const char* const kind = of_velocities ? "velocities" : "assembly";
    if (!does_not_close && !file_->content.contains("assemble")) try {
        s_.problem = assembled_problem(*file_, arguments_);
        s_.problem.make<double>();
        const auto remarks = assembled_remark(*s_.problem.make<double>());
        add(true, kind, "the start", refusal,
            "\"assemble\": true mends it: " + remarks +
                "; the other findings are about the assembled start");
        s_.name = s_.problem.name;
        return s_.built = true;
      } catch (const BadInput& why) {
        const std::string second = why.what();
        if (second.find("assemble: ") == std::string::npos) throw BadInput(refusal);
        refusal += "; " + second.substr(second.find("assemble: "));
      }
    else if (!does_not_close)
      throw BadInput(refusal);
    add(true, kind, "the start", refusal,
        "other lengths, points or angles; \"assemble\": true finds no start near this one");
    return false;
  }
  static std::string assembled_remark(const MechanicalSystem<double>& mechanism) {
    if (const auto* remarked = dynamic_cast<const Remarked*>(&mechanism))
      for (const std::string& remark : remarked->remarks())
        if (remark.starts_with("assembled: ")) return remark.substr(11);
    return "";
  }

  /// Ranks are taken to 1e-9 in double, which says little of rows of very different scales.
  void judge_rows(bool scales_differ) {
    const RowFacts& rows = s_.rows;
    if (rows.redundant.empty()) return;
    if (rows.only_here) {
      add(!scales_differ, "singular", places(rows.joints),
          fmt::format(
              "the start is a singular position{}: {} depend{} on other rows there, but not "
              "along the motion",
              scales_differ ? ", or scales that differ hide that it is not" : "",
              fmt::join(rows.redundant, ", "), rows.redundant.size() == 1 ? "s" : ""),
          "start away from this position (a dead centre or change point)");
      return;
    }
    std::vector<std::string> others;
    for (const std::string& joint : joints_of(rows.shared))
      if (std::find(rows.joints.begin(), rows.joints.end(), joint) == rows.joints.end())
        others.push_back(joint);
    const int count = rows.rows - rows.rank;
    add(false, "redundancy", places(rows.joints),
        fmt::format(
            "{} of {} constraint rows follow{} from the others: {}{}", count, rows.rows,
            count == 1 ? "s" : "", fmt::join(rows.redundant, ", "),
            others.empty() ? "" : "; they repeat what these joints hold: " + places(others)),
        "nothing, if it is meant: motions are right, forces in these joints are one of many "
        "solutions; else remove the joint or let it hold less");
  }

  void judge_start(Start& start) {
    for (const bool velocity : {false, true}) {
      const std::vector<double> gaps = start.rows(velocity);
      std::size_t worst = 0;
      for (std::size_t i = 0; i < gaps.size(); ++i)
        if (!(std::abs(gaps[i]) <= std::abs(gaps[worst]))) worst = i;
      const double gap = gaps.empty() ? 0 : std::abs(gaps[worst]);
      (velocity ? s_.velocity_gap : s_.position_gap) = gap;
      if (gap <= consistent) continue;
      start_fits_ = false;
      const std::string row = row_name(start.mechanism->constraint_names()[worst]),
                        unit = start.mechanism->constraint_units()[worst];
      add(true, velocity ? "velocities" : "assembly", place(joint_of(row)),
          fmt::format("the {} of the start violate {} by {:.3g} {}{}; accepted: {:g}",
                      velocity ? "velocities" : "positions", row, gap, unit, velocity ? "/s" : "",
                      consistent),
          mend_start());
    }
  }
  std::string mend_start() const {
    if (!file_ || file_->content.contains("assemble")) return "a start that fits";
    try {
      const Problem made = assembled_problem(*file_, arguments_);
      return "\"assemble\": true mends it: " + assembled_remark(*made.make<double>());
    } catch (const BadInput& why) {
      return std::string("\"assemble\": true does not mend it: ") + why.what();
    }
  }

  void judge_motion(Start& start) {
    constexpr int most = 1000;  // coordinates, of dense matrices
    if (start.mechanism->coordinates() > most) {
      s_.no_modes = fmt::format("more than {} coordinates", most);
    } else {
      start = Start(s_.problem);  // without rows that follow
      if (!s_.rows.only_here && !judge_mass(start)) return;
      try {
        s_.modes = FrequencyAnalysis(start.mechanism)
                       .modes(start.t, start.q.data(), start.v.data(), start.chart.data());
      } catch (const NumericalFailure& why) {
        s_.no_modes = why.what();
      }
    }
    const double at_rest =
        s_.modes.empty() ? 0 : std::max(1e-5, 1e-6 * s_.modes.back().frequency());
    while (s_.lowest < s_.modes.size() && s_.modes[s_.lowest].frequency() <= at_rest) ++s_.lowest;
    if (!start_fits_ || s_.rows.only_here) return;
    s_.motion = first_motion(
        s_.problem, s_.lowest < s_.modes.size() ? s_.modes[s_.lowest].frequency() : 0, seconds_);
    judge_dips();
  }
  void judge_dips() {
    const FirstMotion& motion = s_.motion;
    const bool ends = motion.status != "ok" && motion.status != "timed_out";
    if (!motion.dips.empty()) {
      constexpr std::size_t most = 5;
      std::vector<std::string> times;
      for (const FirstMotion::Dip& dip : motion.dips)
        if (times.size() < most)
          times.push_back(fmt::format("t = {:.6g} s ({:.1e})", dip.t, dip.share));
      if (motion.dips.size() > most)
        times.push_back(fmt::format("{} more", motion.dips.size() - most));
      add(false, "singular", fmt::format("t = {:.6g} s", motion.dips.front().t),
          fmt::format(
              "the first motion comes to singular positions near {}; in brackets the "
              "smallest singular value of Phi_q as a share of its largest (threshold {:g}){}",
              fmt::join(times, ", "), FirstMotion::singular_below,
              ends ? "; the last one from where the run fails" : ""),
          "another start or drive; motions may branch there, and multipliers grow");
    }
    if (ends)
      add(false, "motion", fmt::format("t = {:.6g} s", motion.t),
          fmt::format("the first motion is not computed to its end: {}", motion.why),
          "see the other findings; else daemark run with another method or step");
  }
  /// False where M is singular on motions that the constraints allow.
  bool judge_mass(Start& start) {
    constexpr double none = 1e-12;  // of 1, what coordinates with a mass are scaled to
    const auto [M, G] = start.mass_and_gradient();
    const Eigen::VectorXd scale =
        M.diagonal().unaryExpr([](double mass) { return mass > 0 ? 1 / std::sqrt(mass) : 1.0; });
    const Eigen::MatrixXd scaled = scale.asDiagonal() * M * scale.asDiagonal(),
                          rows = G * scale.asDiagonal();
    const Eigen::MatrixXd N =
        G.rows() == 0 ? Eigen::MatrixXd::Identity(M.rows(), M.rows()) : null_space(rows);
    if (N.cols() == 0) return true;
    const Eigen::MatrixXd reduced = transposed_product(N, product(scaled, N));
    const auto values = pencil_eigenvalues(Eigen::MatrixXd::Identity(N.cols(), N.cols()), reduced);
    if (values && (*values)[0] > none) return true;
    add(true, "mass", massless_bodies(),
        "the mass matrix is singular on motions that the constraints allow: accelerations are not "
        "determined",
        "a mass or an inertia for what can move");
    return false;
  }
  std::string massless_bodies() const {
    std::vector<std::string> names;
    for (const BodyFacts& body : facts_.bodies)
      if (body.mass == 0) names.push_back(body.name);
    for (const BodyFacts& body : facts_.bodies)
      if (names.empty() && body.largest() == 0) names.push_back(body.name);
    return names.empty() ? "mass matrix" : fmt::format("{}", fmt::join(names, ", "));
  }

  Soundness s_;
  double seconds_;
  bool start_fits_ = true;
  std::optional<MechanismFile> file_;
  Arguments arguments_;
  MechanismFacts facts_;
};

}  // namespace

bool Soundness::is_wrong() const {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.wrong; });
}

Soundness check_soundness(const std::string& w, double seconds) { return Check(w, seconds).take(); }

}  // namespace daemark
