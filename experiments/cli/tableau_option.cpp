#include "experiments/cli/tableau_option.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/text/printable.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/catalogue/tableau_file.hpp"

namespace daemark {

std::shared_ptr<std::vector<std::string>> add_tableau_option(OptionSet& verb) {
  auto files = std::make_shared<std::vector<std::string>>();
  verb.add_option("--tableau", *files, "add the method of a tableau file (repeatable)")
      ->type_name("FILE.json")
      ->allow_extra_args(false);
  return files;
}

void load_tableaus(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const MethodFile method = load_method_file(file);
    const std::string id = std::visit([](const auto& m) { return m.id; }, method);
    MethodRegistry& registry = method_registry();
    if (registry.has(id)) {
      std::error_code ignored;
      if (std::filesystem::equivalent(file, registry.info(id).file, ignored)) continue;
      throw BadInput(
          fmt::format("{}: id '{}' is taken in the catalogue; accepted: an id of its own",
                      printable(file, 200), id));
    }
    registry.add(method, file);
  }
}

}  // namespace daemark
