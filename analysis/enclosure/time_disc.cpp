#include "analysis/enclosure/time_disc.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/enclosure/matrices.hpp"

namespace daemark {
namespace {

constexpr int series_order = 8;       // of the series whose remainder proves the disc
constexpr double start_share = 0.03;  // of what is reached on the disc: how far starts may differ
constexpr long bits = 64;
constexpr int rho_bits = 10;

ComplexBall square(const RealBall& x, double radius) {
  ComplexBall y;
  acb_set_arb(y.raw(), x.raw());
  add_error(y, radius);
  return y;
}

}  // namespace

double shortened(double x, int bits) {
  int e = 0;
  const double mantissa = std::frexp(x, &e);
  return std::ldexp(std::floor(std::ldexp(mantissa, bits)), e - bits);
}

TimeDisc::TimeDisc(MechanicalSystem<real50>& system, const std::vector<int>& rows)
    : n_(system.coordinates()),
      size_(2 * n_),
      series_(system, rows, series_order),
      start_radius_(size_, 1),
      reach_(size_, 1) {}

void TimeDisc::find(const RealBall& t, const std::vector<RealBall>& centre) {
  const EnclosureBits coarse(bits);
  if (rho_ == 0) first_guess(t, centre);
  for (const int from : {0, n_}) {
    const double largest = *std::max_element(reach_.begin() + from, reach_.begin() + from + n_);
    for (int i = from; i < from + n_; ++i)
      start_radius_[i] = start_share * std::max(reach_[i], 0.02 * largest + 1e-12);
  }
  double rho = shortened((grows_ ? 1.2 : 1) * rho_, rho_bits);
  for (int trial = 0; trial < 60; ++trial, rho = shortened(0.8 * rho, rho_bits)) {
    if (holds_on(rho, t, centre)) {
      rho_ = rho, grows_ = trial == 0;
      return;
    }
    if (trial % 3 == 2)
      for (double& r : start_radius_) r *= 0.5;
  }
  throw EnclosureFailure("no disc of time is found on which the motion is proved to exist");
}

void TimeDisc::restore(const nlohmann::json& from) {
  from.at(0).get_to(rho_), from.at(1).get_to(grows_);
  from.at(2).get_to(start_radius_), from.at(3).get_to(reach_);
}

// From the growth of coefficients; only a guess.
void TimeDisc::first_guess(const RealBall& t, const std::vector<RealBall>& centre) {
  std::vector<ComplexBall> x;
  for (const RealBall& y : centre) x.push_back(square(y, 0));
  series_.start(square(t, 0), x.data(), x.data() + n_);
  series_.extend(series_order);
  double inverse = 0;
  for (int i = 0; i < n_; ++i) {
    const double size = magnitude(series_.v(i)[0]) + magnitude(series_.v(i)[1]) + 1e-3;
    for (int k = series_order / 2; k <= series_order; ++k)
      inverse = std::max(inverse, std::pow(magnitude(series_.v(i)[k]) / size, 1.0 / k));
  }
  rho_ = inverse > 0 ? 0.5 / inverse : 1;
  for (int i = 0; i < n_; ++i) {
    reach_[n_ + i] = magnitude(series_.v(i)[1]) * rho_;
    reach_[i] = (magnitude(series_.v(i)[0]) + reach_[n_ + i]) * rho_;
  }
}

// x(τ) = Σ_{k<K} x_k τᵏ + x_K(B) τᴷ for |τ| <= rho from all |x0 − centre| <= start_radius, if that
// lies inside B: then the solution exists there and stays within `reach` of the centre.
bool TimeDisc::holds_on(double rho, const RealBall& t, const std::vector<RealBall>& centre) {
  try {
    std::vector<ComplexBall> x;
    for (int i = 0; i < size_; ++i) x.push_back(square(centre[i], start_radius_[i]));
    series_.start(square(t, 0), x.data(), x.data() + n_);
    series_.extend(series_order);
    const auto coefficient = [&](int i, int k) { return magnitude(series_.state(i)[k]); };
    const auto power = [&](int k) { return outward(std::pow(rho, k)); };
    std::vector<double> lower(start_radius_), guess(size_), image(size_);
    for (int i = 0; i < size_; ++i) {
      for (int k = 1; k < series_order; ++k) lower[i] += coefficient(i, k) * power(k);
      guess[i] = 1.2 * (lower[i] + coefficient(i, series_order) * power(series_order));
      lower[i] = outward(lower[i]);
    }
    for (int pass = 0; pass < 3; ++pass) {
      for (int i = 0; i < size_; ++i) x[i] = square(centre[i], guess[i]);
      series_.start(square(t, rho), x.data(), x.data() + n_);
      series_.extend(series_order);
      bool inside = true;
      for (int i = 0; i < size_; ++i) {
        image[i] = outward(lower[i] + coefficient(i, series_order) * power(series_order));
        if (!std::isfinite(image[i])) return false;
        inside = inside && image[i] < guess[i];
      }
      if (inside) {
        reach_ = image;
        return true;
      }
      for (int i = 0; i < size_; ++i) guess[i] = 1.15 * std::max(image[i], guess[i]);
    }
  } catch (const EnclosureFailure&) {
  }
  return false;
}

}  // namespace daemark
