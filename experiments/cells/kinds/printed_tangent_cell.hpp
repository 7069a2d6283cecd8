// Newmark's method in the tangent space literally as Fernández de Bustos et al. 2021 write it down
// (eqs 32-58, dense, one linearisation an iteration), with the choice they leave open: which
// particular solutions of H x = b are taken.
//
// The stepper of the catalogue, tangent_space, solves what these iterations converge to with
// solutions of minimum norm. This is the second route to its results, and the only one to those
// with sparse solutions. For mechanisms of a few bodies, in double.
#pragma once

#include <memory>
#include <vector>

#include "problems/system/mechanical_system.hpp"

namespace daemark {

/// minimum: of least Euclidean norm; sparse: the basic solution, as many nonzeros as the rank.
enum class ParticularSolution { minimum, sparse };

class PrintedTangent {
 public:
  PrintedTangent(MechanicalPtr<double> mechanism, double gamma, double beta,
                 ParticularSolution choice);
  ~PrintedTangent();
  /// From a consistent start of the mechanism; false where accelerations cannot be found.
  bool start();
  /// False where the iteration does not settle.
  bool step(double h);

  double largest_particular() const;  ///< the largest |entry| of an x_p, of all steps made
  const std::vector<double>& q() const;
  const std::vector<double>& v() const;
  const std::vector<double>& a() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace daemark
