// The interpreter.
#include <cstring>

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

/// z of the lane that a, b and c are of.
template <class S>
void run_one(Op op, S& z, const S& a, S* b, const S* c) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::exp, std::log,
      std::sin, std::sqrt, std::tanh;
  switch (op) {
    case Op::add:
      in_place(z, a, *b, mpfr_add, [](const S& p, const S& q) -> S { return p + q; });
      break;
    case Op::subtract:
      in_place(z, a, *b, mpfr_sub, [](const S& p, const S& q) -> S { return p - q; });
      break;
    case Op::multiply:
      in_place(z, a, *b, mpfr_mul, [](const S& p, const S& q) -> S { return p * q; });
      break;
    case Op::divide:
      in_place(z, a, *b, mpfr_div, [](const S& p, const S& q) -> S { return p / q; });
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
      if (b)
        sin_cos(a, z, *b);
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
      z = atan2(a, *b);
      break;
    case Op::abs:
      z = abs(a);
      break;
    case Op::select:
      z = a > 0 ? *b : *c;
      break;
    case Op::input:
    case Op::constant:
      break;
  }
}

/// Two numbers in one register, which every machine has.
using Pair [[gnu::vector_size(16)]] = double;

/// z = x op y for all lanes, where it is arithmetic.
template <int lanes>
bool run_pairs(Op op, double* z, const double* x, const double* y) {
  const auto each = [&](auto operation) {
    for (int j = 0; j < lanes; j += 2) {
      Pair p, q;
      std::memcpy(&p, x + j, sizeof p), std::memcpy(&q, y + j, sizeof q);
      p = operation(p, q);
      std::memcpy(z + j, &p, sizeof p);
    }
    return true;
  };
  switch (op) {
    case Op::add:
      return each([](Pair p, Pair q) { return p + q; });
    case Op::subtract:
      return each([](Pair p, Pair q) { return p - q; });
    case Op::multiply:
    case Op::square:
      return each([](Pair p, Pair q) { return p * q; });
    case Op::divide:
      return each([](Pair p, Pair q) { return p / q; });
    default:
      return false;
  }
}

template <int lanes, class S>
void run_list(const Code& code, S* x) {
  for (const Instruction& i : code.list) {
    S *const z = x + i.to * lanes, *const a = x + i.a * lanes,
             *const b = i.b < 0 ? nullptr : x + i.b * lanes,
             *const c = i.c < 0 ? nullptr : x + i.c * lanes;
    if constexpr (lanes > 1)
      if (run_pairs<lanes>(i.op, z, a, b ? b : a)) continue;
    for (int j = 0; j < lanes; ++j)
      run_one(i.op, z[j], a[j], b ? b + j : nullptr, c ? c + j : nullptr);
  }
}

}  // namespace

template <class S>
Evaluator<S>::Evaluator(std::shared_ptr<const Code> code, int lanes, Compiled compiled)
    : code_(std::move(code)), compiled_(compiled ? compiled : code_->compiled), lanes_(lanes) {
  x_.assign(static_cast<std::size_t>(code_->slots) * lanes, S(0));
  for (std::size_t i = 0; i < code_->constants.size(); ++i)
    std::fill_n(x_.begin() + (code_->inputs + i) * lanes, lanes, from_wide<S>(code_->constants[i]));
}

template <class S>
void Evaluator<S>::compute() {
  if constexpr (most_lanes > 1) {
    if (lanes_ == 8) return run_list<8>(*code_, x_.data());
    if (lanes_ == 4) return run_list<4>(*code_, x_.data());
  }
  run_list<1>(*code_, x_.data());
}

template <class S>
void Evaluator<S>::run(S* const* groups) {
  if constexpr (std::is_same_v<S, double>)
    if (compiled_) return compiled_(x_.data(), groups);
  compute();
  const S* const x = x_.data();
  for (std::size_t g = 0; g < code_->outputs.size(); ++g) {
    S* to = groups[g];
    if (to)
      for (const int slot : code_->outputs[g]) *to++ = x[slot];
  }
}

template class Evaluator<double>;
template class Evaluator<real50>;
template class Evaluator<wide>;

}  // namespace daemark::graph
