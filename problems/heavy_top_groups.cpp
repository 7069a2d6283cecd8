#include "problems/heavy_top_quaternions.hpp"

namespace daemark::heavy_top {

MechanismMakers on_screws(const TopData<wide>& top) {
  return model_makers<TopOnScrews>([=]<class S>() { return TopOnScrews<S>(top.in<S>()); });
}
MechanismMakers in_dual_quaternions(const TopData<wide>& top) {
  return model_makers<TopInDualQuaternions>(
      [=]<class S>() { return TopInDualQuaternions<S>(top.in<S>()); });
}

}  // namespace daemark::heavy_top
