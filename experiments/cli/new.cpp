// daemark new method|problem|paper NAME: files of which each is a working whole, to be changed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <ostream>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/near.hpp"
#include "experiments/cli/verb.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

/// NAME stands for the name.
struct Skeleton {
  const char* what;
  struct File {
    const char *path, *from;  ///< from: in experiments/cli/skeletons
  };
  std::vector<File> files;
  const char* next;  ///< what to do with them
};

const std::vector<Skeleton>& skeletons() {
  static const std::vector<Skeleton> all = {
      {"method",
       {{"methods/tableaus/NAME.json", "method.json.in"}},
       "daemark verify methods/tableaus/NAME.json; make build takes it into the catalogue "
       "(methods/README.md; its source: a key of experiments/bibliography/bibliography.json)"},
      {"problem",
       {{"problems/NAME.cpp", "problem.cpp.in"}},
       "make build, then daemark show NAME (problems/README.md)"},
      {"paper",
       {{"experiments/NAME/paper.json", "paper.json.in"},
        {"experiments/NAME/table1.json", "table1.json.in"}},
       "daemark reproduce NAME (experiments/README.md)"}};
  return all;
}

std::string filled(std::string text, const std::string& name) {
  constexpr std::string_view sign = "NAME";
  for (std::size_t at = text.find(sign); at != std::string::npos;
       at = text.find(sign, at + name.size()))
    text.replace(at, sign.size(), name);
  return text;
}

void check_name(const std::string& what, const std::string& name) {
  const bool plain = std::islower(static_cast<unsigned char>(name[0])) != 0 && name.size() <= 40 &&
                     std::all_of(name.begin(), name.end(), [](unsigned char c) {
                       return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
                     });
  if (!plain)
    throw BadInput(fmt::format(
        "name '{}'; accepted: at most 40 small letters, digits and '_', a letter first", name));
  if ((what == "method" && method_registry().has(name)) ||
      (what == "problem" && problem_registry().has(name)))
    throw BadInput(fmt::format("{} '{}' is in the catalogue; accepted: a new name", what, name));
}

}  // namespace

VerbAction declare_new(OptionSet& app) {
  struct Options {
    std::string what, name, into;
  };
  auto options = std::make_shared<Options>();
  app.add_option("what", options->what, "KIND", "method, problem, paper")->required();
  app.add_option("name", options->name, "NEWID", "its id: small letters, digits, _")->required();
  app.add_option(
      "--into", options->into, "DIR",
      "where to write; the source tree by default, of an installed program the current folder");
  return [options](std::ostream& out, std::ostream&) {
    std::vector<std::string> kinds;
    for (const Skeleton& skeleton : skeletons()) {
      kinds.emplace_back(skeleton.what);
      if (options->what != skeleton.what) continue;
      check_name(options->what, options->name);
      const std::filesystem::path root = !options->into.empty() ? options->into
                                         : is_installed()       ? "."
                                                                : source_root();
      for (const Skeleton::File& file : skeleton.files)
        if (const std::string path = filled(file.path, options->name);
            std::filesystem::exists(root / path))
          throw BadInput(fmt::format("{} is there already; accepted: a new name", path));
      for (const Skeleton::File& file : skeleton.files) {
        const std::string path = filled(file.path, options->name);
        const std::string from = std::string("experiments/cli/skeletons/") + file.from;
        const std::optional<std::string> text = read_text(source_root() / from);
        if (!text) throw BadInput(fmt::format("{} cannot be read; accepted: the file", from));
        write_if_changed(root / path, filled(*text, options->name));
        out << "wrote " << path << "\n";
      }
      out << "next: " << filled(skeleton.next, options->name) << "\n";
      return 0;
    }
    throw BadInput(fmt::format("there is no skeleton of '{}'{}; accepted: {}", options->what,
                               did_you_mean(options->what, kinds), fmt::join(kinds, ", ")));
  };
}

}  // namespace daemark
