// What a handle of daemark.h holds: a mechanism in a formulation, in double, with the work space of
// every call. No call but the first allocates.
#pragma once

#include <mpfr.h>

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/text/bad_input.hpp"
#include "bindings/c/daemark.h"
#include "problems/formulations/formulation.hpp"
#include "problems/system/index_one_solve.hpp"
#include "problems/system/registry.hpp"
#include "problems/system/state_names.hpp"

namespace daemark {

/// A name and a unit as the C interface hands them out.
struct NamedUnit {
  std::string name, unit;
};

class OpenProblem {
 public:
  /// Throws BadInput for what is not in the catalogue, and where it cannot be had without a step.
  OpenProblem(const std::string& problem, const std::string& formulation);

  int coordinates() const { return n_; }
  int constraints() const { return m_; }
  int size() const { return system_->size(); }
  int reference_coordinates() const { return mechanism_->reference_coordinates(); }
  const std::string& digest() const { return digest_; }
  const std::vector<NamedUnit>& components() const { return components_; }
  const std::vector<NamedUnit>& outputs() const { return outputs_; }
  const std::vector<NamedUnit>& reference_components() const { return reference_; }
  int jacobian_entries() const { return static_cast<int>(row_indices_.size()); }

  void kinds(int* differential, int* index) const;

  // From here on as in daemark.h; false: what was computed is not finite, the matrix is singular.
  bool initial(double* t, double* y, double* rate);
  bool residual(double t, const double* y, const double* rate, double* r);
  bool jacobian(double t, double cj, const double* y, const double* rate, int* columns, int* rows,
                double* values);
  bool mechanics(double t, const double* q, const double* v, double* M, double* f, double* Phi,
                 double* G, double* curvature);
  bool levels(double t, const double* q, const double* v, const double* a, double* position,
              double* velocity, double* acceleration);
  bool accelerations(double t, const double* q, const double* v, double* a, double* lambda);
  bool energy(double t, const double* q, const double* v, double* kinetic, double* potential);
  bool outputs(double t, const double* q, const double* v, double* out);
  bool to_reference(const double* q, const double* v, double* q_ref, double* v_ref);
  /// Digits of the published state, −1 where there is none.
  int reference(double t, double* q, double* v, double* lambda);
  /// Agreed digits.
  int sensitivity(const std::string& parameter, double t, double* q, double* v, double* lambda);

  /// The first component that is not finite, as a line with its name: "v_x1 is not a number"; empty
  /// where all are. `from`: the component that x[0] is.
  std::string not_finite(const double* x, int from, int count, const char* what) const;

 private:
  void name_components();
  void lay_out_jacobian();
  MotionPoint<double> point(double t, const double* q, const double* v) const {
    return {t, q, v, zero_.data(), zero_.data(), chart_.data()};
  }

  Problem problem_;
  Formulation formulation_;
  MechanicalPtr<double> mechanism_;
  std::unique_ptr<ImplicitSystem<double>> system_;
  IndexOneSolve<double> index_one_;
  int n_, m_;
  std::string digest_;
  std::vector<NamedUnit> components_, outputs_, reference_;

  std::vector<double> chart_;                     ///< of the start, in which q stays
  std::vector<double> zero_, a_, lambda_;         ///< zero_: as long as either
  std::vector<int> integral_, source_;            ///< components with q̇ = y[source]
  std::vector<int> column_starts_, row_indices_;  ///< CSC
  std::vector<int> y_places_, rate_places_;       ///< of the entries of both patterns in it
  std::vector<int> integral_places_, source_places_;
  std::vector<double> jacobian_y_, jacobian_rate_, residual_;
  std::vector<double> mass_, gradient_;
};

namespace c {

inline thread_local std::string last_error;  // NOLINT: what errno is

inline int refuse(int code, std::string text) noexcept {
  last_error = std::move(text);
  return code;
}

/// Runs `work`, which returns a code of daemark.h; what it throws becomes one.
template <class Work>
int guarded(const char* where, Work&& work) noexcept {
  try {
    return work();
  } catch (const BadInput& error) {
    return refuse(DAEMARK_BAD_INPUT, std::string(where) + ": " + error.what());
  } catch (const std::bad_alloc&) {
    return refuse(DAEMARK_FAILED, "out of memory");
  } catch (const std::exception& error) {
    return refuse(DAEMARK_FAILED, std::string(where) + ": " + error.what());
  }
}

inline int missing(const char* where, const char* what) {
  return refuse(DAEMARK_BAD_INPUT,
                std::string(where) + ": " + what + " is NULL; accepted: what daemark.h says of it");
}

/// MPFR keeps constants and numbers of each thread; where the program's threads end, they go too.
inline void free_multiprecision_at_thread_end() {
  struct AtEnd {
    ~AtEnd() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
  };
  thread_local const AtEnd at_end;
  static_cast<void>(&at_end);
}

}  // namespace c

}  // namespace daemark
