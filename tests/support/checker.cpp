#include "tests/support/checker.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "base/program/child_process.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"

namespace daemark {

std::optional<std::string> refusal_of(const nlohmann::json& certificate,
                                      const nlohmann::json& tableau) {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::path(testing::TempDir()) / ("daemark_checked_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const auto put = [&](const char* name, const nlohmann::json& value) {
    std::ofstream(folder / name) << value.dump();
    return (folder / name).string();
  };
  std::vector<std::string> words{(source_root() / "analysis/checker/daemark_checker").string(),
                                 put("certificate.json", certificate)};
  if (!tableau.is_null()) {
    words.emplace_back("--tableau");
    words.push_back(put("tableau.json", tableau));
  }
  constexpr double time_limit = 300;
  const ChildEnd end = run_child(words, folder / "output", time_limit);
  const std::string said = read_text(folder / "output").value_or("");
  fs::remove_all(folder);
  if (end.status == 0) return std::nullopt;
  const std::string mark = ": refused: ";
  const std::size_t at = said.find(mark);
  if (end.status != 1 || at == std::string::npos) throw std::runtime_error("checker: " + said);
  return said.substr(at + mark.size(), said.find('\n') - at - mark.size());
}

}  // namespace daemark
