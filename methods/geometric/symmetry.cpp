#include "methods/geometric/symmetry.hpp"

namespace daemark {
namespace {

bool nearly(const wide& x, const wide& y) { return abs(x - y) < wide("1e-100"); }

}  // namespace

bool is_symmetric(const WideTableau& tableau) {
  const int s = tableau.stages();
  for (int j = 0; j < s; ++j) {
    if (!nearly(tableau.b[j], tableau.b[s - 1 - j])) return false;
    for (int i = 0; i < s; ++i)
      if (!nearly(tableau.A[s - 1 - i][s - 1 - j] + tableau.A[i][j], tableau.b[j])) return false;
  }
  return true;
}

int symmetric_order(const Method& method) {
  if (const auto* step = dynamic_cast<const SymmetricStep*>(&method))
    return step->symmetric_order();
  const WideTableau* tableau = method.tableau();
  if (!tableau || !is_symmetric(*tableau)) return 0;
  wide squares = 0, chains = 0;  // the conditions of order 3: symmetric methods have even orders
  for (int i = 0; i < tableau->stages(); ++i) {
    squares += tableau->b[i] * tableau->c[i] * tableau->c[i];
    for (int j = 0; j < tableau->stages(); ++j)
      chains += tableau->b[i] * tableau->A[i][j] * tableau->c[j];
  }
  return nearly(squares, wide(1) / 3) && nearly(chains, wide(1) / 6) ? 4 : 2;
}

}  // namespace daemark
