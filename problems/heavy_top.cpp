// The heavy top of the Lie group integrator literature (Brüls & Cardona 2010, J. Comput. Nonlinear
// Dynam. 5, 031002, section 5): a rigid body turning about a fixed point under gravity, with the
// position x of its mass centre and its orientation R as unknowns, Φ = −x + R X = 0.
//
// Coordinates, with the group whose elements they are (rotating_body.hpp says how R is held):
//   chart            SO(3) × R³: x and increments g of R = R(g) R_ref
//   quaternion       S³ × R³: x and a quaternion with p·p = 1 as a fourth row; flat
//   screw            SE(3): increments (w, g) of both, x = x_ref + V(g) w, V = c (I + ½ g× + ¼ g
//   gᵀ),
//                    the Cayley map of a screw; chart: R_ref and x_ref
//   dual_quaternion  the unit dual quaternions: p and d = ½ x p, so that x = 2 d p*, with p·p = 1
//   and
//                    p·d = 0 as rows; flat
//   so3, s3          the rotation alone, J about the fixed point (pivoted_body.hpp): no multipliers
// S³ ⋉ R³ holds the elements (p, x) of S³ × R³; the two differ in what is called a velocity, and
// the velocities of a mechanism here are the rates of its coordinates.
//
// All are shown, and compared, as x, the rotation vector ψ of R (log R), ẋ and Ω = Rᵀω (so3 and s3
// without x). error_q is the 2-norm of position error [m] and rotation error log(RᵀR_ref) [rad].
#include "problems/pivoted_body.hpp"

namespace daemark {
namespace {

using namespace rotation;

struct TopData {
  wide mass, gravity;
  Vec3<wide> inertia, centre, spin;  ///< about the mass centre; body frame; Ω(0)

  Vec3<wide> velocity() const { return cross(spin, centre); }
  PivotedBody about_pivot() const {
    PivotedBody body{inertia, {}, spin, centre};
    for (int i = 0; i < 3; ++i) {
      body.weight[i] = mass * gravity * centre[i];
      // Steiner: X has one component, so that J stays diagonal.
      body.inertia[i] += mass * (dot(centre, centre) - centre[i] * centre[i]);
    }
    return body;
  }
};

/// The mass centre at a function x of the n coordinates, `place`, and the rotation in those from
/// `turn`: inertia by ∂x/∂q, and what the change of that adds.
template <class Rotation>
class Top {
 public:
  static constexpr int n_ref = 6;

  Top(const TopData& top, int n, int turn)
      : top_(top), rotation_{top.inertia}, n_(n), turn_(turn) {}
  virtual ~Top() = default;
  virtual Vec3<Var> place(const Var* q) const = 0;

  static std::vector<std::string> reference_names() {
    return {"x", "y", "z", "psi_x", "psi_y", "psi_z"};
  }
  static std::vector<std::string> reference_velocity_names() {
    return {"v_x", "v_y", "v_z", "Omega_1", "Omega_2", "Omega_3"};
  }
  static Drawing drawing() {
    return top_drawing([](const double* q) { return std::array{vector(q), vector(q + 3)}; });
  }
  void mass(const Var* q, Var* M) const {
    rotation_.mass(q + turn_, M + (n_ + 1) * turn_, n_);
    const std::vector<Vec3<Var>> X = slopes(q);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) M[n_ * i + j] += top_.mass * dot(X[i], X[j]);
  }
  void force(const Var&, const Var* q, const Var* v, Var* f) const {
    rotation_.gyroscopic(q + turn_, v + turn_, f + turn_);
    const std::vector<Var> second = rates(rates(places(q), q, v), q, v);
    const Vec3<Var> push{-(top_.mass * second[0]), -(top_.mass * second[1]),
                         -(top_.mass * second[2]) - top_.mass * top_.gravity};
    const std::vector<Vec3<Var>> X = slopes(q);
    for (int j = 0; j < n_; ++j) f[j] += dot(X[j], push);
  }
  /// The rows of place; those of quaternions follow.
  void constraint(const Var&, const Var* q, Var* phi) const {
    const Vec3<Var> arm = rotation_.turned(q + turn_, top_.centre), x = place(q);
    for (int i = 0; i < 3; ++i) phi[i] = arm[i] - x[i];
    if constexpr (Rotation::width == 4) phi[3] = Rotation::norm_row(q + turn_);
  }
  Var potential(const Var&, const Var* q) const { return top_.mass * top_.gravity * place(q)[2]; }
  void to_reference(const Var* q, const Var* v, Var* q_ref, Var* v_ref) const
      requires(Rotation::width == 4) {
    const std::vector<Var> x = places(q), rate = rates(x, q, v);
    std::copy(x.begin(), x.end(), q_ref), std::copy(rate.begin(), rate.end(), v_ref);
    Rotation::show(q + turn_, v + turn_, q_ref + 3, v_ref + 3);
  }

