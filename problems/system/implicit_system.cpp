#include "problems/system/implicit_system.hpp"

namespace daemark {

template <class S>
void ImplicitSystem<S>::finish_components() {
  unknowns_ = 0;
  for (const Component& c : components_)
    if (c.kind != Component::Kind::integral) ++unknowns_;
}

template class ImplicitSystem<double>;
template class ImplicitSystem<real50>;
template class ImplicitSystem<rational>;

}  // namespace daemark
