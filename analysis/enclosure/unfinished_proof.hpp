// A proof that was interrupted, kept under results/.local/proofs: the next call for the same times
// and digits goes on from its last step.
#pragma once

#include "analysis/enclosure/proved_reference.hpp"

namespace daemark {

class UnfinishedProof {
 public:
  /// `call`: what is proved, with times and digits.
  UnfinishedProof(const Problem& problem, nlohmann::json call);

  int attempt = 1, working_digits = 0;
  ProvedMotion found;
  std::vector<rational> steps;

  /// Whether one is kept, which fills the members above.
  bool load();
  void restore(EnclosedMotion& motion) const { motion.restore(motion_); }
  void save(const EnclosedMotion& motion) const;
  void remove() const;

 private:
  std::filesystem::path file_;  ///< empty: of a problem that a file declares
  nlohmann::json call_, motion_;
};

}  // namespace daemark
