#include "problems/core/formulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/linear/sparse_lu.hpp"

namespace daemark {

const std::vector<FormulationInfo>& formulations() {
  using Type = Parameter::Type;
  static const std::vector<FormulationInfo> all = {
      {"index1", "constraints at acceleration level", {}, 1},
      {"index2", "constraints at velocity level", {}, 2},
      {"index3", "constraints at position level", {}, 3},
      {"baumgarte",
       "Φ̈ + 2αΦ̇ + β²Φ = 0",
       {{"alpha", Type::real, "", "real number, may use h"},
        {"beta", Type::real, "", "real number, may use h"}},
       1},
      {"ggl", "position and velocity level with an extra multiplier", {}, 2},
      {"minimal", "independent coordinates, no constraints", {}, 0},
  };
  return all;
}

Formulation Formulation::parse(const std::string& text) {
  const Call call = parse_call(text, "formulation");
  std::vector<std::string> known;
  for (const FormulationInfo& info : formulations()) {
    if (info.id == call.id) return {info, Arguments(call, info.parameters)};
    known.push_back(info.id);
  }
  throw BadInput(
      fmt::format("formulation '{}' is unknown, accepted: {}", call.id, fmt::join(known, ", ")));
}

namespace {

/// Accelerations and multipliers from [M Gᵀ; G 0](a, λ) = (f, −γ): the index-1 solve.
template <class S>
class IndexOneSolve {
 public:
  explicit IndexOneSolve(const MechanicalSystem<S>& s) : n_(s.coordinates()), m_(s.constraints()) {
    std::vector<std::pair<int, int>> entries = s.mass_pattern().entries;
    for (const auto& [r, j] : s.gradient_pattern().entries) entries.emplace_back(n_ + r, j);
    for (const auto& [r, j] : s.gradient_pattern().entries) entries.emplace_back(j, n_ + r);
    values_.resize(entries.size());
    lu_.set_pattern(n_ + m_, std::move(entries));
    mass_.resize(s.mass_pattern().size());
    gradient_.resize(s.gradient_pattern().size());
    residual_.resize(n_ + m_), correction_.resize(n_ + m_);
  }

  /// Writes a and λ; false if the matrix is singular. Wide scalars refine the double solution.
  bool solve(MechanicalSystem<S>& s, const S& t, const S* q, const S* v,
             const ConstraintWeights<S>& weights, S* a, S* lambda) {
    std::fill_n(a, n_, S(0));
    std::fill_n(lambda, m_, S(0));
    MotionJacobian<S> jac;
    jac.mass = mass_.data(), jac.gradient = gradient_.data();
    s.evaluate({t, q, v, a, lambda}, weights, residual_.data(), residual_.data() + n_, jac);
    fill_values(weights.acceleration);
    if (!lu_.factor(values_.data())) return false;
    if constexpr (std::is_same_v<S, double>) {
      lu_.solve(residual_.data());
      double sum = 0;  // not finite if any entry is not; 0 − x: no negative zeros
      for (int i = 0; i < n_; ++i) sum += std::fabs(a[i] = 0 - residual_[i]);
      for (int i = 0; i < m_; ++i) sum += std::fabs(lambda[i] = 0 - residual_[n_ + i]);
      return std::isfinite(sum);
    } else {
      return refine(s, {t, q, v, a, lambda}, weights, a, lambda);
    }
  }

 private:
  bool refine(MechanicalSystem<S>& s, const MotionPoint<S>& point,
              const ConstraintWeights<S>& weights, S* a, S* lambda) {
    constexpr int rounds = 12;
    double previous = std::numeric_limits<double>::infinity();
    for (int round = 0; round < rounds; ++round) {
      double size = 0, change = 0;
      for (int i = 0; i < n_ + m_; ++i) correction_[i] = to_double(residual_[i]);
      lu_.solve(correction_.data());
      for (int i = 0; i < n_ + m_; ++i) {
        S& x = i < n_ ? a[i] : lambda[i - n_];
        x -= S(correction_[i]);
        change = std::max(change, std::abs(correction_[i]));
        size = std::max(size, std::abs(to_double(x)));
      }
      if (!std::isfinite(change)) return false;
      if (change <= 4 * unit_roundoff<S>() * size || change >= previous / 2) break;
      previous = change;
      if (round + 1 < rounds)
        s.evaluate(point, weights, residual_.data(), residual_.data() + n_, {});
    }
    return true;
  }
  void fill_values(const S& acceleration_weight) {
    double* value = values_.data();
    for (const S& x : mass_) *value++ = to_double(x);
    for (const S& x : gradient_) *value++ = to_double(S(acceleration_weight * x));
    for (const S& x : gradient_) *value++ = to_double(x);
  }

