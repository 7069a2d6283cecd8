// What daemark verify is asked to prove.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/exact/proof/verify.hpp"
#include "methods/catalogue/tableau_file.hpp"

namespace daemark {

struct VerifyWork {
  std::vector<std::string> methods;
  std::vector<std::string> files;   ///< FILE.json, or FILE[:NAME] of another program's source
  std::vector<std::string> papers;  ///< errata of these; with `whole` all
  bool whole = false;
  bool field = false;    ///< errata of public collections
  bool library = false;  ///< among the methods is the whole library
};

/// Of the words of a call and of --tag; none: everything. Throws BadInput on a method that does not
/// exist.
VerifyWork verify_work(const std::vector<std::string>& targets, const std::string& tag);

/// A method of a file, or why it cannot be told from a source.
struct LoadedMethod {
  std::string name;
  std::filesystem::path origin;  ///< empty: of a source, where certificates have no place
  Coefficients method;
  std::string unreadable;
};

/// All of VerifyWork::files' entry `target`. Throws BadInput where it cannot be read.
std::vector<LoadedMethod> load_methods(const std::string& target);

exact::VerifyReport verify_loaded(const LoadedMethod& loaded);

}  // namespace daemark
