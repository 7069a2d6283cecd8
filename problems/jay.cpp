// A system of index 3 with a known solution that is no mechanism (Jay, Convergence of Runge–Kutta
// methods for differential-algebraic systems of index 3, Appl. Numer. Math. 17 (1995) 97–118,
// examples 7.1 and 7.2):
//   y1' = 2 y1 y2 z1 z2,  y2' = −y1 y2 z2²,  z1' = (y1 y2 + z1 z2) λ,
//   z2' = −y1 y2² z2² λ  (linear)  or  −y1 y2² z2³ λ²  (squared),  0 = y1 y2² − 1,
// with y1 = z1 = e^{2t}, y2 = z2 = e^{−t}, λ = e^t. The multiplier enters where no gradient of the
// constraint stands, and not linearly in the second.
//
// Here as q'' = F(q, q', λ) with q = y: velocities w = y' are another set of variables for z,
// z2 = √(−w2/(y1 y2)), z1 = w1/(2 y1 y2 z2), so that errors of v are those of y', not of z. Of unit
// mass, f = F + Gᵀλ, which takes back the reactions that a mechanism has.
#include "problems/mechanism/recorded_model.hpp"

namespace daemark {
namespace {

template <class S>
struct JayModel {
  static constexpr int n = 2, m = 1;
  bool squared;
  S start;  ///< y2(0); another one is another time of the same motion

  static std::vector<Quantity> coordinates() { return {{"y1", "none"}, {"y2", "none"}}; }
  static std::vector<Quantity> rows() { return {{"lambda", "none"}}; }

  template <class T>
  void mass(const T*, T* M) const {
    M[0] = M[3] = T(S(1)), M[1] = M[2] = T(S(0));
  }
  template <class T>
  void force(const T&, const T* y, const T* w, const T* lambda, T* f) const {
    using std::sqrt;
    const T two(S(2)), both = y[0] * y[1], rate = w[0] * y[1] + y[0] * w[1];
    const T z2 = sqrt(T(-w[1] / both)), z1 = w[0] / (two * both * z2);
    const T z1_rate = (both + z1 * z2) * lambda[0];
    T z2_rate = -(both * y[1] * z2 * z2 * lambda[0]);
    if (squared) z2_rate *= z2 * lambda[0];
    f[0] = two * (rate * z1 * z2 + both * (z1_rate * z2 + z1 * z2_rate)) + y[1] * y[1] * lambda[0];
    f[1] = -(rate * z2 * z2 + two * both * z2 * z2_rate) + two * both * lambda[0];
  }
  void multipliers(S* lambda) const { lambda[0] = S(1) / start; }
  template <class T>
  void constraint(const T&, const T* y, T* phi) const {
    phi[0] = y[0] * y[1] * y[1] - T(S(1));
  }
  template <class T>
  T potential(const T&, const T*) const {
    return T(S(0));
  }
  S damping_power(const S* y, const S* w, const S* lambda) const {
    S f[n];
    force(S(0), y, w, lambda, f);
    return f[0] * w[0] + f[1] * w[1];
  }
  template <class T>
  void initial(T* y, T* w) const {
    y[0] = T(S(S(1) / (start * start))), y[1] = T(start);
    w[0] = T(S(2)) * y[0], w[1] = -y[1];
  }
};

}  // namespace

void register_jay(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "jay";
  info.summary = "manufactured system of index 3 that is no mechanism";
  info.source = "[jay1995], examples 7.1 and 7.2";
  info.equations =
      "y1' = 2 y1 y2 z1 z2, y2' = -y1 y2 z2^2, z1' = (y1 y2 + z1 z2) lambda, z2' = -y1 y2^2 z2^2 "
      "lambda (linear) or -y1 y2^2 z2^3 lambda^2 (squared), y1 y2^2 = 1; in y'' = F(y, y', "
      "lambda): "
      "velocities are y'; y1 = exp(2 t), y2 = exp(-t), lambda = exp(t)";
  info.parameters = {{"multiplier", Parameter::Type::word, "linear", "linear | squared"}};
  registry.add(info, [](const Arguments& arguments, ProblemData& data) {
    const bool squared = arguments.word("multiplier", {"linear", "squared"}) == "squared";
    const wide start = data("y2(0)", 1, "1", "examples 7.1 and 7.2");
    Problem problem;
    problem.absolute = model_makers<JayModel>([=]<class S>() {
      return JayModel<S>{squared, from_wide<S>(start)};
    });
    problem.closed_form = [s = from_wide<real50>(start)](const real50& t, real50* q, real50* v,
                                                         real50* lambda) {
      q[1] = s * exp(-t), q[0] = 1 / (q[1] * q[1]), lambda[0] = 1 / q[1];
      v[0] = 2 * q[0], v[1] = -q[1];
    };
    return problem;
  });
}

}  // namespace daemark
