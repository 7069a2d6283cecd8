// The exact checks of errata entries, run on the form as transcribed and on the derived one.
//
// Kinds of check ("kind"):
//   conditions   names defined by expressions ("common", then a form: "printed" or "right", then
//                "derived"); on the whole grid of "variables" (exact rationals; with more values
//                than the degree in each variable this proves an identity) every residual under
//                "conditions" must vanish, or, as {"of": ..., "at_most": ...}, be no larger.
//                Without "printed" nothing was transcribed, without "right" it is the printed form.
//   block_set    a printed (B, d) of Li 2019 with its nodes and the Padé approximant it is said to
//                be; compared entry by entry with the derived set, its R identified. "scale" stands
//                before all entries; "right_B", "right_d": the form given as right
//   block_mu     printed constants mu of eq. (8), as functions of the nodes
//   block_system printed factors of eq. (9)/(10)
//   inverse_start  the starting inverse of Yang 2006, eq. (20), on a linear G with matrix J: an
//                approximation, which must satisfy the secant equation of the last direction
#pragma once

#include "experiments/errata/errata.hpp"

namespace daemark::exact {

struct Finding {
  bool holds = false;
  std::string text;  ///< the first condition that fails, by how much and where
};

/// A conditions check with `form` in place of "printed"; with `only`, of that condition alone.
/// Throws BadInput where it cannot be read or has no such condition.
Finding check_conditions(const nlohmann::ordered_json& check, const nlohmann::ordered_json& form,
                         const std::string& where, const std::string& only = "");

/// Fills printed_holds, right_holds and condition; may extend `right`.
void run_check(const nlohmann::ordered_json& check, const std::string& where, Erratum& out);

/// Throws BadInput unless `object` is an object with every required key and none beyond both lists.
void require_entry_keys(const nlohmann::ordered_json& object, const std::string& where,
                        const std::vector<std::string>& required,
                        const std::vector<std::string>& optional = {});

}  // namespace daemark::exact