 protected:
  static std::vector<Quantity> place_rows() {
    return {{"lambda_x", "m"}, {"lambda_y", "m"}, {"lambda_z", "m"}};
  }

  TopData top_;
  Rotation rotation_;

 private:
  std::vector<Var> places(const Var* q) const {
    const Vec3<Var> x = place(q);
    return {x.begin(), x.end()};
  }
  std::vector<Var> rates(const std::vector<Var>& of, const Var* q, const Var* v) const {
    return graph::directional(of, {q, q + n_}, {v, v + n_});
  }
  /// ∂x/∂q, by columns.
  std::vector<Vec3<Var>> slopes(const Var* q) const {
    std::vector<Vec3<Var>> X(n_);
    for (const graph::Entry& e : graph::jacobian(places(q), {q, q + n_}))
      X[e.column][e.row] = e.value;
    return X;
  }

  int n_, turn_;
};

class TopAtPlace final : public Top<RotationOnChart> {
 public:
  static constexpr int n = 6, m = 3;
  explicit TopAtPlace(const TopData& top) : Top(top, n, 3) {}

  static std::vector<Quantity> coordinates() {
    return {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"gx", "rad"}, {"gy", "rad"}, {"gz", "rad"}};
  }
  static std::vector<Quantity> rows() { return place_rows(); }
  Vec3<Var> place(const Var* q) const override { return vector(q); }
  void initial(Var* q, Var* v) const {
    const Vec3<wide> velocity = top_.velocity();
    std::copy_n(top_.centre.begin(), 3, q), std::copy_n(velocity.begin(), 3, v);
    RotationOnChart::initial(top_.spin, q + 3, v + 3);
  }
  std::vector<Chart> charts() const { return {Chart::rotation(3, {1, 0, 0, 0})}; }
  void set_chart(const Var* numbers) { rotation_.set(numbers); }
};

class TopOnScrews final : public Top<RotationOnChart> {
 public:
  static constexpr int n = 6, m = 3;
  explicit TopOnScrews(const TopData& top) : Top(top, n, 3), place_(constant<Var>(top.centre)) {}

  static std::vector<Quantity> coordinates() {
    return {{"wx", "m"}, {"wy", "m"}, {"wz", "m"}, {"gx", "rad"}, {"gy", "rad"}, {"gz", "rad"}};
  }
  static std::vector<Quantity> rows() { return place_rows(); }
  Vec3<Var> place(const Var* q) const override {
    const Vec3<Var> w = vector(q), g = vector(q + 3), n = cross(g, w);
    const Var c = cayley_scale(g), along = dot(g, w) / 4;
    Vec3<Var> x;
    for (int i = 0; i < 3; ++i) x[i] = place_[i] + c * (w[i] + n[i] / 2 + along * g[i]);
    return x;
  }
  /// At the origin of the chart ẋ = ẇ.
  void initial(Var* q, Var* v) const {
    const Vec3<wide> velocity = top_.velocity();
    std::copy_n(velocity.begin(), 3, v);
    RotationOnChart::initial(top_.spin, q + 3, v + 3);
  }
  std::vector<Chart> charts() const {
    Chart screw{Chart::Kind::screw, 0, {1, 0, 0, 0}};
    screw.numbers.insert(screw.numbers.end(), top_.centre.begin(), top_.centre.end());
    return {screw};
  }
  void set_chart(const Var* numbers) {
    rotation_.set(numbers), std::copy_n(numbers + 4, 3, place_.begin());
  }

 private:
  Vec3<Var> place_;  ///< x_ref
};

class TopInQuaternions final : public Top<RotationInQuaternion> {
 public:
  static constexpr int n = 7, m = 4;
  explicit TopInQuaternions(const TopData& top) : Top(top, n, 3) {}

  static std::vector<Quantity> coordinates() {
    return {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"p0", "1"}, {"p1", "1"}, {"p2", "1"}, {"p3", "1"}};
  }
  static std::vector<Quantity> rows() {
    std::vector<Quantity> rows = place_rows();
    rows.push_back({"lambda_norm", "1"});
    return rows;
  }
  Vec3<Var> place(const Var* q) const override { return vector(q); }
  void initial(Var* q, Var* v) const {
    const Vec3<wide> velocity = top_.velocity();
    std::copy_n(top_.centre.begin(), 3, q), std::copy_n(velocity.begin(), 3, v);
    RotationInQuaternion::initial(top_.spin, q + 3, v + 3);
  }
};

