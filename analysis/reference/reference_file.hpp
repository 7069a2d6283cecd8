// A file of reference states: {"problem", "parameters", "states"}; each state has its time, its
// values with two digits more than agree, both routes, the digits asked for and agreed on, the
// model it was computed with, and a checksum over all of that and the problem.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/reference/reference.hpp"

namespace daemark {

struct StoredState {
  ReferenceState state;
  std::string model;     ///< model_digest() of when it was computed
  std::string checksum;  ///< as in the file: identifies the state and all that is said about it
};

/// By time and by the digits asked for.
using StoredStates = std::map<std::pair<rational, int>, StoredState>;

struct ReferenceFile {
  StoredStates states;               ///< of any model
  std::vector<std::string> refused;  ///< what is wrong with the others: file, state, fault
};

/// The letters and digits of the call and a digest of all of it, so that each call has its own.
std::string reference_file_name(const std::string& problem);

/// Of the sources that decide the motion of a problem: its own and all that it uses of problems/
/// and of the numbers and matrices of base/.
std::string model_digest(const std::string& problem);

/// As it is stored: rounded to the digits that are written.
StoredState stored_state(const std::string& problem, const std::string& model,
                         const ReferenceState& state);

/// A missing file holds nothing. Never throws for what is in a file: `refused` names it.
ReferenceFile read_reference_file(const std::filesystem::path& file, const std::string& problem);

/// Throws BadInput where it cannot be written.
void write_reference_file(const std::filesystem::path& file, const std::string& problem,
                          const StoredStates& states);

}  // namespace daemark
