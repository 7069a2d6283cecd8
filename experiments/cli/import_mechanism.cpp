// daemark import-mechanism: models of other programs as mechanism files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

#include "base/input/strict_json.hpp"
#include "base/program/paths.hpp"
#include "base/program/process.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/counted.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/verb.hpp"
#include "problems/files/mechanism_file.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct ImportOptions {
  std::string file, out, id;
  std::vector<std::string> without;
};

/// What the reader of such models prints, which executes nothing of them.
ordered_json read_model(const ImportOptions& options, const fs::path& folder) {
  constexpr ChildLimits limits{60, 2000};
  const std::string where = printable(options.file, 200);
  const auto script = source_root() / "problems" / "files" / "foreign" / "import_model.py";
  const fs::path output = folder / "model.json";
  const ChildEnd end = run_child({"python3", "-B", script.string(), options.file, options.id,
                                  fmt::format("{}", fmt::join(options.without, ","))},
                                 output, limits);
  if (end.not_started != 0)
    throw BadInput(where + ": python3, which reads models of other programs, is not installed");
  if (end.timed_out)
    throw BadInput(
        fmt::format("{}: not read after {:g} s; accepted: a smaller model", where, limits.seconds));
  const std::string text = read_text(output).value_or("");
  if (end.status != 0) throw BadInput(printable(text.substr(0, text.find('\n')), 2000));
  return ordered_json::parse(text);
}

/// As every verb would read it; says what it refuses in terms of the model's file.
void check_mechanism(const ImportOptions& options, const std::string& text, const fs::path& file) {
  write_if_changed(file, text);
  try {
    add_mechanism_file(file, problem_registry());
  } catch (const BadInput& refusal) {
    std::string what = refusal.what();
    if (what.starts_with(file.string())) what.erase(0, file.string().size() + 2);
    throw BadInput(printable(options.file, 200) +
                   ": the mechanism that it states is refused: " + what);
  }
}

int import_mechanism(const ImportOptions& options, std::ostream& out, std::ostream& err) {
  const ScratchFolder folder;
  const ordered_json model = read_model(options, folder.path());
  const ordered_json& mechanism = model.at("mechanism");
  const std::string text = mechanism.dump(1) + "\n";
  check_mechanism(options, text, folder.path() / "mechanism.json");
  const bool shown = options.out.empty();
  std::ostream& notes = shown ? err : out;
  if (shown)
    out << text;
  else
    write_if_changed(in_a_folder(options.out), text);
  const std::size_t bodies = mechanism.at("bodies").size();
  notes << fmt::format("{}: {} {}, {}\n", mechanism.at("id").get<std::string>(), bodies,
                       bodies == 1 ? "body" : "bodies",
                       counted(mechanism.at("elements").size(), "element"));
  for (const auto& note : model.at("notes")) notes << "  " << note.get<std::string>() << "\n";
  return 0;
}

void declare(OptionSet& app, ImportOptions& options) {
  app.add_option(
         "file", options.file, "MODEL",
         "MJCF (.xml), URDF (.urdf), OndselSolver (.asmt) or MBDyn (.mbd, .mbdyn or no ending)")
      ->required();
  app.add_option("--out", options.out, "FILE.json", "where to write it; standard output if none")
      ->ending({".json"});
  app.add_option("--id", options.id, "ID", "of the mechanism; default: the name of the model");
  app.add_option("--without", options.without, "WORD",
                 "leave out what would be refused, by the word that the refusal names (repeatable)")
      ->once();
}

}  // namespace

void register_import_mechanism(Verbs& verbs) {
  verbs.add<ImportOptions>({"import-mechanism", VerbGroup::make,
                            "a model in MJCF, URDF or MBDyn's form as a mechanism file",
                            "daemark import-mechanism arm.urdf --out arm.json"},
                           declare, import_mechanism);
}

}  // namespace daemark
