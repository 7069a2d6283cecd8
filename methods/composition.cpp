// composition(base, scheme): Ψ_h = Φ_{γ_m h} ∘ … ∘ Φ_{γ_1 h}, γ_i = γ_{m+1−i}, of whole steps of a
// symmetric method of order 2: RATTLE, the midpoint rule with
// symmetric projection, ...
//
//   triple_jump_4   γ_1 = 1/(2 − 2^{1/3})                        Suzuki, Yoshida 1990
//   suzuki_4        γ_1 = γ_2 = 1/(4 − 4^{1/3}), five stages      Suzuki 1990
//   yoshida_6       seven stages, solution A                      Yoshida 1990
//   kahan_li_6      nine stages, s9odr6a                          Kahan & Li 1997
//   suzuki_umeno_8  fifteen stages                                Suzuki & Umeno, McLachlan
//   kahan_li_8      seventeen stages                              Kahan & Li 1997
//
// Coefficients as Hairer & Hairer's gni_comp.f prints them (s9odr6a as in other public codes), to
// 26 digits; the one in the middle is 1 − 2 Σ of the others, so that they sum to 1. The residual of
// the order conditions is 1e-26 h³. The schemes have their orders if the base method is exactly
// symmetric, so Newton has to reach round-off. Some substeps go backwards, so a drive is evaluated
// outside the step. On charts steps are not symmetric; they are refused.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "methods/catalogue/registry.hpp"
#include "methods/core/method.hpp"
#include "methods/geometric/symmetry.hpp"

namespace daemark {
namespace {

struct Scheme {
  const char* id;
  int order;
  std::vector<const char*> gamma;  ///< without the middle
};

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = {
      {"triple_jump_4", 4, {"1/(2-root(x^3-2,1,2))"}},
      {"suzuki_4", 4, {"1/(4-root(x^3-4,1,2))", "1/(4-root(x^3-4,1,2))"}},
      {"yoshida_6",
       6,
       {"0.78451361047755726381949763", "0.23557321335935813368479318",
        "-1.17767998417887100694641568"}},
      {"kahan_li_6",
       6,
       {"0.39216144400731413927925056", "0.33259913678935943859974864",
        "-0.70624617255763935980996482", "0.08221359629355080023149045"}},
      {"suzuki_umeno_8",
       8,
       {"0.74167036435061295344822780", "-0.40910082580003159399730010",
        "0.19075471029623837995387626", "-0.57386247111608226665638773",
        "0.29906418130365592384446354", "0.33462491824529818378495798",
        "0.31529309239676659663205666"}},
      {"kahan_li_8",
       8,
       {"0.13020248308889008087881763", "0.56116298177510838456196441",
        "-0.38947496264484728640807860", "0.15884190655515560089621075",
        "-0.39590389413323757733623154", "0.18453964097831570709183254",
        "0.25837438768632204729397911", "0.29501172360931029887096624"}},
  };
  return all;
}

std::vector<std::string> scheme_ids() {
  std::vector<std::string> ids;
  for (const Scheme& scheme : schemes()) ids.emplace_back(scheme.id);
  return ids;
}

ExactComposition exact_form(const std::string& base, const Scheme& scheme) {
  ExactComposition out{base, {}, scheme.order};
  for (const char* text : scheme.gamma) out.half.push_back(Expression::parse(text, "composition"));
  return out;
}

std::vector<wide> fractions_of(const ExactComposition& scheme) {
  std::vector<wide> gamma;
  wide middle = 1;
  for (const Expression& entry : scheme.half) {
    gamma.push_back(entry.eval<wide>());
    middle -= 2 * gamma.back();
  }
  const std::vector<wide> back(gamma.rbegin(), gamma.rend());
  gamma.push_back(middle);
  gamma.insert(gamma.end(), back.begin(), back.end());
  return gamma;
}

template <class S>
class CompositionStepper final : public Stepper<S> {
 public:
  CompositionStepper(const std::vector<wide>& gamma, std::unique_ptr<Stepper<S>> base)
      : base_(std::move(base)) {
    for (const wide& x : gamma) gamma_.push_back(from_wide<S>(x));
  }

