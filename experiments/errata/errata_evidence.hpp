// What carries the kind of an erratum, key by key under "evidence".
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

#include "experiments/errata/errata.hpp"

namespace daemark::exact {

/// Fills `evidence` and `refusal` of an entry whose check has run. Throws BadInput for evidence
/// that cannot be read.
void weigh_evidence(const nlohmann::ordered_json& entry, const nlohmann::ordered_json& siblings,
                    const std::string& where, Erratum& out);

}  // namespace daemark::exact
