// Errata of the papers, experiments/<paper>/errata.json. Every entry is decided by evidence:
//
//   wrong    in the paper: the form as transcribed fails an exact check, the derived one passes,
//            and either a second, independent transcription (another edition) has the same form, or
//            other formulas of the paper contradict it and no known damage of text extraction turns
//            the right form into the transcribed one
//   damaged  in our transcription: a pattern of text extraction turns the right form into the
//            transcribed one, and the same pattern is shown elsewhere in the same text
//   open     the form as transcribed fails, but we cannot tell the paper from our text of it
//   right    no erratum: the form as transcribed passes; listed to say that it was checked
//
// An entry names its kind; evidence that does not support the kind is a `refusal`, which fails
// `daemark verify`. Entries never contain what a check finds. The format, key by key, is in
// errata_parts.hpp.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace daemark::exact {

enum class ErratumKind { wrong, damaged, open, right };

struct Erratum {
  std::string paper, place, transcribed, right, effect;
  ErratumKind kind = ErratumKind::open;  ///< as the entry says
  std::string evidence;                  ///< what supports the kind, one line; right: empty
  bool printed_holds = false;            ///< the check passes for the form as transcribed
  bool right_holds = false;              ///< the check passes for the derived form
  std::string condition;  ///< what fails for the printed form, by how much; or what was found
  std::string refusal;    ///< why the evidence does not support the kind; empty: it does
};

/// "wrong in the paper", "damaged in our transcription", "open", "checked and right".
std::string heading(ErratumKind kind);

/// The word of the data: "wrong", "damaged", "open", "right".
std::string word(ErratumKind kind);

/// The order in which they are shown.
inline constexpr ErratumKind erratum_kinds[] = {ErratumKind::wrong, ErratumKind::damaged,
                                                ErratumKind::open, ErratumKind::right};

/// Shown with all errata.
inline constexpr const char* errata_rule =
    "Damage of our transcription is never charged to the paper.";

/// Runs one entry's check and weighs its evidence, which may refer to `siblings`, the entries of
/// the same paper. Throws BadInput, naming the entry, if it cannot be read or has an unknown key.
Erratum run_erratum(const std::string& paper, const nlohmann::ordered_json& entry,
                    const nlohmann::ordered_json& siblings = nlohmann::ordered_json::array());

/// The entry at `place` of <folder>/<paper>/errata.json. Throws BadInput where there is none.
Erratum find_erratum(const std::filesystem::path& folder, const std::string& paper,
                     const std::string& place);

/// Those of <folder>/*/errata.json, sorted by paper, entries in file order. Places are unique in a
/// paper.
std::vector<Erratum> run_errata(const std::filesystem::path& folder);

/// "9 wrong in the papers, 15 damaged in our transcription, 6 open; 14 forms checked and right".
std::string errata_counts(const std::vector<Erratum>& errata);

/// results/errata.md and errata.csv, deterministic bytes.
void write_errata(const std::vector<Erratum>& errata, const std::filesystem::path& folder);

}  // namespace daemark::exact