class TopInDualQuaternions final : public Top<RotationInQuaternion> {
 public:
  static constexpr int n = 8, m = 5;
  explicit TopInDualQuaternions(const TopData& top) : Top(top, n, 0) {}

  static std::vector<Quantity> coordinates() {
    return {{"p0", "1"}, {"p1", "1"}, {"p2", "1"}, {"p3", "1"},
            {"d0", "m"}, {"d1", "m"}, {"d2", "m"}, {"d3", "m"}};
  }
  static std::vector<Quantity> rows() {
    std::vector<Quantity> rows = TopInQuaternions::rows();
    rows.push_back({"lambda_dual", "m"});
    return rows;
  }
  /// 2 d p*, its vector part.
  Vec3<Var> place(const Var* q) const override {
    const Quaternion<Var> x = product(quaternion(q + 4), conjugate(quaternion(q)));
    return {x[1] + x[1], x[2] + x[2], x[3] + x[3]};
  }
  void constraint(const Var& t, const Var* q, Var* phi) const {
    Top::constraint(t, q, phi);
    phi[4] = q[0] * q[4] + q[1] * q[5] + q[2] * q[6] + q[3] * q[7];
  }
  /// d = ½ x p and its rate.
  void initial(Var* q, Var* v) const {
    RotationInQuaternion::initial(top_.spin, q, v);
    const auto times = [](const Vec3<wide>& x, const Var* p) {
      return product(Quaternion<Var>{0, x[0], x[1], x[2]}, quaternion(p));
    };
    const Quaternion<Var> at = times(top_.centre, q), turning = times(top_.centre, v),
                          moving = times(top_.velocity(), q);
    for (int i = 0; i < 4; ++i) q[4 + i] = at[i] / 2, v[4 + i] = (turning[i] + moving[i]) / 2;
  }
};

}  // namespace

void register_heavy_top(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "heavy_top";
  info.summary = "heavy top about a fixed point, rotation in re-based increments";
  info.source = "[bruels2010], section 5";
  info.equations =
      "m x'' + ... = -m g e_z, J Omega' + Omega x J Omega + ... = 0, -x + R X = 0; chart: R = R(g) "
      "R_ref, Cayley-Gibbs-Rodrigues; so3, s3: J about the fixed point, no x; shown as x, rotation "
      "vector of R, x', Omega (body frame)";
  const char* accepted = "chart | quaternion | screw | dual_quaternion | so3 | s3";
  info.parameters = {{"coordinates", Parameter::Type::word, "chart", accepted}};
  registry.add(info, [](const Arguments& arguments, ProblemData& data) {
    const char* source = "Brüls & Cardona 2010";
    const TopData top{data("m", 15, "kg", source), data("g, along -z", "9.81", "m/s^2", source),
                      data("J, diagonal about the mass centre", {"0.234375", "0.46875", "0.234375"},
                           "kg m^2", source),
                      data("X, mass centre in the body frame", {0, 1, 0}, "m", source),
                      data("Omega(0), from R(0) = I", {0, 150, "-4.61538"}, "rad/s", source)};
    const std::string set = arguments.word(
        "coordinates", {"chart", "quaternion", "screw", "dual_quaternion", "so3", "s3"});
    Problem problem;
    if (set == "chart" || set == "screw" || set == "so3")
      problem.bodies =
          one_body(top.mass, top.inertia, top.centre, top.spin, top.gravity, true, set == "so3");
    if (set == "so3" || set == "s3") {
      const MechanismMakers flat = model_makers(PivotedInQuaternion(top.about_pivot()));
      problem.absolute = set == "s3" ? flat : model_makers(PivotedOnChart(top.about_pivot()));
      if (set == "so3") problem.series = flat;
      return problem;
    }
    const MechanismMakers flat = model_makers(TopInQuaternions(top));
    if (set == "dual_quaternion") problem.absolute = model_makers(TopInDualQuaternions(top));
    if (set == "quaternion") problem.absolute = flat;
    if (set == "chart") problem.absolute = model_makers(TopAtPlace(top));
    if (set == "screw") problem.absolute = model_makers(TopOnScrews(top));
    if (set == "chart" || set == "screw") problem.series = flat;
    return problem;
  });
}

}  // namespace daemark
