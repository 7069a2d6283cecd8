// Jacobian blocks over the coordinates of a chart as blocks over the frames of the bodies.
#pragma once

#include <array>
#include <type_traits>
#include <vector>

#include "methods/geometric/step_equations.hpp"
#include "problems/geometry/body_frames.hpp"

namespace daemark {

/// What column j of a rotation's three becomes: entry [rotation][k][j] is its share of column k.
template <class S>
using BodyTurn = std::vector<std::array<rotation::Vec3<S>, 3>>;

/// Columns of a rotation times the turn, others with the weight `plain`, or left out without one.
template <class S, class Sink>
void add_turned(Sink& sink, const BodyFrames<S>& frames, const Pattern& block,
                const std::vector<S>& values, const std::type_identity_t<S>* plain,
                const BodyTurn<S>& turn, int row, int column) {
  for (int e = 0; e < block.size(); ++e) {
    const auto [i, j] = block.entries[e];
    const int turned = frames.rotation_of(j);
    if (turned < 0) {
      if (plain) sink.add_one(row + i, column + j, S(values[e] * *plain));
      continue;
    }
    const int at = frames.first_of(turned);
    for (int k = 0; k < 3; ++k)
      sink.add_one(row + i, column + at + k, S(values[e] * turn[turned][k][j - at]));
  }
}

/// The transposed block, its rows turned and the rest with `weight`.
template <class S, class Sink>
void add_turned_transposed(Sink& sink, const BodyFrames<S>& frames, const Pattern& block,
                           const std::vector<S>& values, const S& weight, const BodyTurn<S>& turn,
                           int row, int column) {
  for (int e = 0; e < block.size(); ++e) {
    const auto [i, j] = block.entries[e];
    const int turned = frames.rotation_of(j);
    if (turned < 0) {
      sink.add_one(row + j, column + i, S(weight * values[e]));
      continue;
    }
    const int at = frames.first_of(turned);
    for (int k = 0; k < 3; ++k)
      sink.add_one(row + at + k, column + i, S(weight * values[e] * turn[turned][k][j - at]));
  }
}

/// to += blockᵀ x.
template <class S>
void add_transposed_product(const Pattern& block, const std::vector<S>& values, const S* x, S* to) {
  for (int e = 0; e < block.size(); ++e)
    to[block.entries[e].second] += values[e] * x[block.entries[e].first];
}

}  // namespace daemark
