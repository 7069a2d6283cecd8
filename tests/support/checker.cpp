#include "tests/support/checker.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "base/program/paths.hpp"
#include "base/program/process.hpp"
#include "base/program/write_file.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

/// A directory with the files to check.
class Checker {
 public:
  std::string put(const std::string& name, const nlohmann::json& value) const {
    std::ofstream(folder_ / name) << value.dump();
    return (folder_ / name).string();
  }

  std::optional<std::string> refusal(std::vector<std::string> words) const {
    constexpr double time_limit = 600;
    words.insert(words.begin(), (source_root() / "analysis/checker/daemark_checker").string());
    const ChildEnd end = run_child(words, folder_ / "output", time_limit);
    const std::string said = read_text(folder_ / "output").value_or("");
    if (end.status == 0) return std::nullopt;
    const std::string mark = ": refused: ";
    const std::size_t at = said.find(mark);
    if (end.status != 1 || at == std::string::npos) throw std::runtime_error("checker: " + said);
    return said.substr(at + mark.size(), said.find('\n', at) - at - mark.size());
  }

 private:
  const ScratchFolder scratch_;
  const fs::path& folder_ = scratch_.path();
};

}  // namespace

std::optional<std::string> refusal_of(const nlohmann::json& certificate,
                                      const nlohmann::json& tableau) {
  const Checker checker;
  std::vector<std::string> words{checker.put("certificate.json", certificate)};
  if (!tableau.is_null()) {
    words.emplace_back("--tableau");
    words.push_back(checker.put("tableau.json", tableau));
  }
  return checker.refusal(words);
}

std::optional<std::string> first_refusal(const std::vector<nlohmann::json>& certificates) {
  const Checker checker;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < certificates.size(); ++i)
    words.push_back(checker.put(std::to_string(i) + ".json", certificates[i]));
  auto refusal = checker.refusal(words);
  if (!refusal) return std::nullopt;
  for (const auto& certificate : certificates)  // which one: the others are accepted alone
    if (refusal_of(certificate)) return certificate.at("id").get<std::string>() + ": " + *refusal;
  return refusal;
}

}  // namespace daemark
