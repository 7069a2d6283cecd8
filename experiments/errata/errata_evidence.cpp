#include <algorithm>
#include <iterator>
#include <regex>
#include <utility>

#include "base/text/bad_input.hpp"
#include "experiments/errata/errata_parts.hpp"

namespace daemark::exact {

namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<std::string>;

std::string text_of(const Json& object, const char* key, const std::string& where) {
  if (!object.at(key).is_string() || object.at(key).get<std::string>().empty())
    throw BadInput(where + ": '" + key + "' must be a text that says something");
  return object.at(key).get<std::string>();
}

std::string without(const std::string& text, const std::string& unwanted) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && unwanted.find(c) == std::string::npos) out += c;
  return out;
}

/// The right form with minus signs left out; in the expressions of the check, too.
bool lost_minus(const std::string& transcribed, const std::string& right, const Json& check) {
  if (transcribed == right || without(transcribed, "-") != without(right, "-")) return false;
  if (!check.contains("printed") || !check.contains("right")) return true;
  return without(check.at("printed").dump(), "-") == without(check.at("right").dump(), "-");
}

/// The right form with marks (') left out, moved or swallowed by a glyph of `reads`, whose letter
/// must carry a mark in the right form.
bool lost_marks(const std::string& transcribed, const std::string& right, const Json& reads,
                const std::string& where) {
  std::string text = transcribed;
  for (const auto& [glyph, letter_text] : reads.items()) {
    const std::string letter = letter_text.get<std::string>();
    if (right.find(letter + "'") == std::string::npos)
      throw BadInput(where + ", reads: '" + letter + "' carries no mark in the right form");
    if (text.find(glyph) == std::string::npos)
      throw BadInput(where + ", reads: no '" + glyph + "' was transcribed");
    for (std::size_t at = 0; (at = text.find(glyph, at)) != std::string::npos;) {
      text.replace(at, glyph.size(), letter);
      at += letter.size();
    }
  }
  return transcribed != right && without(text, "'") == without(right, "'");
}

void add_integers(const std::string& text, Numbers& out) {
  static const std::regex digits("\\d+");
  for (std::sregex_iterator at(text.begin(), text.end(), digits), end; at != end; ++at)
    out.push_back(at->str());
}

/// Numerators and denominators, top to bottom: of d for "d", of column n of B for "Bn".
Numbers column_of(const Json& b, const Json& d, const std::string& name) {
  Numbers out;
  for (std::size_t i = 0; i < d.size(); ++i) {
    const Json& entry = name == "d" ? d.at(i) : b.at(i).at(std::stoul(name.substr(1)) - 1);
    add_integers(entry.get<std::string>(), out);
  }
  return out;
}

std::size_t longest_common_subsequence(const Numbers& a, const Numbers& b) {
  std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t k = 1; k <= b.size(); ++k) {
      best[i][k] =
          a[i - 1] == b[k - 1] ? best[i - 1][k - 1] + 1 : std::max(best[i - 1][k], best[i][k - 1]);
    }
  }
  return best[a.size()][b.size()];
}

std::size_t equal_in_place(const Numbers& a, const Numbers& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += a[i] == b[i] ? 1 : 0;
  return count;
}

/// Every column keeps the numbers of the right one in their order, at most one lost, but not in
/// their places: a fraction line stands between numbers of two fractions. Signs are not compared.
bool shifted_fractions(const Json& check, const Json& columns, const std::string& where) {
  if (!check.contains("right_B")) return false;
  const Json& right_d = check.contains("right_d") ? check.at("right_d") : check.at("d");
  bool shifted = false;
  for (std::size_t c = 0; c <= right_d.size(); ++c) {
    const std::string name = c == 0 ? "d" : "B" + std::to_string(c);
    const Numbers right = column_of(check.at("right_B"), right_d, name);
    const Numbers read = column_of(check.at("B"), check.at("d"), name);
    Numbers transcribed = read;
    if (columns.contains(name)) {
      transcribed.clear();
      for (const Json& number : columns.at(name)) add_integers(number.dump(), transcribed);
      if (longest_common_subsequence(transcribed, read) != read.size())
        throw BadInput(where + ", columns: " + name + " does not hold the numbers of the check");
    }
    const std::size_t kept = longest_common_subsequence(transcribed, right);
    if (kept + 1 < right.size()) return false;
    shifted = shifted || equal_in_place(transcribed, right) < kept;
  }
  return shifted;
}

