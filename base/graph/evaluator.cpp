// The interpreter.
#include "base/graph/code.hpp"
#include "base/numbers/sin_cos.hpp"

namespace daemark::graph {
namespace {

// z = x op y in place: for MPFR without the temporaries of its operators.
template <class S, class Mpfr, class Plain>
void in_place(S& z, const S& x, const S& y, Mpfr mpfr, Plain plain) {
  if constexpr (std::is_same_v<S, real50> || std::is_same_v<S, wide>)
    mpfr(z.backend().data(), x.backend().data(), y.backend().data(), MPFR_RNDN);
  else
    z = plain(x, y);
}

template <class S>
void run_one(const Instruction& i, S* x) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::exp, std::log,
      std::sin, std::sqrt, std::tanh;
  S& z = x[i.to];
  const S& a = x[i.a];
  switch (i.op) {
    case Op::add:
      in_place(z, a, x[i.b], mpfr_add, [](const S& p, const S& q) -> S { return p + q; });
      break;
    case Op::subtract:
      in_place(z, a, x[i.b], mpfr_sub, [](const S& p, const S& q) -> S { return p - q; });
      break;
    case Op::multiply:
      in_place(z, a, x[i.b], mpfr_mul, [](const S& p, const S& q) -> S { return p * q; });
      break;
    case Op::divide:
      in_place(z, a, x[i.b], mpfr_div, [](const S& p, const S& q) -> S { return p / q; });
      break;
    case Op::square:
      in_place(z, a, a, mpfr_mul, [](const S& p, const S& q) -> S { return p * q; });
      break;
    case Op::negate:
      z = -a;
      break;
    case Op::sqrt:
      z = sqrt(a);
      break;
    case Op::sin:
      if (i.b >= 0)
        sin_cos(a, z, x[i.b]);
      else
        z = sin(a);
      break;
    case Op::cos:
      z = cos(a);
      break;
    case Op::exp:
      z = exp(a);
      break;
    case Op::log:
      z = log(a);
      break;
    case Op::tanh:
      z = tanh(a);
      break;
    case Op::asin:
      z = asin(a);
      break;
    case Op::acos:
      z = acos(a);
      break;
    case Op::atan:
      z = atan(a);
      break;
    case Op::atan2:
      z = atan2(a, x[i.b]);
      break;
    case Op::abs:
      z = abs(a);
      break;
    case Op::select:
      z = a > 0 ? x[i.b] : x[i.c];
      break;
    case Op::input:
    case Op::constant:
      break;
  }
}

}  // namespace

template <class S>
Evaluator<S>::Evaluator(std::shared_ptr<const Code> code) : code_(std::move(code)) {
  x_.assign(code_->slots, S(0));
  for (std::size_t i = 0; i < code_->constants.size(); ++i)
    x_[code_->inputs + i] = from_wide<S>(code_->constants[i]);
}

template <class S>
void Evaluator<S>::run(S* const* groups) {
  S* const x = x_.data();
  if constexpr (std::is_same_v<S, double>)
    if (code_->compiled) return code_->compiled(x, groups);
  for (const Instruction& i : code_->list) run_one(i, x);
  for (std::size_t g = 0; g < code_->outputs.size(); ++g) {
    S* to = groups[g];
    if (to)
      for (const int slot : code_->outputs[g]) *to++ = x[slot];
  }
}

template class Evaluator<double>;
template class Evaluator<quad>;
template class Evaluator<real50>;
template class Evaluator<wide>;

}  // namespace daemark::graph
