// Recorded functions along a motion on a disc of time, as polynomials with a bound of what is left
// (Taylor models). ENCLOSURES.md, "One step".
#pragma once

#include "analysis/enclosure/complex_disc.hpp"
#include "base/graph/taylor_series.hpp"

namespace daemark {

/// Every value z of the graph is Σ_{k<=K} z_k sᵏ + s^{K+1} b(s) with b analytic and |b| <= rest on
/// |s| <= 1: for all inputs that are of this form.
class TaylorModels {
 public:
  TaylorModels(graph::Graph& graph, const std::vector<std::vector<Var>>& groups, int order);

  int order() const { return series_.max_order(); }
  ComplexDisc* input(int i) { return series_.input(i); }
  /// Computes the polynomials; those of the inputs must be set.
  void evaluate();
  /// Of an input.
  void set_rest(int input, double rest) { rest_[input] = rest; }
  /// The remainders, from those of the inputs. False: nothing is proved, because the remainder
  /// assumed for a function and its derivative (sine and cosine need each other) is too small; the
  /// next call assumes more. Bounds that are not numbers prove nothing either.
  bool bound();

  const ComplexDisc* output(int group, int i) const { return series_.output(group, i); }
  double rest(int group, int i) const { return rest_[series_.output_slot(group, i)]; }

 private:
  using Step = graph::TaylorSeries<ComplexDisc>::Step;
  using Kind = graph::TaylorSeries<ComplexDisc>::Kind;
  /// Independent of the remainders.
  struct Fixed {
    double tail = 0;              ///< of the products of polynomials, beyond degree K
    double inverse = 0, gap = 0;  ///< |w| and 1 − |1 − w z| for w about 1/z
  };
  const ComplexDisc* coefficients(int slot) const { return series_.at(slot); }
  Fixed fixed(const Step& step) const;
  void approximate_reciprocal(int slot, Fixed& to) const;
  double bound(const Step& step, const Fixed& known) const;
  double function_rest(const Step& step, const Fixed& known) const;
  /// Σ |x_i| |y_j| over i + j > K.
  double cross(const double* x, const double* y) const;
  const double* sizes(int slot) const { return &sizes_[static_cast<std::size_t>(slot) * stride_]; }

  int groups_, stride_;
  graph::TaylorSeries<ComplexDisc> series_;
  std::vector<double> sizes_;       ///< |z_k|
  std::vector<double> sum_, rest_;  ///< by slot: Σ_k |z_k|
  std::vector<std::vector<Fixed>> fixed_;
};

}  // namespace daemark
