// Order-by-order evaluation of a recorded tape.
#include <cmath>
#include <stdexcept>

#include "base/numbers/taylor_tape.hpp"

namespace daemark {
namespace {

// sum += x y; without temporaries that are initialised and moved for each product.
template <class S>
void accumulate(S& sum, const S& x, const S& y, S& scratch) {
  if constexpr (std::is_same_v<S, real50>) {
    mpfr_mul(scratch.backend().data(), x.backend().data(), y.backend().data(), GMP_RNDN);
    mpfr_add(sum.backend().data(), sum.backend().data(), scratch.backend().data(), GMP_RNDN);
  } else {
    sum += x * y;
  }
}

// sum over 0 < j < k of x_j y_{k-j}
template <class S>
S interior_product(const S* x, const S* y, int k) {
  S sum(0), scratch(0);
  for (int j = 1; j < k; ++j) accumulate(sum, x[j], y[k - j], scratch);
  return sum;
}

// sum over 0 < j < k of x_j x_{k-j}
template <class S>
S interior_square(const S* x, int k) {
  S sum(0), scratch(0);
  for (int j = 1; 2 * j < k; ++j) accumulate(sum, x[j], x[k - j], scratch);
  sum += sum;
  if (k % 2 == 0) accumulate(sum, x[k / 2], x[k / 2], scratch);
  return sum;
}

template <class S>
std::vector<char> live_nodes(const Tape<S>& tape, const std::vector<TapeVar<S>>& outputs) {
  std::vector<char> live(tape.size(), 0);
  for (const auto& y : outputs) {
    if (y.is_constant()) continue;
    if (y.tape() != &tape) throw std::logic_error("output of another tape");
    live[y.node()] = 1;
  }
  for (int i = tape.size() - 1; i >= 0; --i) {
    if (!live[i]) continue;
    const TapeNode& node = tape.node(i);
    if (node.op == TapeOp::input || node.op == TapeOp::constant) continue;
    live[node.first] = 1;
    if (node.op == TapeOp::scale || node.op == TapeOp::shift) continue;
    if (node.second >= 0) live[node.second] = 1;
    // The partner's arguments are the same nodes, so no order of traversal is violated.
    if (node.op == TapeOp::sin) live[i + 1] = 1;
    if (node.op == TapeOp::cos) live[i - 1] = 1;
  }
  return live;
}

}  // namespace

template <class S>
TaylorProgram<S>::TaylorProgram(const Tape<S>& tape,
                                const std::vector<std::vector<TapeVar<S>>>& groups, int max_order)
    : stride_(max_order + 1), code_(groups.size()), outputs_(groups.size()) {
  if (max_order < 0) throw std::logic_error("a series needs an order >= 0");
  // Slots: the inputs, then the live nodes in the order of the groups, then constant outputs.
  std::vector<int> slot(tape.size(), -1);
  for (int i = 0; i < tape.input_count(); ++i) slot[tape.input_node(i)] = i;
  series_.resize(static_cast<std::size_t>(tape.input_count()) * stride_, S(0));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    compile(tape, static_cast<int>(g), live_nodes(tape, groups[g]), slot);
    for (const auto& y : groups[g]) {
      if (!y.is_constant()) {
        outputs_[g].push_back(slot[y.node()]);
        continue;
      }
      outputs_[g].push_back(static_cast<int>(series_.size() / stride_));
      series_.resize(series_.size() + stride_, S(0));
      *at(outputs_[g].back()) = y.constant();
    }
  }
}

template <class S>
void TaylorProgram<S>::compile(const Tape<S>& tape, int group, const std::vector<char>& live,
                               std::vector<int>& slot) {
  std::vector<int> added;
  for (int i = 0; i < tape.size(); ++i) {
    if (!live[i] || slot[i] >= 0) continue;
    slot[i] = static_cast<int>(series_.size() / stride_);
    series_.resize(series_.size() + stride_, S(0));
    added.push_back(i);
  }
  for (const int i : added) {
    const TapeNode& node = tape.node(i);
    Instruction code{node.op, slot[i], -1, -1, -1, S(0), S(0)};
    const bool scalar_second = node.op == TapeOp::scale || node.op == TapeOp::shift;
    if (node.op == TapeOp::constant) {
      *at(slot[i]) = tape.constant(node.first);
      continue;
    }
    code.first = slot[node.first];
    if (scalar_second) {
      code.constant = tape.constant(node.second);
    } else if (node.second >= 0) {
      code.second = slot[node.second];
    }
    if (node.op == TapeOp::sin) code.partner = slot[i + 1];
    if (node.op == TapeOp::cos) code.partner = slot[i - 1];
    code_[group].push_back(code);
  }
}