  int n_, m_;
  SparseLu<double> lu_;
  std::vector<double> values_, correction_;
  std::vector<S> mass_, gradient_, residual_;
};

/// What the formulations share: y = (q, v, λ, …) of a mechanism, on its chart.
template <class S>
class MechanicalFormulation : public ImplicitSystem<S> {
 public:
  int chart_size() const override { return mechanism_->chart_size(); }
  void chart(S* numbers) const override { mechanism_->chart(numbers); }
  void set_chart(const S* numbers) override { mechanism_->set_chart(numbers); }
  void rebase(const std::vector<S*>& points_y, const std::vector<S*>& points_rate) override {
    chart_points_.clear();
    for (std::size_t i = 0; i < points_y.size(); ++i)
      chart_points_.push_back({points_y[i], points_rate[i], points_y[i] + n_, points_rate[i] + n_});
    mechanism_->rebase(chart_points_);
  }

 protected:
  using Kind = Component::Kind;

  explicit MechanicalFormulation(MechanicalPtr<S> mechanism)
      : mechanism_(std::move(mechanism)),
        index_one_(*mechanism_),
        n_(mechanism_->coordinates()),
        m_(mechanism_->constraints()) {}

  MechanicalPtr<S> mechanism_;
  IndexOneSolve<S> index_one_;
  int n_, m_;
  std::vector<ChartPoint<S>> chart_points_;
};

/// q̇ = v, M v̇ + Gᵀλ = f, one linear combination of Φ, Φ̇, Φ̈ = 0.
template <class S>
class MechanicalDae final : public MechanicalFormulation<S> {
  using MechanicalFormulation<S>::mechanism_, MechanicalFormulation<S>::index_one_,
      MechanicalFormulation<S>::n_, MechanicalFormulation<S>::m_;
  using typename MechanicalFormulation<S>::Kind;

 public:
  MechanicalDae(MechanicalPtr<S> mechanism, ConstraintWeights<S> weights, int row_power,
                std::string name)
      : MechanicalFormulation<S>(std::move(mechanism)),
        weights_(std::move(weights)),
        name_(std::move(name)) {
    add_mechanical_components(this->components_);
    this->finish_components();
    this->row_power_.assign(n_ + m_, 0);
    std::fill(this->row_power_.begin() + n_, this->row_power_.end(), row_power);
    lay_out();
  }

  void evaluate(const S* y, const S* rate, const S& t, S* r, S* jacobian_y,
                S* jacobian_rate) override {
    const MotionPoint<S> point{t, y, y + n_, rate + n_, y + 2 * n_};
    if (!jacobian_y) {
      mechanism_->evaluate(point, weights_, r, r + n_, {});
      return;
    }
    MotionJacobian<S> jac;
    jac.mass = jacobian_rate, jac.gradient = gradient_.data();
    jac.residual_q = jacobian_y;
    jac.residual_v = jac.residual_q + mechanism_->residual_q_pattern().size();
    jac.curvature_q = jac.residual_v + mechanism_->residual_v_pattern().size();
    jac.curvature_v = jac.curvature_q + mechanism_->curvature_pattern().size();
    mechanism_->evaluate(point, weights_, r, r + n_, jac);
    S* transposed = jac.curvature_v + mechanism_->curvature_pattern().size();
    for (std::size_t i = 0; i < gradient_.size(); ++i) transposed[i] = gradient_[i];
    S* next = transposed + gradient_.size();
    next = scaled_gradient(weights_.position, next);
    scaled_gradient(weights_.velocity, next);
    scaled_gradient(weights_.acceleration, jacobian_rate + mechanism_->mass_pattern().size());
  }

  bool has_explicit_rates() const override { return weights_.acceleration != 0 || m_ == 0; }

  bool explicit_rates(S* y, S* rate, const S& t) override {
    const ConstraintWeights<S> index1{S(0), S(0), S(1)};
    for (int i = 0; i < n_; ++i) rate[i] = y[n_ + i];
    for (int i = 0; i < m_; ++i) rate[2 * n_ + i] = S(0);
    return index_one_.solve(*mechanism_, t, y, y + n_, has_explicit_rates() ? weights_ : index1,
                            rate + n_, y + 2 * n_);
  }

  std::string description() const override { return name_; }

