// What the planar and the spatial builder share: bodies by number, springs and dampers between
// them, outputs, and what is refused. dimension: of the points on bodies, 2 or 3.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "problems/mechanism/recorded_system.hpp"
#include "problems/system/declaration.hpp"

namespace daemark {

enum class CouplingKind { spring, damper, torsion_spring, torsion_damper };
constexpr bool is_damper(CouplingKind kind) {
  return kind == CouplingKind::damper || kind == CouplingKind::torsion_damper;
}
constexpr bool is_torsion(CouplingKind kind) {
  return kind == CouplingKind::torsion_spring || kind == CouplingKind::torsion_damper;
}

class BodyBuilder {
 public:
  static constexpr int ground = -1;

  /// So many constraints follow from the rest: a hinge declared again, a bar that nothing needs.
  void redundant(int count) { redundant_ = count; }
  int redundancy() const { return redundant_; }
  /// Constraints that follow from the rest are found and left out; the problem says which.
  void leave_out_dependent() { leaves_out_ = true; }
  /// A line for `show` and `run`.
  void remark(const std::string& line) { remarks_.push_back(line); }
  const std::vector<OutputInfo>& outputs() const { return outputs_; }
  /// Outputs of a mechanism in the coordinates that output laws read.
  void give_outputs(Mechanism& made) const;

 protected:
  using Law = std::function<Var(const MotionPoint<Var>&)>;

  virtual ~BodyBuilder() = default;
  virtual int body_count() const = 0;
  virtual std::string body_name(int body) const = 0;

  void check_body(int body, const std::string& element) const;
  void check_pair(int a, int b, const std::string& element) const;  ///< and a ≠ b
  void check_loaded(int body, const std::string& element) const;    ///< and not the ground
  void add_output(const OutputInfo& output, Law law);

  std::vector<OutputInfo> outputs_;
  std::vector<Law> output_laws_;
  int redundant_ = 0;
  bool leaves_out_ = false;
  std::vector<std::string> remarks_;
};

template <int dimension>
class MechanismBuilder : public BodyBuilder {
 public:
  using Point = std::array<wide, dimension>;
  struct Coupling {
    CouplingKind kind;
    int a, b;
    Point on_a, on_b;  ///< in the bodies' frames
    wide coefficient, rest;
    SharedLaw law;  ///< a factor; null: 1
    bool stiff = false;
  };
  const std::vector<Coupling>& couplings() const { return couplings_; }

 protected:
  void couple(CouplingKind kind, int a, const Point& on_a, int b, const Point& on_b,
              const Exact& coefficient, const Exact& rest, SharedLaw law = nullptr) {
    constexpr const char* names[] = {"spring", "damper", "torsion_spring", "torsion_damper"};
    check_pair(a, b, names[static_cast<int>(kind)]);
    couplings_.push_back({kind, a, b, on_a, on_b, coefficient.value, rest.value, std::move(law)});
  }
  bool has_stiff_coupling() const {
    return std::any_of(couplings_.begin(), couplings_.end(), [](auto& c) { return c.stiff; });
  }
  /// Leaves what MechanicalSystem::stiff_part() takes of these.
  void keep_stiff_couplings() {
    std::erase_if(couplings_, [](const Coupling& c) { return !c.stiff; });
    outputs_.clear(), output_laws_.clear();
  }

  std::vector<Coupling> couplings_;
};

/// The mechanism of a builder's declaration, with what both dimensions have alike; `recorded`
/// records the stiff part.
template <class Builder>
void finish(const std::shared_ptr<const Builder>& shared,
            std::shared_ptr<const Mechanism> (*recorded)(const Builder&), Mechanism& made) {
  shared->give_outputs(made);
  made.stiff = [shared, recorded] {
    const auto part = shared->stiff_part();
    return part ? recorded(*part) : nullptr;
  };
}

}  // namespace daemark