template <class S>
void TaylorProgram<S>::evaluate_order(int group, int k) {
  if (k < 0 || k >= stride_) throw std::logic_error("order outside the program's range");
  for (auto& code : code_[group]) set_interior(code, k);
  update_order(group, k);
}

template <class S>
void TaylorProgram<S>::update_order(int group, int k) {
  if (k == 0) {
    for (const auto& code : code_[group]) set_first(code);
  } else {
    for (const auto& code : code_[group]) set_coefficient(code, k);
  }
}

template <class S>
void TaylorProgram<S>::set_interior(Instruction& code, int k) const {
  switch (code.op) {
    case TapeOp::multiply:
      code.interior = interior_product(at(code.first), at(code.second), k);
      break;
    case TapeOp::square:
      code.interior = interior_square(at(code.first), k);
      break;
    case TapeOp::divide:
      code.interior = interior_product(at(code.result), at(code.second), k);
      break;
    case TapeOp::sqrt:
      code.interior = interior_square(at(code.result), k);
      break;
    case TapeOp::sin:
    case TapeOp::cos:
      code.interior = interior_product(at(code.second), at(code.partner), k);
      if (k > 0) code.interior /= k;
      break;
    default:
      break;
  }
}

template <class S>
void TaylorProgram<S>::set_first(const Instruction& code) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  S& z = *at(code.result);
  const S& x = *at(code.first);
  switch (code.op) {
    case TapeOp::add:
      z = x + *at(code.second);
      break;
    case TapeOp::subtract:
      z = x - *at(code.second);
      break;
    case TapeOp::scale:
      z = x * code.constant;
      break;
    case TapeOp::shift:
      z = x + code.constant;
      break;
    case TapeOp::multiply:
      z = x * *at(code.second);
      break;
    case TapeOp::square:
      z = x * x;
      break;
    case TapeOp::divide:
      z = x / *at(code.second);
      break;
    case TapeOp::sqrt:
      z = sqrt(x);
      break;
    case TapeOp::weight:
      z = 0;
      break;
    case TapeOp::sin:
      z = sin(x);
      break;
    case TapeOp::cos:
      z = cos(x);
      break;
    case TapeOp::input:
    case TapeOp::constant:
      break;
  }
}

template <class S>
void TaylorProgram<S>::set_coefficient(const Instruction& code, int k) {
  S* z = at(code.result);
  const S* x = at(code.first);
  const S* y = code.second >= 0 ? at(code.second) : nullptr;
  switch (code.op) {
    case TapeOp::add:
      z[k] = x[k] + y[k];
      break;
    case TapeOp::subtract:
      z[k] = x[k] - y[k];
      break;
    case TapeOp::scale:
      z[k] = x[k] * code.constant;
      break;
    case TapeOp::shift:
      z[k] = x[k];
      break;
    case TapeOp::multiply:
      z[k] = code.interior + x[0] * y[k] + x[k] * y[0];
      break;
    case TapeOp::square:
      z[k] = code.interior + 2 * (x[0] * x[k]);
      break;
    case TapeOp::divide:
      z[k] = (x[k] - code.interior - z[0] * y[k]) / y[0];
      break;
    case TapeOp::sqrt:
      z[k] = (x[k] - code.interior) / (2 * z[0]);
      break;
    case TapeOp::weight:
      z[k] = k * x[k];
      break;
    case TapeOp::sin:
      z[k] = code.interior + x[k] * *at(code.partner);
      break;
    case TapeOp::cos:
      z[k] = -(code.interior + x[k] * *at(code.partner));
      break;
    case TapeOp::input:
    case TapeOp::constant:
      break;
  }
}

template class TaylorProgram<double>;
template class TaylorProgram<quad>;
template class TaylorProgram<real50>;

}  // namespace daemark