/// Patterns of damage and their words, tried in this order.
const std::pair<std::string, const char*> patterns[] = {
    {"lost_minus", "minus signs are lost"},
    {"lost_marks", "dots above letters are lost or read as another glyph"},
    {"shifted_fractions",
     "numbers of a matrix of fractions are in order, but not at their fraction lines"},
    {"lost_text", "a displayed text is missing"}};

/// Whether `pattern` turns the right form of the entry into the transcribed one.
bool explains(const std::string& pattern, const Json& entry, const Json& evidence,
              const std::string& where) {
  const std::string transcribed = entry.at("transcribed"), right = entry.at("right");
  const Json& check = entry.at("check");
  if (pattern == "lost_minus") return lost_minus(transcribed, right, check);
  if (pattern == "lost_marks")
    return lost_marks(transcribed, right, evidence.value("reads", Json::object()), where);
  if (pattern == "shifted_fractions")
    return shifted_fractions(check, evidence.value("columns", Json::object()), where);
  return transcribed.empty() && !check.contains("printed");
}

/// One other place of the same text; returns "" or why it does not show the pattern.
std::string weigh_elsewhere(const std::string& pattern, const Json& other, const Json& entry,
                            const Json& siblings, const std::string& where, std::string& shown) {
  if (other.contains("entry")) {
    require_keys(other, where, {"entry"});
    const std::string place = text_of(other, "entry", where);
    shown = place;
    if (entry.at("where") == place) return "'" + place + "' is the entry itself";
    for (const Json& sibling : siblings) {
      if (sibling.value("where", "") != place) continue;
      if (sibling.value("kind", "") != "damaged") return "'" + place + "' is no damage";
      const Json evidence = sibling.value("evidence", Json::object());
      return explains(pattern, sibling, evidence, where) ? "" : "'" + place + "' does not show it";
    }
    return "there is no entry '" + place + "'";
  }
  require_keys(other, where, {"where", "transcribed", "right", "known_from"}, {"reads"});
  const std::string place = text_of(other, "where", where);
  const std::string transcribed = other.at("transcribed"), right = text_of(other, "right", where);
  shown = place + ": \"" + transcribed + "\" for \"" + right + "\", known from " +
          text_of(other, "known_from", where);
  if (entry.at("where") == place) return "'" + place + "' is the entry itself";
  const bool same =
      pattern == "lost_minus" ? lost_minus(transcribed, right, Json::object())
      : pattern == "lost_marks"
          ? lost_marks(transcribed, right, other.value("reads", Json::object()), where)
      : pattern == "lost_text" ? transcribed.empty()
                               : false;
  return same ? "" : "'" + place + "' does not show it";
}

void weigh_damaged(const Json& entry, const Json& siblings, const std::string& where,
                   Erratum& out) {
  const Json& evidence = entry.at("evidence");
  require_keys(evidence, where, {"pattern", "elsewhere"}, {"reads", "columns"});
  const std::string pattern = text_of(evidence, "pattern", where);
  const auto* known = std::find_if(std::begin(patterns), std::end(patterns),
                                   [&](const auto& p) { return p.first == pattern; });
  if (known == std::end(patterns)) {
    throw BadInput(where + ": unknown pattern '" + pattern +
                   "', accepted: lost_minus, lost_marks, shifted_fractions, lost_text");
  }
  out.evidence = std::string(known->second) + "; in the same text also at ";
  if (!explains(pattern, entry, evidence, where)) {
    out.refusal =
        "the pattern " + pattern + " does not turn the right form into the transcribed one";
  } else if (evidence.at("elsewhere").empty()) {
    out.refusal = "the pattern " + pattern + " is shown at no other place of the text";
  }
  bool first = true;
  for (const Json& other : evidence.at("elsewhere")) {
    std::string shown;
    const std::string problem = weigh_elsewhere(pattern, other, entry, siblings, where, shown);
    if (!problem.empty() && out.refusal.empty()) out.refusal = pattern + ": " + problem;
    out.evidence += (first ? "" : "; ") + shown;
    first = false;
  }
}

std::string weigh_editions(const Json& entry, const Json& editions, const std::string& where,
                           Erratum& out) {
  require_keys(editions, where, {"here", "there", "form"});
  const std::string here = text_of(editions, "here", where);
  const std::string there = text_of(editions, "there", where);
  out.evidence = "the same in two transcriptions, " + here + " and " + there;
  if (here == there) return "one edition is named twice";
  Json check = entry.at("check");
  if (check.at("kind") == "conditions")
    check["printed"] = editions.at("form");
  else
    check.update(editions.at("form"));
  Erratum second, first;
  run_check(check, where + ", " + there, second);
  run_check(entry.at("check"), where + ", " + here, first);
  if (second.printed_holds) return there + " has the right form";
  return second.condition == first.condition ? "" : there + " has another form than " + here;
}

