#include "experiments/spec/guesses.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

const SettingInfo& predictor_setting() {
  const std::vector<SettingInfo>& all = setting_infos();
  return *std::find_if(all.begin(), all.end(),
                       [](const SettingInfo& info) { return info.key == "predictor"; });
}

/// The words of "a | b | c".
std::vector<std::string> predictors() {
  std::vector<std::string> words;
  std::istringstream text(predictor_setting().accepted);
  for (std::string word; text >> word;)
    if (word != "|") words.push_back(word);
  return words;
}

bool makes_guesses(const Cell& cell) {
  const CellKind& kind = kind_of(cell);
  if (kind.key("method") == nullptr || kind.key("settings") == nullptr || cell.method.empty())
    return false;
  try {
    const auto method = method_registry().make(cell.method);
    return !method->is_explicit() && !method->owns_loop();
  } catch (const BadInput&) {
    return false;  // refused, with its place, where the cell itself is bound
  }
}

}  // namespace

bool is_end(const NamedMeasure& named) {
  const std::string& measure = named.column ? named.column->measure.text() : named.measure;
  return measure == "ok" || measure == "failed" || measure.starts_with("status_");
}

std::vector<SecondRoute> other_guesses(const Cell& cell) {
  std::vector<SecondRoute> out;
  if (!makes_guesses(cell)) return out;
  Cell other = cell;
  for (const auto& [name, key] : cell_kinds().keys())
    if (!key.second_routes) other.more.erase(name);
  const auto set = cell.settings.find("predictor");
  const std::string own = set == cell.settings.end() ? predictor_setting().fallback : set->second;
  for (const std::string& predictor : predictors()) {
    if (predictor == own) continue;
    if (predictor == predictor_setting().fallback)
      other.settings.erase("predictor");
    else
      other.settings["predictor"] = predictor;
    out.push_back({predictor, other});
  }
  return out;
}

void add_other_guesses(std::vector<ItemSpec>& items) {
  for (ItemSpec& item : items) {
    item.other_guesses.clear();
    std::set<std::string> names, known;
    for (const ClaimSpec& claim : item.claims)
      for (const Formula& condition : claim.conditions)
        for (const std::string& name : condition.names())
          if (name.find('.') != std::string::npos) names.insert(name);  // no threshold
    for (const std::string& name : names) {
      const NamedMeasure named = named_measure(items, item, item.paper + "/" + item.id, name);
      if (!is_end(named)) continue;
      for (SecondRoute& guess : other_guesses(*named.row->cell)) {
        guess.name = name.substr(0, name.rfind('.')) + ": predictor " + guess.name;
        if (known.insert(canonical(guess.cell)).second) item.other_guesses.push_back(guess);
      }
    }
  }
}

}  // namespace daemark
