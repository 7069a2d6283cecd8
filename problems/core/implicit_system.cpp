#include "problems/core/implicit_system.hpp"

#include <algorithm>
#include <stdexcept>

namespace daemark {

int Pattern::add(int row, int col) {
  const std::pair<int, int> entry(row, col);
  const auto found = std::find(entries.begin(), entries.end(), entry);
  if (found != entries.end()) return static_cast<int>(found - entries.begin());
  entries.push_back(entry);
  return size() - 1;
}

template <class S>
void ImplicitSystem<S>::finish_components() {
  unknowns_ = 0;
  for (const Component& c : components_)
    if (c.kind != Component::Kind::integral) ++unknowns_;
}

template <class S>
bool ImplicitSystem<S>::explicit_rates(S*, S*, const S&) {
  throw std::logic_error("explicit_rates called on a system that has none");
}

template class ImplicitSystem<double>;
template class ImplicitSystem<quad>;
template class ImplicitSystem<real50>;
template class ImplicitSystem<rational>;

}  // namespace daemark