std::string weigh_own(const Json& entry, const Json& own, const std::string& where, Erratum& out) {
  std::string problem;
  if (own.empty()) problem = "no formula of the paper is named";
  for (const Json& formula : own) {
    require_keys(formula, where, {"where", "says"}, {"condition", "check"});
    out.evidence += (out.evidence.empty() ? "" : "; ") + std::string("the paper's own ") +
                    text_of(formula, "where", where) + ": " + text_of(formula, "says", where);
    const Json& check = formula.contains("check") ? formula.at("check") : entry.at("check");
    if (formula.contains("check") == formula.contains("condition") ||
        check.value("kind", "") != "conditions" || !check.contains("printed"))
      throw BadInput(where + ", own: a condition of the check, or a conditions check of its own");
    const std::string only = formula.value("condition", "");
    const Json& right = check.at(check.contains("right") ? "right" : "printed");
    if (check_conditions(check, check.at("printed"), where, only).holds)
      problem = "the transcribed form agrees with " + text_of(formula, "where", where);
    else if (!check_conditions(check, right, where, only).holds)
      problem = "the right form contradicts " + text_of(formula, "where", where);
  }
  return problem;
}

/// Glyphs that other entries of the paper show to have swallowed marks, as far as they occur here.
Json known_reads(const Json& entry, const Json& siblings) {
  const std::string transcribed = entry.at("transcribed"), right = entry.at("right");
  Json out = Json::object();
  for (const Json& sibling : siblings) {
    const Json evidence = sibling.value("evidence", Json::object());
    const Json reads = evidence.value("reads", Json::object());
    for (const auto& [glyph, letter] : reads.items()) {
      const bool here = transcribed.find(glyph) != std::string::npos &&
                        right.find(letter.get<std::string>() + "'") != std::string::npos;
      if (here) out[glyph] = letter;
    }
  }
  return out;
}

/// "" or the pattern that would turn the right form into the transcribed one.
std::string damage_not_excluded(const Json& entry, const Json& siblings, const std::string& where) {
  const Json& check = entry.at("check");
  if (check.at("kind") == "block_set" && !check.contains("right_B"))
    return "without right_B shifted fraction lines cannot be excluded";
  const Json evidence = {{"reads", known_reads(entry, siblings)}};
  for (const auto& [pattern, text] : patterns)
    if (explains(pattern, entry, evidence, where)) return text;
  return "";
}

void weigh_wrong(const Json& entry, const Json& siblings, const std::string& where, Erratum& out) {
  const Json& evidence = entry.at("evidence");
  require_keys(evidence, where, {}, {"editions", "own"});
  std::string editions = "none", own = "none";
  if (evidence.contains("editions"))
    editions = weigh_editions(entry, evidence.at("editions"), where, out);
  if (evidence.contains("own")) own = weigh_own(entry, evidence.at("own"), where, out);
  for (const std::string& problem : {editions, own})
    if (problem != "none" && !problem.empty()) out.refusal = problem;
  if (editions == "none" && own == "none")
    out.refusal = "neither a second transcription nor a formula of the paper proves it";
  if (editions != "none" || !out.refusal.empty()) return;
  const std::string damage = damage_not_excluded(entry, siblings, where);
  out.evidence += " (one transcription)";
  if (!damage.empty()) out.refusal = "damage of the transcription is not excluded: " + damage;
}

}  // namespace

void weigh_evidence(const Json& entry, const Json& siblings, const std::string& where,
                    Erratum& out) {
  if (out.kind == ErratumKind::right) {
    if (entry.contains("evidence")) throw BadInput(where + ": a right form has no evidence");
    if (!out.printed_holds) out.refusal = "the form as transcribed fails: " + out.condition;
    return;
  }
  if (!entry.contains("evidence")) {
    out.refusal = "no evidence";
  } else if (out.kind == ErratumKind::wrong) {
    weigh_wrong(entry, siblings, where, out);
  } else if (out.kind == ErratumKind::damaged) {
    weigh_damaged(entry, siblings, where, out);
  } else {
    require_keys(entry.at("evidence"), where, {"doubt"});
    out.evidence = text_of(entry.at("evidence"), "doubt", where);
  }
  if (!out.right_holds) out.refusal = "the form given as right fails: " + out.condition;
  if (out.printed_holds) out.refusal = "the form as transcribed is right: " + out.condition;
}

}  // namespace daemark::exact