  void start(const State<S>& initial, const S& h) override {
    state_ = next_ = initial;
    this->step_size_ = h;
    clock_.start(initial.t, h);
  }
  StepReport attempt(const S& h) override {
    clock_.change(state_.t, h);
    const Counts before = base_->counts();
    base_->start(state_, gamma_.front() * h);
    StepReport report;
    for (const S& share : gamma_) {
      report = base_->attempt(share * h);
      if (report.status != Status::ok) break;
      base_->accept();
    }
    this->counts_.add_work(base_->counts(), before);
    if (report.status != Status::ok) return report;
    next_ = base_->state();
    next_.t = clock_.next();
    return {};
  }
  State<S>& candidate() override { return next_; }
  void accept() override {
    std::swap(state_, next_);
    clock_.advance();
    ++this->counts_.steps;
  }
  const State<S>& state() const override { return state_; }
  std::vector<S> memory() const override {
    std::vector<S> all = state_.y;
    all.insert(all.end(), state_.rate.begin(), state_.rate.end());
    return all;
  }
  void set_memory(const std::vector<S>& memory) override {
    std::copy_n(memory.begin(), state_.y.size(), state_.y.begin());
    std::copy(memory.begin() + state_.y.size(), memory.end(), state_.rate.begin());
  }

 private:
  std::vector<S> gamma_;
  std::unique_ptr<Stepper<S>> base_;
  State<S> state_, next_;
  StepClock<S> clock_;
};

class Composition final : public MethodOf<Composition>, public SymmetricStep, public ComposedStep {
 public:
  Composition(std::shared_ptr<const Method> base, ExactComposition scheme)
      : base_(std::move(base)), scheme_(std::move(scheme)), gamma_(fractions_of(scheme_)) {}

  int cost_stages() const override {
    return base_->cost_stages() * static_cast<int>(gamma_.size());
  }
  int symmetric_order() const override { return scheme_.order; }
  const ExactComposition& composition() const override { return scheme_; }
  bool is_explicit() const override { return base_->is_explicit(); }
  bool solves_end_rates() const override { return base_->solves_end_rates(); }
  std::string refusal(const SystemTraits& system) const override {
    if (!system.flat)
      return "a step on a chart begins at its centre and is not symmetric, which the order asks "
             "for; accepted: flat coordinates";
    return base_->refusal(system);
  }
  std::optional<KnownOrders> known_orders(int index) const override {
    const auto base = base_->known_orders(index);
    if (index > 1 && !base) return std::nullopt;
    const int p = scheme_.order;
    return KnownOrders{p, p, p, base && base->observed,
                       "order conditions of symmetric compositions of steps of order 2, " +
                           (base ? base->reason : "which the base has without constraints")};
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (is_exact<S>) {
      return nullptr;
    } else {
      auto base = base_->stepper(target, settings);
      if (!base) return nullptr;
      return std::make_unique<CompositionStepper<S>>(gamma_, std::move(base));
    }
  }

 private:
  std::shared_ptr<const Method> base_;
  ExactComposition scheme_;
  std::vector<wide> gamma_;
};

}  // namespace

void register_composition(MethodRegistry& registry) {
  using Type = Parameter::Type;
  MethodInfo info;
  info.id = "composition";
  info.kind = "composition";
  info.summary = "symmetric composition of steps of a symmetric method of order 2";
  info.parameters = {
      {"base", Type::call, "rattle", "a symmetric method of order 2"},
      {"scheme", Type::word, "suzuki_4", fmt::format("{}", fmt::join(scheme_ids(), " | "))}};
  for (const std::string& scheme : scheme_ids())
    info.examples.push_back(fmt::format("composition(rattle,{})", scheme));
  info.source = {"hairer2003", "gni_comp.f"};
  registry.add(info, [](const Arguments& arguments) -> std::shared_ptr<const Method> {
    const std::string call = arguments.call("base").text();
    const std::string scheme = arguments.word("scheme", scheme_ids());
    auto base = method_registry().make(call);
    if (symmetric_order(*base) != 2)
      throw BadInput(fmt::format(
          "composition: base = {} is not accepted, it is {}; accepted: rattle, gauss(1), "
          "lobatto_iiia(2), symmetric_projection of these",
          call,
          symmetric_order(*base) == 0 ? "not symmetric"
                                      : "symmetric, but of an order other than 2"));
    for (const Scheme& known : schemes())
      if (scheme == known.id)
        return std::make_shared<Composition>(std::move(base), exact_form(call, known));
    return nullptr;
  });
}

}  // namespace daemark
