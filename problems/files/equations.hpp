// Equations of motion from formulas: energies or mass and forces, constraints, a start; recorded as
// a mechanism. Internal.
//
// Formulas read, by number: 0 the time, then coordinates, velocities, accelerations, multipliers,
// and definitions, each of which may read those before it.
//   f = ∂T/∂q − (∂²T/∂v∂q) v − ∂V/∂q − ∂D/∂v + Q,  M = ∂²T/∂v²,
// the first two terms where the kinetic energy T is stated and not M itself. Power of other forces
// than those of the potential: v·(Q − ∂D/∂v), and ½ vᵀṀv where M is stated.
#pragma once

#include <optional>

#include "problems/files/file_entry.hpp"
#include "problems/mechanism/recorded_system.hpp"

namespace daemark {

struct PlacedFormula {
  FileFormula formula;
  std::string where;  ///< in the file
};

struct Equations {
  struct Coordinate {
    Quantity quantity;
    wide start, velocity;
    bool start_is_free, velocity_is_free;  ///< solved for, from the numbers given
  };
  struct Row {
    Quantity quantity;
    RowLevel level;
    PlacedFormula formula;
    wide multiplier;  ///< where their solution begins
  };
  struct Shape {
    DrawnShape::Kind kind;
    bool closed;
    std::vector<std::array<PlacedFormula, 3>> points;
  };

  std::string where;
  wide time = 0;  ///< of the start
  std::vector<Coordinate> coordinates;
  std::vector<Row> rows;  ///< those of positions first
  int redundant = 0;
  std::vector<PlacedFormula> definitions;
  std::optional<PlacedFormula> kinetic, potential, dissipation;
  std::vector<std::optional<PlacedFormula>> mass;    ///< n × n, where T is not stated
  std::vector<std::optional<PlacedFormula>> forces;  ///< Q
  std::vector<OutputInfo> outputs;
  std::vector<PlacedFormula> output_values;
  std::vector<Shape> shapes;
  Drawing view;                      ///< its directions
  std::vector<PlacedFormula> shown;  ///< reference coordinates, where they are not these

  int n() const { return static_cast<int>(coordinates.size()); }
  int m() const { return static_cast<int>(rows.size()); }
  int velocity_rows() const;
};

constexpr int most_coordinates = 200, largest_graph = 20000;

/// Throws BadInput: a formula that reads what it may not or is no real number at the start, T not
/// quadratic in velocities, more than `largest_graph` operations, a mass matrix singular in the
/// motions the constraints leave, a start that violates constraints or is not found.
std::shared_ptr<Mechanism> mechanism_of(const Equations& equations);

/// q and v at the start: free values solved for, all checked. `at`: inputs of g in their order; f:
/// functions of them. Throws BadInput as mechanism_of() says.
std::pair<std::vector<wide>, std::vector<wide>> start_of(const Equations& equations,
                                                         graph::Graph& g, const PartArguments& at,
                                                         const PartFunctions& f);

/// A solution in closed form: values of `wanted` at a time, in their order; `list` states them, and
/// what they rest on, each by those before it. Throws BadInput; the values may be no numbers.
std::function<std::vector<real50>(const real50& t)> known_solution(
    const nlohmann::json& list, const std::string& where, const FileNames& names,
    const std::vector<std::string>& wanted);

/// Of the shapes, in the coordinates of the equations; empty without any.
Drawing drawing_from(const Equations& equations);

}  // namespace daemark
