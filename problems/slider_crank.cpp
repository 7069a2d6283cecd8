// Slider-crank whose rod is as long as its crank: two uniform bars of length L, the slider without
// mass on the x axis, gravity down. Natural coordinates (x, y) of the pin and x_s of the slider,
// one length a bar:
//   φ_1 = (x² + y² − L²)/2,  φ_2 = ((x_s − x)² + y² − L²)/2.
// Where the bars stand upright, x = x_s = 0, both rows have the gradient (0, y, 0): the constraints
// lose rank, and two motions meet, the one below and bars that turn together about the origin.
//
// Minimal, the motion with x_s = 2 L cos θ: with the crank's angle θ
//   T = (m L²/2)(2/3 + 2 sin²θ) θ'²,  V = m g L sin θ,
// which passes θ = π/2 unharmed.
#include "problems/mechanism/recorded_model.hpp"

namespace daemark {
namespace {

template <class S>
struct EqualBars {
  S length, mass, gravity, angle, slider_velocity;

  template <class R>
  EqualBars<R> in() const {
    return {from_wide<R>(length), from_wide<R>(mass), from_wide<R>(gravity), from_wide<R>(angle),
            from_wide<R>(slider_velocity)};
  }
  S spin() const {
    using std::sin;
    return -slider_velocity / (S(2) * length * sin(angle));
  }
};

/// What both forms look like, from the pin's and the slider's place.
Drawing drawn() {
  using Kind = DrawnShape::Kind;
  Drawing drawing;
  drawing.shapes = [](double, const double* q) {
    const SpacePoint origin{0, 0, 0}, pin{q[0], q[1], 0}, slider{q[2], 0, 0};
    return std::vector<DrawnShape>{
        {Kind::ground, {origin}},     {Kind::ground, {{-2.2, 0, 0}, {2.2, 0, 0}}},
        {Kind::body, {origin, pin}},  {Kind::body, {pin, slider}},
        {Kind::joint, {origin, pin}}, {Kind::mass, {slider}},
        {Kind::traced, {pin}}};
  };
  return drawing;
}

template <class S>
struct NaturalSliderCrank {
  static constexpr int n = 3, m = 2;
  EqualBars<S> d;

  static std::vector<Quantity> coordinates() { return {{"x", "m"}, {"y", "m"}, {"x_s", "m"}}; }
  static std::vector<Quantity> rows() { return {{"lambda_crank", "m^2"}, {"lambda_rod", "m^2"}}; }
  static Drawing drawing() { return drawn(); }
  /// Of bars between points consistently: m/3 at each, m/6 between them.
  template <class T>
  void mass(const T*, T* M) const {
    std::fill_n(M, n * n, T(S(0)));
    M[0] = M[4] = T(S(2 * d.mass / 3)), M[8] = T(S(d.mass / 3)), M[2] = M[6] = T(S(d.mass / 6));
  }
  template <class T>
  void force(const T&, const T*, const T*, T* f) const {
    f[0] = f[2] = T(S(0)), f[1] = T(S(-d.mass * d.gravity));
  }
  template <class T>
  void constraint(const T&, const T* q, T* phi) const {
    const T squares = q[1] * q[1] - T(S(d.length * d.length)), along = q[2] - q[0];
    phi[0] = (q[0] * q[0] + squares) / T(S(2));
    phi[1] = (along * along + squares) / T(S(2));
  }
  template <class T>
  T kinetic(const T*, const T* v) const {
    return T(S(d.mass / 6)) * (T(S(2)) * (v[0] * v[0] + v[1] * v[1]) + v[2] * v[2] + v[0] * v[2]);
  }
  template <class T>
  T potential(const T&, const T* q) const {
    return T(S(d.mass * d.gravity)) * q[1];
  }
  template <class T>
  void initial(T* q, T* v) const {
    using std::cos;
    using std::sin;
    const S x = d.length * cos(d.angle), y = d.length * sin(d.angle), w = d.spin();
    q[0] = T(x), q[1] = T(y), q[2] = T(S(2 * x));
    v[0] = T(S(-y * w)), v[1] = T(S(x * w)), v[2] = T(S(-2 * y * w));
  }
};

template <class S>
struct CrankAngle {
  static constexpr int n = 1, m = 0, n_ref = 3;
  EqualBars<S> d;

  static std::vector<Quantity> coordinates() { return {{"theta", "rad"}}; }
  static std::vector<Quantity> rows() { return {}; }
  static Drawing drawing() { return drawn(); }
  template <class T>
  void mass(const T* q, T* M) const {
    using std::sin;
    const T s = sin(q[0]);
    M[0] = T(S(2 * d.mass * d.length * d.length)) * (T(S(1)) / T(S(3)) + s * s);
  }
  template <class T>
  void force(const T&, const T* q, const T* v, T* f) const {
    using std::cos;
    using std::sin;
    f[0] = -T(S(d.mass * d.length)) * cos(q[0]) *
           (T(d.gravity) + T(S(2 * d.length)) * sin(q[0]) * v[0] * v[0]);
  }
  template <class T>
  void constraint(const T&, const T*, T*) const {}
  template <class T>
  T kinetic(const T* q, const T* v) const {
    T M;
    mass(q, &M);
    return M * v[0] * v[0] / T(S(2));
  }
  template <class T>
  T potential(const T&, const T* q) const {
    using std::sin;
    return T(S(d.mass * d.gravity * d.length)) * sin(q[0]);
  }
  template <class T>
  void initial(T* q, T* v) const {
    q[0] = T(d.angle), v[0] = T(d.spin());
  }
  void to_reference(const S* q, const S* v, S* q_ref, S* v_ref) const {
    using std::cos;
    using std::sin;
    const S x = d.length * cos(q[0]), y = d.length * sin(q[0]);
    q_ref[0] = x, q_ref[1] = y, q_ref[2] = 2 * x;
    v_ref[0] = -y * v[0], v_ref[1] = x * v[0], v_ref[2] = -2 * y * v[0];
  }
};

}  // namespace

void register_slider_crank(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "slider_crank";
  info.summary = "slider-crank with crank = rod, singular where the bars stand upright";
  info.source = "a classic of singular mechanisms; its numbers are chosen here";
  info.equations =
      "uniform bars from (0, 0) to (x, y) to (x_s, 0): x^2 + y^2 = L^2, (x_s - x)^2 + y^2 = L^2; "
      "minimal: theta, the crank's angle, 2 m L^2 (1/3 + sin^2 theta) theta'' = ...";
  registry.add(info, [](const Arguments&, ProblemData& data) {
    const char* source = "chosen";
    const EqualBars<wide> d{
        data("L, of a uniform bar", 1, "m", source), data("m, of a bar", 1, "kg", source),
        data("g", "9.81", "m/s^2", source), data("theta(0), of the crank", "pi/4", "rad", source),
        data("velocity of the slider", -4, "m/s", source)};
    Problem problem;
    problem.absolute = model_makers<NaturalSliderCrank>(
        [=]<class S>() { return NaturalSliderCrank<S>{d.in<S>()}; });
    problem.minimal = problem.series =
        model_makers<CrankAngle>([=]<class S>() { return CrankAngle<S>{d.in<S>()}; });
    return problem;
  });
}

}  // namespace daemark
