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
#include "problems/heavy_top_quaternions.hpp"

namespace daemark {
namespace {

using namespace heavy_top;

template <template <class> class Model>
MechanismMakers makers_of(const TopData<wide>& top) {
  return model_makers<Model>([=]<class S>() { return Model<S>(top.in<S>()); });
}
template <template <class> class Model>
MechanismMakers pivoted_makers(const TopData<wide>& top) {
  return model_makers<Model>(
      [body = top.about_pivot()]<class S>() { return Model<S>(body.in<S>()); });
}

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
    const TopData<wide> top{data("m", 15, "kg", source),
                            data("g, along -z", "9.81", "m/s^2", source),
                            data("J, diagonal about the mass centre",
                                 {"0.234375", "0.46875", "0.234375"}, "kg m^2", source),
                            data("X, mass centre in the body frame", {0, 1, 0}, "m", source),
                            data("Omega(0), from R(0) = I", {0, 150, "-4.61538"}, "rad/s", source)};
    const std::string set = arguments.word(
        "coordinates", {"chart", "quaternion", "screw", "dual_quaternion", "so3", "s3"});
    Problem problem;
    if (set == "so3" || set == "s3") {
      const MechanismMakers flat = pivoted_makers<PivotedInQuaternion>(top);
      problem.absolute = set == "s3" ? flat : pivoted_makers<PivotedOnChart>(top);
      if (set == "so3") problem.series = flat;
      return problem;
    }
    const MechanismMakers flat = makers_of<TopInQuaternions>(top);
    if (set == "dual_quaternion") problem.absolute = in_dual_quaternions(top);
    if (set == "quaternion") problem.absolute = flat;
    if (set == "chart") problem.absolute = makers_of<TopAtPlace>(top);
    if (set == "screw") problem.absolute = on_screws(top);
    if (set == "chart" || set == "screw") problem.series = flat;
    return problem;
  });
}

}  // namespace daemark
