#include "experiments/atlas/linear_pictures.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>
#include <functional>

#include "analysis/linear/analyse.hpp"
#include "analysis/linear/stability_function.hpp"
#include "analysis/report/figure_svg.hpp"
#include "analysis/roots/eigenvalues.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/report/explore.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

using Complex = std::complex<double>;

/// A square part of the plane, seen by cells; the picture is symmetric about the real axis.
struct Window {
  double re_min, re_max, im_max;
  int columns = 120;
  double cell() const { return (re_max - re_min) / columns; }
  int half_rows() const { return static_cast<int>(std::lround(im_max / cell())); }
};

constexpr double picture = 240;

/// Runs of cells where `inside` holds as strokes of width 1, in the upper half plane, a cell one
/// unit.
std::string filled(const Window& window, const std::function<bool(Complex)>& inside) {
  std::string d;
  for (int row = 0; row < window.half_rows(); ++row) {
    int begin = -1;
    for (int column = 0; column <= window.columns; ++column) {
      const Complex z(window.re_min + (column + 0.5) * window.cell(), (row + 0.5) * window.cell());
      const bool in = column < window.columns && inside(z);
      if (in && begin < 0) begin = column;
      if (in || begin < 0) continue;
      d += fmt::format("M{} {}.5h{}", begin, row, column - begin);
      begin = -1;
    }
  }
  return d;
}

std::string plane(const Window& window, const std::string& d, const std::string& caption,
                  int family) {
  const double scale = picture / (window.re_max - window.re_min);
  const double height = 2 * window.im_max * scale, zero = -window.re_min * scale;
  std::string ticks;
  const double step = window.im_max > 8 ? 5 : window.im_max > 3 ? 2 : 1;
  for (double x = std::ceil(window.re_min / step) * step; x <= window.re_max; x += step)
    if (x != 0)
      ticks += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{:g}</text>",
                           (x - window.re_min) * scale, height / 2 + 12, x);
  for (double y = step; y < window.im_max; y += step)
    ticks += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">{:g}i</text>", zero + 3,
                         height / 2 - y * scale + 4, y);
  return fmt::format(
      "<figure class=\"small f{0}\"><svg viewBox=\"0 0 {1:.0f} {2:.0f}\" role=\"img\" "
      "aria-label=\"{3}\"><g class=\"fill\" transform=\"translate(0 {4:.0f}) scale({5:.4g})\">"
      "<path id=\"half-{0}\" d=\"{6}\"/><use href=\"#half-{0}\" transform=\"scale(1 -1)\"/></g>"
      "<path class=\"cross\" d=\"M{7:.1f} 0V{2:.0f}M0 {4:.0f}H{1:.0f}\"/>{8}</svg><figcaption>{3}"
      "</figcaption></figure>\n",
      family, picture, height, escape_xml(caption), height / 2, picture / window.columns, d, zero,
      ticks);
}

std::vector<double> in_double(const std::vector<wide>& values) {
  std::vector<double> out;
  for (const wide& value : values) out.push_back(to_double(value));
  return out;
}
Complex at(const std::vector<double>& polynomial, Complex z) {
  Complex sum = 0;
  for (std::size_t k = polynomial.size(); k-- > 0;) sum = sum * z + polynomial[k];
  return sum;
}

/// How far the picture reaches: explicit methods are stable near the origin, others far to the
/// left.
Window window_of(const Method& method) {
  const double stages = method.tableau() ? method.tableau()->stages() : 4;
  if (method.is_explicit()) {
    const double size = std::min(4 + stages, 20.0);
    return {-size, size / 4, 0.625 * size};
  }
  const double size = std::min(5 + 2 * stages, 25.0);
  return {-size / 2, size / 2, size / 2};
}

std::string by_function(const Method& method) {
  const WideFunction wide_function = stability_function(*method.tableau());
  const std::vector<double> num = in_double(wide_function.num), den = in_double(wide_function.den);
  const auto R = [&](Complex z) { return std::abs(at(num, z) / at(den, z)); };
  Window window = window_of(method);
  std::string text = plane(window, filled(window, [&](Complex z) { return R(z) <= 1; }),
                           "Stability region: |R(z)| ≤ 1 (filled)", 0);
  const double size = std::max(4.0, window.im_max);
  window = {-size, size, size};
  return text + plane(window, filled(window, [&](Complex z) { return R(z) > std::exp(z.real()); }),
                      "Order star: |R(z)| > |e^z| (filled)", 1);
}

/// With the stepper: root moduli of one step.
std::string by_steps(const std::string& call, const Method& method) {
  Window window = window_of(method);
  window.columns = 40;
  StabilityRegion region;
  region.re_min = window.re_min + window.cell() / 2;
  region.re_max = window.re_max - window.cell() / 2;
  region.im_min = window.cell() / 2;
  region.im_max = window.im_max - window.cell() / 2;
  region.columns = window.columns, region.rows = window.half_rows();
  fill_region(call, region);
  const auto stable = [&](Complex z) {
    const int column = static_cast<int>((z.real() - window.re_min) / window.cell());
    const int row = static_cast<int>(z.imag() / window.cell());
    return region.modulus[static_cast<std::size_t>(row * region.columns + column)] <= 1 + 1e-9;
  };
  return plane(window, filled(window, stable),
               "Stability region: all roots of a step in the unit disc (filled), z = λh of a pair "
               "of complex eigenvalues",
               0);
}

/// Decay, elongation and spectral radius over Δt/(nT).
std::string over_the_step(const std::string& call) {
  AnalyseRequest request;
  request.method = call;
  for (int i = 1; i <= 25; ++i) request.x.emplace_back(rational(i, 50));
  const AnalyseResult found = analyse(request);
  ExplorePlot plot;
  plot.title = fmt::format("Undamped oscillator of period T, n = {}", found.n);
  plot.x_label = "Δt/(nT)";
  plot.log_x = plot.log_y = false;
  constexpr double round_off = 1e-12;
  const auto add = [&](const char* id, const char* label, std::vector<double> y, int family) {
    for (double& value : y)
      if (std::abs(value) < round_off) value = 0;
    plot.parts.push_back({id, label, {{found.method, "", family, true, false, found.x, y}}});
  };
  std::string text;
  const std::array series = {&found.amplitude_decay_percent, &found.period_elongation_percent,
                             &found.spectral_radius};
  constexpr std::array labels = {"amplitude decay, %", "period elongation, %", "spectral radius"};
  for (std::size_t k = 0; k < series.size(); ++k) {
    plot.parts.clear();
    plot.title =
        fmt::format("{} of an undamped oscillator of period T, n = {}", labels[k], found.n);
    add(labels[k], labels[k], *series[k], static_cast<int>(k) + 2);
    text += explore_figure(plot);
  }
  return text;
}

}  // namespace

std::string linear_pictures(const std::string& call) {
  const auto method = method_registry().make(call);
  if (method->owns_loop() || !method->refusal(SystemTraits(0)).empty()) return "";
  std::string text;
  try {
    text = method->tableau() ? by_function(*method) : by_steps(call, *method);
    return "<div class=\"plots linear\">\n" + text + over_the_step(call) + "</div>\n";
  } catch (const BadInput&) {  // no stepper in this precision
  } catch (const NumericalFailure&) {
  }
  return text.empty() ? "" : "<div class=\"plots linear\">\n" + text + "</div>\n";
}

}  // namespace daemark
