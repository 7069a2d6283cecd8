// What is read of a mechanism before it is built, with its place: masses and inertias, angles,
// stiffnesses, names of joints. Of a file all of it, else what the problem's rigid bodies say.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "problems/bodies/rigid_bodies.hpp"
#include "problems/files/file_entry.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

/// A number and where it stands.
struct PlacedNumber {
  std::string where;
  double value;
};

struct BodyFacts {
  std::string name, where;
  double mass;
  std::vector<double> moments;  ///< about the mass centre: of planar ones one, else principal ones
  double largest() const { return moments.empty() ? 0 : moments.back(); }
};

struct MechanismFacts {
  std::vector<BodyFacts> bodies;
  std::vector<PlacedNumber> angles;                         ///< [rad], constant ones
  std::map<std::string, std::vector<PlacedNumber>> groups;  ///< by unit, to compare
  std::vector<PlacedNumber> springs;          ///< free length over the length at the start
  std::vector<double> gravity;                ///< [m/s²]; of planar files downwards
  std::map<std::string, std::string> joints;  ///< "joint4": "elements[5], revolute of a and b"
};

/// Data, bodies and elements as the file states them for a call. Throws BadInput where they cannot
/// be read.
MechanismFacts facts_of(const MechanismFile& file, const Arguments& arguments);
/// Adds what only the problem knows: its data, lengths of springs, bodies where there are none yet.
void add_facts(const Problem& problem, MechanismFacts& facts);

/// The problem of the file with "assemble": true. Throws BadInput.
Problem assembled_problem(MechanismFile file, const Arguments& arguments);

// The constraint rows of a mechanism at its start: their rank, those that follow from others, and
// the joints they belong to.

/// Constraint rows by name, without "lambda_".
struct RowFacts {
  int coordinates = 0, rows = 0, rank = 0;
  std::vector<std::string> redundant, joints;  ///< rows that follow from the others; their joints
  std::vector<std::string> shared;             ///< rows whose multipliers are not unique
  bool only_here = false;                      ///< they follow at the start alone
  int freedom() const { return coordinates - rank; }
};

/// Ranks the rows, or reads what the builder of a file has said of those it left out; others that
/// follow are left out of the problem's mechanism, unless they follow at the start alone.
RowFacts row_facts(Problem& problem, const MechanicalSystem<double>& mechanism);

/// Without "lambda_".
std::string row_name(const std::string& multiplier);
/// "joint4" of joint4_x, "revolute4" of revolute4_t1.
std::string joint_of(const std::string& row);
std::vector<std::string> joints_of(const std::vector<std::string>& rows);  ///< each once

}  // namespace daemark
