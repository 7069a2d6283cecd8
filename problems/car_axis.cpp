// Car axis on a bumpy road (Schneider; IVP Test Set [mazzia2008]), without units: a rod of length L
// between two point masses, each on a spring of free length L0. The left spring stands at the
// origin, the right one on the end (x_b, y_b) of a second rod of length L that turns about the
// origin, y_b = r sin ωt; the axis stays at a right angle to the line from the origin to there.
// q = (x_l, y_l, x_r, y_r), the masses are k = M ε²/2:
//   φ_1 = x_l x_b + y_l y_b,  φ_2 = (x_l − x_r)² + (y_l − y_r)² − L².
// The Test Set writes + λ, so that its multipliers are minus these.
#include "problems/mechanism/recorded_model.hpp"

namespace daemark {
namespace {

template <class S>
struct CarAxis {
  S length, free_length, bump, omega, point_mass, gravity;

  template <class R>
  CarAxis<R> in() const {
    return {from_wide<R>(length), from_wide<R>(free_length), from_wide<R>(bump),
            from_wide<R>(omega),  from_wide<R>(point_mass),  from_wide<R>(gravity)};
  }
};

template <class S>
struct CarAxisModel {
  static constexpr int n = 4, m = 2;
  static constexpr bool driven = true;
  CarAxis<S> d;

  static std::vector<Quantity> coordinates() {
    return {{"x_l", "none"}, {"y_l", "none"}, {"x_r", "none"}, {"y_r", "none"}};
  }
  static std::vector<Quantity> rows() {
    return {{"lambda_angle", "none"}, {"lambda_length", "none"}};
  }
  Drawing drawing() const {
    using Kind = DrawnShape::Kind;
    Drawing drawing;
    drawing.shapes = [model = CarAxisModel<double>{narrow()}](double t, const double* q) {
      const auto [x, y] = model.right_end(t);
      const SpacePoint origin{0, 0, 0}, end{x, y, 0}, left{q[0], q[1], 0}, right{q[2], q[3], 0};
      return std::vector<DrawnShape>{{Kind::ground, {origin}},       {Kind::joint, {end}},
                                     {Kind::spring, {origin, left}}, {Kind::spring, {end, right}},
                                     {Kind::body, {left, right}},    {Kind::mass, {left, right}},
                                     {Kind::traced, {right}}};
    };
    return drawing;
  }

  template <class T>
  std::array<T, 2> right_end(const T& t) const {
    using std::sin;
    using std::sqrt;
    const T y = T(d.bump) * sin(T(T(d.omega) * t));
    return {sqrt(T(T(S(d.length * d.length)) - y * y)), y};
  }
  template <class T>
  void mass(const T*, T* M) const {
    std::fill_n(M, n * n, T(S(0)));
    for (int i = 0; i < n; ++i) M[(n + 1) * i] = T(d.point_mass);
  }
  template <class T>
  void force(const T& t, const T* q, const T*, T* f) const {
    using std::sqrt;
    const auto [x, y] = right_end(t);
    const std::array<T, 4> spring{q[0], q[1], q[2] - x, q[3] - y};
    for (int side = 0; side < 2; ++side) {
      const T* s = spring.data() + 2 * side;
      const T pull = T(d.free_length) / sqrt(T(s[0] * s[0] + s[1] * s[1])) - T(S(1));
      f[2 * side] = pull * s[0];
      f[2 * side + 1] = pull * s[1] - T(S(d.point_mass * d.gravity));
    }
  }
  template <class T>
  void constraint(const T& t, const T* q, T* phi) const {
    const auto [x, y] = right_end(t);
    const T dx = q[0] - q[2], dy = q[1] - q[3];
    phi[0] = q[0] * x + q[1] * y;
    phi[1] = dx * dx + dy * dy - T(S(d.length * d.length));
  }
  template <class T>
  T kinetic(const T*, const T* v) const {
    return T(d.point_mass) * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) / T(S(2));
  }
  template <class T>
  T potential(const T& t, const T* q) const {
    using std::sqrt;
    const auto [x, y] = right_end(t);
    const T dx = q[2] - x, dy = q[3] - y;
    const T left = sqrt(T(q[0] * q[0] + q[1] * q[1])) - T(d.free_length),
            right = sqrt(T(dx * dx + dy * dy)) - T(d.free_length);
    return (left * left + right * right) / T(S(2)) + T(S(d.point_mass * d.gravity)) * (q[1] + q[3]);
  }
  template <class T>
  void initial(T* q, T* v) const {
    q[0] = T(S(0)), q[1] = q[3] = T(d.free_length), q[2] = T(d.length);
    v[0] = v[2] = T(S(-d.free_length * d.bump * d.omega / d.length)), v[1] = v[3] = T(S(0));
  }

 private:
  CarAxis<double> narrow() const {
    return {to_double(d.length), to_double(d.free_length), to_double(d.bump),
            to_double(d.omega),  to_double(d.point_mass),  to_double(d.gravity)};
  }
};

}  // namespace

void register_car_axis(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "car_axis";
  info.summary = "car axis on a bumpy road: two masses on springs, a rod, a road that moves";
  info.source = "[mazzia2008], car axis";
  info.equations =
      "k x_l'' = (L0/L_l - 1) x_l - ..., k = M eps^2/2, L_l, L_r: lengths of the springs from (0, "
      "0) "
      "and (x_b, y_b), y_b = r sin(omega t), x_b = sqrt(L^2 - y_b^2); x_l x_b + y_l y_b = 0; "
      "(x_l - x_r)^2 + (y_l - y_r)^2 - L^2 = 0; the "
      "Test Set writes + G^T lambda: its multipliers are minus these";
  registry.add(info, [](const Arguments&, ProblemData& data) {
    const char* source = "IVP Test Set";
    const wide M = data("M", 10, "1", source), eps = data("eps", "1/100", "1", source);
    const CarAxis<wide> d{data("L", 1, "1", source),      data("L0", "1/2", "1", source),
                          data("r", "1/10", "1", source), data("omega", 10, "1", source),
                          wide(M * eps * eps / 2),        data("g", 1, "1", source)};
    Problem problem;
    problem.absolute =
        model_makers<CarAxisModel>([=]<class S>() { return CarAxisModel<S>{d.in<S>()}; });
    return problem;
  });
}

}  // namespace daemark
