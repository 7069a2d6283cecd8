#include "experiments/cli/exported_functions.hpp"

#include "base/graph/derivative.hpp"

namespace daemark {
namespace {

using graph::Argument;
using graph::Entry;
using Vars = std::vector<Var>;

Vars slice(const Vars& x, int first, int count) {
  return {x.begin() + first, x.begin() + first + count};
}

/// Functions of (t, y, ẏ) as they are recorded, and what follows from them.
class Recording {
 public:
  Recording(MechanicalSystem<double>& mechanism, const ConstraintLevels<double>& levels)
      : mechanism_(mechanism),
        levels_(levels),
        n_(mechanism.coordinates()),
        m_(mechanism.constraints()),
        size_(2 * n_ + m_ + (levels.stabilised ? m_ - mechanism.velocity_rows() : 0)) {
    t_ = graph_.input(), y_ = graph_.inputs(size_), rate_ = graph_.inputs(size_);
    q_ = slice(y_, 0, n_), v_ = slice(y_, n_, n_), lambda_ = slice(y_, 2 * n_, m_);
    a_ = slice(rate_, n_, n_);
    R_.resize(n_), Phi_.resize(m_);
    mechanism.record(graph_, q_.data(), v_.data(), a_.data(), lambda_.data(), t_, R_.data(),
                     Phi_.data());
    derive_rows();
    derive_force();
  }
  std::vector<graph::SourceFunction> functions() {
    add("mass", "M", {"q"}, n_, n_, graph::jacobian(R_, a_));
    if (mechanism_.forces_of_multipliers())
      add("force", "f", {"t", "q", "v", "lam"}, force_);
    else
      add("force", "f", {"t", "q", "v"}, force_);
    add("constraints", "Phi", {"t", "q"}, Phi_);
    add("constraint_rates", "dPhi/dt", {"t", "q", "v"}, first_);
    add("constraint_accelerations", "d2Phi/dt2", {"t", "q", "v", "a"}, second_);
    add("gradient", "G", {"t", "q"}, m_, n_, gradient_);
    const Vars r = residual();
    add("residual", "r", {"t", "y", "rate"}, r);
    add("residual_y", "dr/dy", {"t", "y", "rate"}, size_, size_, graph::jacobian(r, y_));
    add("residual_rate", "dr/drate", {"t", "y", "rate"}, size_, size_, graph::jacobian(r, rate_));
    return std::move(functions_);
  }

 private:
  bool position(int row) const { return mechanism_.row_level(row) == RowLevel::position; }
  void derive_rows() {
    Vars moving = q_, along = v_;
    moving.push_back(t_), along.emplace_back(1);
    first_ = graph::directional(Phi_, moving, along);
    for (int row = 0; row < m_; ++row)
      if (!position(row)) first_[row] = Phi_[row], Phi_[row] = 0;
    for (const Entry& e : graph::jacobian(first_, v_)) gradient_.push_back(e);
    moving.insert(moving.end(), v_.begin(), v_.end());
    along.insert(along.end(), a_.begin(), a_.end());
    second_ = graph::directional(first_, moving, along);
  }

  /// f = Gᵀλ − R without the accelerations, and without λ where f does not depend on it.
  void derive_force() {
    Vars at(graph_.input_count());
    for (int i = 0; i < graph_.input_count(); ++i) at[i] = graph_.var(graph_.input_node(i));
    for (int i = 0; i < n_; ++i) at[1 + size_ + n_ + i] = 0;
    const bool of_multipliers = mechanism_.forces_of_multipliers();
    for (int i = 0; i < m_ && !of_multipliers; ++i) at[1 + 2 * n_ + i] = 0;
    const Vars rest = graph_.call(R_, at);
    force_.resize(n_);
    for (const Entry& e : gradient_)
      if (of_multipliers) force_[e.column] += e.value * lambda_[e.row];
    for (int i = 0; i < n_; ++i) force_[i] -= rest[i];
  }

  Vars residual() const {
    Vars r(n_);
    for (int i = 0; i < n_; ++i) r[i] = rate_[i] - v_[i];
    r.insert(r.end(), R_.begin(), R_.end());
    if (levels_.stabilised) {
      std::vector<int> mu(m_, -1);
      int next = 2 * n_ + m_;
      for (int row = 0; row < m_; ++row)
        if (position(row)) mu[row] = next++, r.push_back(Phi_[row]);
      for (const Entry& e : gradient_)
        if (mu[e.row] >= 0) r[e.column] += e.value * y_[mu[e.row]];
      r.insert(r.end(), first_.begin(), first_.end());
      return r;
    }
    for (int row = 0; row < m_; ++row) {
      const auto w = position(row) ? levels_.weights : levels_.weights.of_velocity_rows();
      r.push_back(Var(w.position) * Phi_[row] + Var(w.velocity) * first_[row] +
                  Var(w.acceleration) * second_[row]);
    }
    return r;
  }

  void add(std::string name, std::string meaning, const std::vector<std::string>& arguments,
           int rows, int columns, const std::vector<Entry>& entries) {
    if (rows == 0) return;
    const std::map<std::string, Argument> known = {{"t", {"t", 0, 0}},
                                                   {"q", {"q", 1, n_}},
                                                   {"v", {"v", 1 + n_, n_}},
                                                   {"lam", {"lam", 1 + 2 * n_, m_}},
                                                   {"a", {"a", 1 + size_ + n_, n_}},
                                                   {"y", {"y", 1, size_}},
                                                   {"rate", {"rate", 1 + size_, size_}}};
    graph::SourceFunction f{std::move(name), std::move(meaning), {}, rows, columns, {}, {}};
    for (const std::string& argument : arguments) f.arguments.push_back(known.at(argument));
    Vars values;
    for (const Entry& e : entries)
      f.places.emplace_back(e.row, e.column), values.push_back(e.value);
    f.code = graph::compile(graph_, {values}, false);
    functions_.push_back(std::move(f));
  }

  void add(const std::string& name, const std::string& meaning,
           const std::vector<std::string>& arguments, const Vars& values) {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < values.size(); ++i)
      entries.push_back({static_cast<int>(i), 0, values[i]});
    add(name, meaning, arguments, static_cast<int>(values.size()), 0, entries);
  }

  MechanicalSystem<double>& mechanism_;
  ConstraintLevels<double> levels_;
  int n_, m_, size_;
  graph::Graph graph_;
  Var t_;
  Vars y_, rate_, q_, v_, a_, lambda_;
  Vars R_, force_, Phi_, first_, second_;  ///< Φ, Φ̇, Φ̈
  std::vector<Entry> gradient_;
  std::vector<graph::SourceFunction> functions_;
};

}  // namespace

std::vector<graph::SourceFunction> exported_functions(MechanicalSystem<double>& mechanism,
                                                      const ConstraintLevels<double>& levels) {
  return Recording(mechanism, levels).functions();
}

}  // namespace daemark
