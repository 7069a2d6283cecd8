// What the catalogue's methods did, problem by problem: results/atlas/PROBLEM.jsonl, committed, so
// that a new method stands beside the others without integrating them again. Its first line says
// what all sweeps of the problem have in common, each other line is a sweep: its runs as rows of
// numbers to four digits, and the digest of the sources it was computed with.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/compare/compare_field.hpp"

namespace daemark {

struct Shelf {
  CompareMotion motion;
  std::map<std::pair<std::string, std::string>, CellResult> sweeps;  ///< by formulation, method
};

/// Of the problem with this id and the defaults of its arguments; none where there is no such file,
/// where it is damaged, or where its model is not the one at hand: a distance from another motion
/// says nothing.
std::optional<Shelf> read_shelf(const std::filesystem::path& results, const std::string& problem);

/// The canonical call behind the name of a sweep ("radau_iia(s=3) with control"); empty where the
/// catalogue has it no more.
std::string method_of(const std::string& sweep);

/// The methods of its sweeps as canonical calls, those that are in the catalogue no more left out.
std::vector<std::string> methods_on(const Shelf& shelf);

/// Puts the results of the fields' entries there. Other sweeps that stand there of the same motion,
/// with methods that are still in the catalogue, stay.
void write_shelf(const std::filesystem::path& results, const std::string& problem,
                 const std::vector<CompareField>& fields);

/// A sweep as the shelf has it: four digits, and nothing that is of one machine.
CellResult shelved(const CellResult& result);

}  // namespace daemark
