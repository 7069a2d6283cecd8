// daemark export and lock: results that travel, and the versions of everything that made them.
#include <fmt/format.h>

#include <ostream>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/counted.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/crate/crate.hpp"

namespace daemark {
namespace {

struct ExportOptions {
  std::vector<std::string> words;
};

void declare(OptionSet& app, ExportOptions& options) {
  app.add_option("items", options.words, "[PAPER[/ITEM]]... FILE.zip",
                 "what of the results (all, and the atlas, where nothing is named), then the file")
      ->required();
}

int pack(const ExportOptions& options, std::ostream& out, std::ostream&) {
  std::vector<std::string> words = options.words;
  const std::string file = words.back();
  words.pop_back();
  if (!file.ends_with(".zip"))
    throw BadInput(fmt::format("'{}'; accepted: [PAPER[/ITEM]|atlas]... FILE.zip", file));
  const CrateContent crate = crate_of(words, source_root() / "experiments", results_root());
  write_zip(in_a_folder(file), crate.files);
  out << fmt::format("{}: {}, {}, {}\n", file, counted(crate.items, "item"),
                     counted(crate.cells, "cell"), counted(crate.files.size(), "file"));
  return 0;
}

struct LockOptions {
  std::string file;
  std::vector<std::string> compared;
};

void declare(OptionSet& app, LockOptions& options) {
  app.add_option("file", options.file, "FILE.json", "where to write it; standard output if none");
  app.add_option("--diff", options.compared, "LOCK [LOCK]",
                 "compare a lock or a crate with another one, or with this program (status 1 if "
                 "they differ)")
      ->excludes("file");
}

int lock(const LockOptions& options, std::ostream& out, std::ostream&) {
  if (options.compared.empty()) {
    const std::string text = lock_of_this().dump(1) + "\n";
    if (options.file.empty())
      out << text;
    else
      write_if_changed(in_a_folder(options.file), text);
    return 0;
  }
  if (options.compared.size() > 2)
    throw BadInput("--diff takes one lock, compared with this program, or two");
  const auto a = read_lock(options.compared.front());
  const auto b = options.compared.size() > 1 ? read_lock(options.compared.back()) : lock_of_this();
  const std::vector<std::string> lines = lock_difference(a, b);
  for (const std::string& line : lines) out << line << "\n";
  if (lines.empty()) out << "the same\n";
  return lines.empty() ? 0 : 1;
}

}  // namespace

void register_export(Verbs& verbs) {
  verbs.add<ExportOptions>(
      {"export", VerbGroup::share, "packs results with inputs, sources and provenance",
       "daemark export li2019 li2019.zip"},
      declare, pack);
  verbs.add<LockOptions>(
      {"lock", VerbGroup::share,
       "the versions of everything that affects a result, and differences between two",
       "daemark lock --diff lock.json"},
      declare, lock);
}

}  // namespace daemark
