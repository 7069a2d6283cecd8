// daemark_checker CERT.json|FOLDER ... [--tableau FILE.json] [--time-limit SECONDS]: derives every
// field of a certificate anew. Status 0: all accepted, 1: one is refused, with the field, or not
// decided within the processor time it has (default 120 s), 2: a file cannot be read.
//
// A certificate belongs to a family of the checker, to --tableau FILE, or to the tableau of its id
// in the catalogue.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "analysis/certcheck/check.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/last_resort.hpp"
#include "base/program/paths.hpp"
#include "base/program/standard_output.hpp"
#include "base/text/bad_input.hpp"

namespace fs = std::filesystem;

namespace {

using daemark::BadInput;

constexpr const char* accepted_form =
    "accepted: CERT.json|FOLDER ... [--tableau FILE.json] [--time-limit SECONDS]";

struct Options {
  std::vector<fs::path> certificates;
  nlohmann::json tableau;
  double time_limit = 120;  ///< processor time of one certificate [s]
};

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

Options read_options(const std::vector<std::string>& arguments) {
  Options out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--tableau") {
      if (i + 1 == arguments.size() || !out.tableau.is_null())
        throw BadInput(std::string("--tableau needs one file, once; ") + accepted_form);
      out.tableau = daemark::parse_json_file(arguments[++i]);
    } else if (argument == "--time-limit") {
      out.time_limit = i + 1 < arguments.size() ? std::strtod(arguments[++i].c_str(), nullptr) : 0;
      if (!(out.time_limit > 0))
        throw BadInput(std::string("--time-limit needs seconds above 0; ") + accepted_form);
    } else if (argument.starts_with("-")) {
      throw BadInput("unknown option " + argument + "; " + accepted_form);
    } else {
      for (const fs::path& file : files_of(argument)) out.certificates.push_back(file);
    }
  }
  if (out.certificates.empty())
    throw BadInput(std::string("no certificate named; ") + accepted_form);
  return out;
}

/// The tableau of the catalogue or its library with the certificate's id, null if there is none.
nlohmann::json catalogue_tableau(const nlohmann::json& certificate) {
  const auto id = certificate.is_object() ? certificate.value("id", nlohmann::json()) : nullptr;
  if (!id.is_string()) return nullptr;
  const std::string word = id.get<std::string>();
  if (word.empty() || word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != word.npos)
    return nullptr;
  const fs::path catalogue = daemark::source_root() / "methods" / "tableaus";
  for (const fs::path& folder : {catalogue, catalogue / "library"}) {
    const fs::path file = folder / (word + ".json");
    if (fs::exists(file)) return daemark::parse_json_file(file.string());
  }
  return nullptr;
}

int run(const Options& options, std::ostream& out) {
  int refused = 0, accepted = 0;
  for (const fs::path& path : options.certificates) {
    const nlohmann::json certificate = daemark::parse_json_file(path.string());
    const nlohmann::json tableau =
        options.tableau.is_null() ? catalogue_tableau(certificate) : options.tableau;
    const daemark::LastResort last_resort(options.time_limit, [&] {
      out << path.string() << ": refused: not decided within the time limit, " << options.time_limit
          << " s of processor time; what comes after it is not tried" << std::endl;
    });
    const auto refusal = daemark::certcheck::refusal_of(certificate, tableau);
    if (refusal) out << path.string() << ": refused: " << *refusal << "\n";
    ++(refusal ? refused : accepted);
  }
  out << accepted << " accepted, " << refused << " refused\n";
  return refused == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  return daemark::with_standard_output("daemark_checker", [&](std::ostream& out) {
    try {
      return run(read_options({arguments + 1, arguments + count}), out);
    } catch (const std::exception& problem) {
      std::cerr << "daemark_checker: " << problem.what() << "\n";
      return 2;
    }
  });
}
