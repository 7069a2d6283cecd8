// The report of `daemark verify` on a method: properties derived exactly, compared with its claims.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/exact/proof/facts.hpp"
#include "methods/core/tableau.hpp"

namespace daemark {
class Method;
}  // namespace daemark

namespace daemark::exact {

struct VerifyReport;
/// A note on the starting procedure of a multistep method and the order it allows.
void add_start(VerifyReport& report, const Method& method);

struct VerifyReport {
  std::string id;
  bool exact = true;  ///< false: decimals, `order` is that to their accuracy
  std::optional<int> order, stage_order;
  std::string no_stage_order;                ///< why there is none; empty: there is, or undecided
  std::optional<int> order_within_rounding;  ///< exact fractions that approximate: above `order`
  std::optional<double> order_residual;      ///< largest of all trees up to the rounded order
  std::vector<std::string> num, den;         ///< R = N/D, ascending, den[0] = 1; empty: multistep
  std::vector<std::string> num_digits, den_digits;  ///< where num, den are decimals: 60 digits
  std::optional<bool> a_stable, l_stable;           ///< none: undecided
  std::optional<bool> zero_stable;  ///< of a multistep formula; false: errors grow, however small h
  Facts facts;
  std::vector<std::string> failures;  ///< false or undecided claims: condition, by how much
  std::set<std::string> judged;       ///< names of claims that were compared with what was derived
  std::vector<std::string> notes;     ///< witness points, routes, embedded formula, R(infinity)
  nlohmann::ordered_json certificate_data;  ///< null for decimals: never certified
  std::string certificate;  ///< file name for certificate_data; empty where there is none

  /// Of what is claimed.
  bool verified() const { return failures.empty(); }
  bool is_unstable() const { return zero_stable == std::optional(false); }
  /// States that the method has no stage order.
  void has_no_stages(const std::string& why);
  /// {"id","order","stage_order","stability_function":{"num","den"},"A_stable","L_stable",
  /// "zero_stable","exact","order_within_rounding","order_residual", the facts,"certificate",
  /// "digest","failures","notes"}; `file`: where the certificate, if any, was written.
  nlohmann::ordered_json to_json(const std::string& file = "") const;
};

/// Each throws BadInput for what cannot be read as a method: wrong sizes, expressions that are no
/// real algebraic number, fields of too high a degree. A readable but wrong method has failures.
/// Dispatches by kind to one of those below; claims that it does not decide are failures too.
VerifyReport verify_coefficients(const Coefficients& method);
VerifyReport verify_tableau(const Coefficients& method);
VerifyReport verify_multistep(const Coefficients& formula);
/// Exact coefficients of increments are certified; decimals are judged to their accuracy.
VerifyReport verify_rosenbrock(const Coefficients& method);
/// Decided at 130 digits, for decimals to their accuracy; no certificate.
VerifyReport verify_half_explicit(const Coefficients& method);
/// Of a structural method: the program's own step in rational numbers is compared with N x₊ = P x.
VerifyReport verify_second_order(const std::string& call, const ExactSecondOrder& step);
/// By the trees of pairs (analysis/exact/theory/pair.hpp); no certificate.
VerifyReport verify_pair(const Coefficients& pair);
/// Lobatto IIIA with IIIB, with rational numbers for every s.
VerifyReport verify_lobatto_pair(int s, const Claims& claims = {});
/// family: gauss, radau_ia, radau_iia, lobatto_iiia, lobatto_iiic.
/// `code`: the coefficients at 130 digits, of which orders on index 2 and 3 are derived.
VerifyReport verify_collocation(const std::string& family, int s, const WideTableau& code = {});
/// nodes: equidistant, chebyshev, legendre, radau, lobatto, or "" with a list.
VerifyReport verify_pade_block(int r, int k, int j, const std::string& nodes,
                               const std::vector<Expression>& list = {},
                               const WideTableau& code = {});

/// The (k, j) map for 0 <= k, j <= 12 as a table: A, L or the witness where it fails (markdown).
std::string ehle_map(int largest = 12);

}  // namespace daemark::exact