 private:
  void add_mechanical_components(std::vector<Component>& components) const {
    for (int i = 0; i < n_; ++i)
      components.push_back({mechanism_->coordinate_names()[i], Kind::integral, n_ + i});
    for (int i = 0; i < n_; ++i)
      components.push_back({"d" + mechanism_->coordinate_names()[i], Kind::differential, -1});
    for (int i = 0; i < m_; ++i)
      components.push_back({mechanism_->constraint_names()[i], Kind::algebraic, -1});
  }

  /// Blocks of ∂r/∂y in the order evaluate() writes them: ∂R/∂q, ∂R/∂v, curvature in q and v, Gᵀ,
  /// and G in q and v where the level needs them. A position may occur in two blocks: the entries
  /// are then kept apart, the stage solver adds them.
  void lay_out() {
    Pattern& p = this->pattern_y_;
    p = {n_ + m_, 2 * n_ + m_, {}};
    const auto put = [&p](const Pattern& source, int row, int column) {
      for (const auto& [i, j] : source.entries) p.entries.emplace_back(row + i, column + j);
    };
    put(mechanism_->residual_q_pattern(), 0, 0);
    put(mechanism_->residual_v_pattern(), 0, n_);
    put(mechanism_->curvature_pattern(), n_, 0);
    put(mechanism_->curvature_pattern(), n_, n_);
    const Pattern& g = mechanism_->gradient_pattern();
    for (const auto& [r, j] : g.entries) p.entries.emplace_back(j, 2 * n_ + r);
    if (weights_.position != 0) put(g, n_, 0);
    if (weights_.velocity != 0) put(g, n_, n_);
    Pattern& rate = this->pattern_rate_;
    rate = {n_ + m_, 2 * n_ + m_, {}};
    for (const auto& [i, j] : mechanism_->mass_pattern().entries)
      rate.entries.emplace_back(i, n_ + j);
    if (weights_.acceleration != 0)
      for (const auto& [r, j] : g.entries) rate.entries.emplace_back(n_ + r, n_ + j);
    gradient_.resize(g.size());
  }

  S* scaled_gradient(const S& weight, S* out) const {
    if (weight == 0) return out;
    for (const S& x : gradient_) *out++ = weight * x;
    return out;
  }

  ConstraintWeights<S> weights_;
  std::string name_;
  std::vector<S> gradient_;
};

/// q̇ = v − Gᵀμ, M v̇ + Gᵀλ = f, Φ = 0, Φ̇ = 0. y = (q, v, λ, μ).
template <class S>
class GglDae final : public MechanicalFormulation<S> {
  using MechanicalFormulation<S>::mechanism_, MechanicalFormulation<S>::index_one_,
      MechanicalFormulation<S>::n_, MechanicalFormulation<S>::m_;
  using typename MechanicalFormulation<S>::Kind;

 public:
  explicit GglDae(MechanicalPtr<S> mechanism) : MechanicalFormulation<S>(std::move(mechanism)) {
    for (const char* prefix : {"", "d"})
      for (const std::string& name : mechanism_->coordinate_names())
        this->components_.push_back({prefix + name, Kind::differential, -1});
    for (const char* prefix : {"", "mu_"})
      for (const std::string& name : mechanism_->constraint_names())
        this->components_.push_back({prefix + name, Kind::algebraic, -1});
    this->finish_components();
    this->row_power_.assign(2 * n_ + 2 * m_, 0);
    std::fill(this->row_power_.begin() + 2 * n_, this->row_power_.end(), -1);
    lay_out();
  }

  // Rows: 0..n q̇ − v + Gᵀμ; n..2n dynamics; 2n..2n+m Φ; 2n+m.. Φ̇.
  void evaluate(const S* y, const S* rate, const S& t, S* r, S* jacobian_y,
                S* jacobian_rate) override {
    const MotionPoint<S> point{t, y, y + n_, rate + n_, y + 2 * n_};
    const S* mu = y + 2 * n_ + m_;
    MotionJacobian<S> values;
    values.gradient = gradient_.data();
    S* blocks = jacobian_y;
    const int kq = mechanism_->residual_q_pattern().size(),
              kv = mechanism_->residual_v_pattern().size(),
              kc = mechanism_->curvature_pattern().size(), kg = static_cast<int>(gradient_.size());
    if (jacobian_y) {
      values.mass = jacobian_rate;
      values.residual_q = blocks, values.residual_v = blocks + kq;
      values.curvature_q = blocks + kq + kv;
    }
    mechanism_->evaluate(point, {S(0), S(1), S(0)}, r + n_, r + 2 * n_ + m_, values);
    mechanism_->evaluate(point, {S(1), S(0), S(0)}, scratch_.data(), r + 2 * n_, {});
    for (int i = 0; i < n_; ++i) r[i] = rate[i] - y[n_ + i];
    const auto& entries = mechanism_->gradient_pattern().entries;
    for (int k = 0; k < kg; ++k) r[entries[k].second] += gradient_[k] * mu[entries[k].first];
    if (!jacobian_y) return;
    blocks += kq + kv + kc;
    mechanism_->multiplier_stiffness(t, y, mu, blocks);
    blocks += kq;
    for (int copy = 0; copy < 4; ++copy)  // Gᵀ twice, G twice
      for (int k = 0; k < kg; ++k) *blocks++ = gradient_[k];
    for (int i = 0; i < n_; ++i) *blocks++ = S(-1);
    S* identity = jacobian_rate + mechanism_->mass_pattern().size();
    for (int i = 0; i < n_; ++i) identity[i] = S(1);
  }

