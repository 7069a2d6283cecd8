// Pieces of an experiment file: typed access with the place in every message, cells, plots.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "experiments/spec/spec.hpp"

namespace daemark::spec_parts {

/// Where in a file: "li2019/table1.json, rows 2, cell". Every refusal begins with it.
struct Place {
  std::string name;
  Place at(const std::string& key) const { return {name + ", " + key}; }
  [[noreturn]] void refuse(const std::string& what) const;
  void require(const nlohmann::json& object, const std::vector<std::string>& required,
               const std::vector<std::string>& optional) const;
  std::string text(const nlohmann::json& object, const std::string& key) const;
  std::string text_or(const nlohmann::json& object, const std::string& key,
                      const std::string& fallback) const;
  std::vector<std::string> texts(const nlohmann::json& object, const std::string& key) const;
  std::string word(const nlohmann::json& object, const std::string& key,
                   const std::vector<std::string>& accepted) const;
  /// Letters, digits and '_', beginning with a letter; not seen before.
  std::string identifier(const nlohmann::json& object, const std::string& key,
                         std::set<std::string>& seen) const;
  double positive(const nlohmann::json& object, const std::string& key) const;
  bool flag(const nlohmann::json& object, const std::string& key) const;  ///< absent: false
  /// The members of a list, if the key is there; the place counts from 1.
  void each(const nlohmann::json& object, const std::string& key,
            const std::function<void(const nlohmann::json&, const Place&)>& visit) const;
};

/// Replaces what `in` names in `cell`; settings are merged key by key ("" takes one away).
void overlay(Cell& cell, const nlohmann::json& in, const Place& place);

/// The cell as it is from now on. Throws BadInput for one that lacks something or whose numbers are
/// malformed. `own`: the keys given at this place, not by defaults; one that the kind of the cell
/// does not declare is refused.
FixedCell checked_cell(const Cell& cell, const nlohmann::json& own, const Place& place);

PlotSpec plot(const nlohmann::json& in, const Place& place);

}  // namespace daemark::spec_parts
