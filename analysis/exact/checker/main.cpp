// daemark_checker FILE.json|FOLDER ...: re-verifies certificates; exit 1 if one is refused, 2 if
// a file cannot be read.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "analysis/exact/certcheck/check.hpp"

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> collect(int count, char** arguments) {
  std::vector<fs::path> out;
  for (int i = 1; i < count; ++i) {
    if (!fs::is_directory(arguments[i])) {
      out.emplace_back(arguments[i]);
      continue;
    }
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(arguments[i])) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    out.insert(out.end(), files.begin(), files.end());
  }
  return out;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "daemark_checker: no certificate named; accepted: FILE.json or FOLDER ...\n";
    return 2;
  }
  int refused = 0, accepted = 0;
  for (const fs::path& path : collect(count, arguments)) {
    std::ifstream file(path);
    const nlohmann::json certificate = nlohmann::json::parse(file, nullptr, false);
    if (certificate.is_discarded()) {
      std::cerr << path.string() << ": not readable as JSON\n";
      return 2;
    }
    const auto problems = daemark::certcheck::check_certificate(certificate);
    for (const std::string& p : problems) std::cout << path.string() << ": refused: " << p << "\n";
    ++(problems.empty() ? accepted : refused);
  }
  std::cout << accepted << " accepted, " << refused << " refused\n";
  return refused == 0 ? 0 : 1;
}