  bool explicit_rates(S* y, S* rate, const S& t) override {
    for (int i = 0; i < n_; ++i) rate[i] = y[n_ + i];
    for (int i = 0; i < 2 * m_; ++i) rate[2 * n_ + i] = S(0);
    for (int i = 0; i < m_; ++i) y[2 * n_ + m_ + i] = S(0);
    return index_one_.solve(*mechanism_, t, y, y + n_, {S(0), S(0), S(1)}, rate + n_, y + 2 * n_);
  }

  std::string description() const override { return "ggl"; }

 private:
  void lay_out() {
    Pattern& p = this->pattern_y_;
    const int size = 2 * n_ + 2 * m_;
    p = {size, size, {}};
    const auto put = [&p](const Pattern& source, int row, int column) {
      for (const auto& [i, j] : source.entries) p.entries.emplace_back(row + i, column + j);
    };
    const Pattern& g = mechanism_->gradient_pattern();
    put(mechanism_->residual_q_pattern(), n_, 0);
    put(mechanism_->residual_v_pattern(), n_, n_);
    put(mechanism_->curvature_pattern(), 2 * n_ + m_, 0);
    put(mechanism_->residual_q_pattern(), 0, 0);  // ∂(Gᵀμ)/∂q
    for (const auto& [r, j] : g.entries) p.entries.emplace_back(n_ + j, 2 * n_ + r);
    for (const auto& [r, j] : g.entries) p.entries.emplace_back(j, 2 * n_ + m_ + r);
    put(g, 2 * n_, 0);
    put(g, 2 * n_ + m_, n_);
    for (int i = 0; i < n_; ++i) p.entries.emplace_back(i, n_ + i);
    Pattern& rate = this->pattern_rate_;
    rate = {size, size, {}};
    for (const auto& [i, j] : mechanism_->mass_pattern().entries)
      rate.entries.emplace_back(n_ + i, n_ + j);
    for (int i = 0; i < n_; ++i) rate.entries.emplace_back(i, i);
    gradient_.resize(g.size());
    scratch_.resize(n_);
  }

  std::vector<S> gradient_, scratch_;
};

}  // namespace

template <class S>
std::unique_ptr<ImplicitSystem<S>> formulate(const Formulation& formulation,
                                             MechanicalPtr<S> mechanism, const wide& h) {
  const std::string& id = formulation.info.id;
  if (id == "ggl") return std::make_unique<GglDae<S>>(std::move(mechanism));
  ConstraintWeights<S> weights{S(0), S(0), S(1)};
  int power = 0;
  if (id == "index2") weights = {S(0), S(1), S(0)}, power = -1;
  if (id == "index3") weights = {S(1), S(0), S(0)}, power = -2;
  if (id == "baumgarte") {
    const wide alpha = formulation.arguments.real("alpha").eval<wide>({{"h", h}});
    const wide beta = formulation.arguments.real("beta").eval<wide>({{"h", h}});
    weights = {from_wide<S>(wide(beta * beta)), from_wide<S>(wide(2 * alpha)), S(1)};
  }
  return std::make_unique<MechanicalDae<S>>(std::move(mechanism), weights, power,
                                            formulation.name());
}

template std::unique_ptr<ImplicitSystem<double>> formulate(const Formulation&,
                                                           MechanicalPtr<double>, const wide&);
template std::unique_ptr<ImplicitSystem<quad>> formulate(const Formulation&, MechanicalPtr<quad>,
                                                         const wide&);
template std::unique_ptr<ImplicitSystem<real50>> formulate(const Formulation&,
                                                           MechanicalPtr<real50>, const wide&);

}  // namespace daemark
