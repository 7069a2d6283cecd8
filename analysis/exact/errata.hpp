// Misprints, found and explained by exact checks: analysis/exact/errata/<paper>.json.
//
// Every entry holds the formula as transcribed, the right one and a check. An entry never says
// what its check will find: a printed form that passes is reported as right.
//
// Kinds of check:
//   conditions   names defined by expressions ("common", then "printed" or "right"); every residual
//                under "conditions" must vanish on the whole grid of "variables" (exact rationals;
//                with more values than the degree in each variable this proves an identity)
//   block_set    a printed (B, d) of Li 2019 with its nodes and the Padé approximant it is said to
//                be; compared entry by entry with the derived set, its R identified
//   block_mu     printed constants mu of eq. (8), as functions of the nodes
//   block_system printed factors of eq. (9)/(10)
//   inverse_start  the starting inverse of Yang 2006, eq. (20), on a linear G with matrix J
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace daemark::exact {

struct Erratum {
  std::string paper, place, transcribed, right, effect;
  bool printed_holds = false;  ///< the check passes for the form as transcribed
  bool right_holds = false;    ///< the check passes for the derived form
  std::string condition;       ///< what fails for the printed form, by how much; or what was found
};

/// Runs one entry's check. Throws BadInput for an entry that cannot be read, naming it.
Erratum run_erratum(const std::string& paper, const nlohmann::ordered_json& entry);

/// All *.json of the folder, sorted by name, entries in file order.
std::vector<Erratum> run_errata(const std::filesystem::path& folder);

/// results/errata.md and errata.csv, deterministic bytes.
void write_errata(const std::vector<Erratum>& errata, const std::filesystem::path& folder);

}  // namespace daemark::exact
