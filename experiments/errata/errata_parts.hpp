// Checks and evidence of errata entries, and their format.
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
//
// Evidence for the kind of an entry, key by key under "evidence":
//
//   wrong    "editions": {"here", "there", "form"}: the second edition's transcription of the same
//            place as data of the check; it must fail in the same way.
//            "own": [{"where", "says", "condition"}]: the paper's own other formula, as a condition
//            of the check that the transcribed form breaks; or with "check" (and no "condition") a
//            conditions check of its own, with "printed" and "right".
//            At least one of the two; "own" alone does not stand where a pattern of text extraction
//            turns the right form into the transcribed one.
//   damaged  "pattern": lost_minus, lost_marks, shifted_fractions or lost_text;
//            "elsewhere": other places of the same text with the same pattern, each {"where",
//            "transcribed", "right", "known_from"} or {"entry"}, another entry of that pattern.
//            lost_marks: "reads" maps a glyph as transcribed to the letter whose marks it swallowed
//            (marks are written as ' in "transcribed" and "right").
//            shifted_fractions: "columns" [{"of", "transcribed", "right"}], the numerators and
//            denominators down each column ("of": d, B1, B2, ...) where the transcription has more
//            rows than the set; else they are read from the check's B and right_B.
//   open     "doubt": what speaks for either side, and what would decide
//   right    no evidence
#pragma once

#include "base/input/strict_json.hpp"
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

/// Fills `evidence` and `refusal` of an entry whose check has run. Throws BadInput for evidence
/// that cannot be read.
void weigh_evidence(const nlohmann::ordered_json& entry, const nlohmann::ordered_json& siblings,
                    const std::string& where, Erratum& out);

/// "- name: value" for every value that is not empty, wrapped.
std::string value_lines(const std::vector<std::pair<const char*, std::string>>& values);

}  // namespace daemark::exact
