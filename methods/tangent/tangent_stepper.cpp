#include "methods/tangent/tangent_stepper.hpp"

#include <algorithm>

#include "methods/tangent/null_space_algebra.hpp"

namespace daemark {

template <class S>
TangentStepper<S>::TangentStepper(const Method& inner, TangentForm form, const Target<S>& target,
                                  const Settings& settings)
    : target_(target),
      error_size_(target, settings.control),
      order_(inner.estimate_order()),
      system_(*target.mechanism, inner.as<ExactSecondOrder>() != nullptr) {
  Target<S> inside = target;
  inside.system = &system_;
  if constexpr (std::is_same_v<S, F>) {
    inside.factor_system = &system_;
  } else {
    twin_ = std::make_unique<TangentSystem<F>>(*target.factor_mechanism, system_.twice());
    inside.factor_system = twin_.get();
  }
  if (form == TangentForm::null_space) {
    algebra_ = std::make_unique<NullSpaceMaker>();
    inside.algebra = algebra_.get();
  }
  inner_ = inner.stepper(inside, settings);
}

template <class S>
void TangentStepper<S>::to_inside(const State<S>& outside, State<S>& inside) const {
  const TangentLayout& at = system_.layout();
  const S *q = outside.y.data(), *v = q + at.n;
  for (const int to : {at.p(), at.x()}) std::copy_n(q, at.n, inside.y.begin() + to);
  for (const int to : {at.w(), at.v()}) std::copy_n(v, at.n, inside.y.begin() + to);
  std::copy_n(v + at.n, at.m, inside.y.begin() + at.lambda());
  std::copy_n(v, at.n, inside.rate.begin() + at.p());
  std::copy_n(outside.rate.begin() + at.n, at.n, inside.rate.begin() + at.w());
  inside.t = outside.t;
}

template <class S>
void TangentStepper<S>::to_outside(const State<S>& inside, State<S>& outside) const {
  const TangentLayout& at = system_.layout();
  std::copy_n(inside.y.begin() + at.x(), at.n, outside.y.begin());
  std::copy_n(inside.y.begin() + at.v(), at.n, outside.y.begin() + at.n);
  std::copy_n(inside.y.begin() + at.lambda(), at.m, outside.y.begin() + 2 * at.n);
  std::copy_n(inside.y.begin() + at.v(), at.n, outside.rate.begin());
  std::copy_n(inside.rate.begin() + at.w(), at.n, outside.rate.begin() + at.n);
  outside.t = inside.t;
}

template <class S>
void TangentStepper<S>::take_counts() {
  const long rejected = this->counts_.rejected_steps;
  this->counts_ = inner_->counts();
  this->counts_.rejected_steps = rejected;
}

template <class S>
void TangentStepper<S>::start(const State<S>& initial, const S& h) {
  this->step_size_ = h;
  state_ = next_ = initial;
  inside_ = initial;
  inside_.y.assign(system_.size(), S(0));
  inside_.rate = inside_.y;
  to_inside(initial, inside_);
  inner_->start(inside_, h);
}

template <class S>
StepReport TangentStepper<S>::attempt(const S& h) {
  const StepReport report = inner_->attempt(h);
  take_counts();
  if (report.status == Status::ok) to_outside(inner_->candidate(), next_);
  return report;
}

template <class S>
const std::vector<S>& TangentStepper<S>::error_estimate() const {
  const TangentLayout& at = system_.layout();
  const std::vector<S>& inside = inner_->error_estimate();
  if (inside.empty()) return inside;
  error_.assign(2 * at.n + at.m, S(0));
  std::copy_n(inside.begin() + at.p(), at.n, error_.begin());
  std::copy_n(inside.begin() + at.w(), at.n, error_.begin() + at.n);
  return error_;
}

template <class S>
void TangentStepper<S>::accept() {
  to_inside(next_, inner_->candidate());
  inner_->accept();
  take_counts();
  std::swap(state_.y, next_.y);
  std::swap(state_.rate, next_.rate);
  state_.t = next_.t;
}

template <class S>
void TangentStepper<S>::set_memory(const std::vector<S>& memory) {
  inner_->set_memory(memory);
  to_outside(inner_->state(), state_);
}

template class TangentStepper<double>;
template class TangentStepper<real50>;

}  // namespace daemark
