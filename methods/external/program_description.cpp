#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/input/fields.hpp"
#include "base/program/digest.hpp"
#include "base/program/once.hpp"
#include "base/program/paths.hpp"
#include "base/program/process.hpp"
#include "base/program/write_file.hpp"
#include "base/text/printable.hpp"
#include "methods/external/program.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

constexpr double most_seconds = 20;  // to describe itself: node starts slowly
constexpr long most_megabytes = 2000;

ProgramDescription read_description(const fs::path& file) {
  const ScratchFolder folder;
  const fs::path output = folder.path() / "description", errors = folder.path() / "errors";
  const std::string where = printable(file.string(), 200) + " --describe";
  const ChildEnd end = run_child({file.string(), "--describe"}, output,
                                 ChildLimits{most_seconds, most_megabytes}, errors);
  if (end.timed_out) throw BadInput(fmt::format("{} did not end within {} s", where, most_seconds));
  if (end.not_started != 0 || end.status != 0) {
    const std::string said = said_in(errors, Portion::first);
    throw BadInput(
        fmt::format("{} failed (status {}): {}; accepted: a program as bindings/PROGRAMS.md says",
                    where, end.not_started != 0 ? end.not_started : end.status,
                    printable(said.substr(0, said.find('\n')), 200)));
  }
  static const auto variant = Fields<ProgramVariant>()
                                  .required("name", &ProgramVariant::name)
                                  .required("steps", &ProgramVariant::steps)
                                  .optional("settings", &ProgramVariant::settings);
  static const auto fields =
      Fields<ProgramDescription>()
          .required("name", &ProgramDescription::name)
          .required("version", &ProgramDescription::version)
          .required("variants", &ProgramDescription::variants, variant, "variant")
          .optional("accepts", &ProgramDescription::accepts)
          .optional("equations", &ProgramDescription::equations);
  const std::string text = said_in(output, Portion::first);
  ProgramDescription found = fields.read(parse_json_text(text, where), where);
  for (const ProgramVariant& v : found.variants)
    if (v.steps != "fixed" && v.steps != "tolerance")
      throw BadInput(fmt::format("{}: steps of variant {}: {}; accepted: fixed, tolerance", where,
                                 printable(v.name), in_quotes(v.steps)));
  if (found.variants.empty()) throw BadInput(where + ": no variants; accepted: one or more");
  found.digest = digest(read_text(file).value_or("") + text);
  return found;
}

}  // namespace

std::string said_in(const fs::path& file, Portion portion) {
  constexpr std::uintmax_t most = 65536;
  std::error_code none;
  const std::uintmax_t size = fs::file_size(file, none);
  std::ifstream in(file, std::ios::binary);
  if (none || !in) return "";
  std::string text(std::min(size, most), ' ');
  if (portion == Portion::last) in.seekg(static_cast<std::streamoff>(size - text.size()));
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

fs::path joined_programs() { return results_root() / ".local" / "programs"; }

std::vector<std::string> joined_names() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(joined_programs(), none))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

fs::path program_file(const std::string& program) {
  const bool is_path = program.find('/') != std::string::npos;
  const fs::path file = is_path ? fs::absolute(program) : joined_programs() / program / program;
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0) return file;
  if (is_path)
    throw BadInput(
        fmt::format("program {}: no file that can be run; accepted: the path of a "
                    "program, or the name of one that was joined",
                    printable(program, 200)));
  const std::vector<std::string> known = joined_names();
  throw BadInput(
      fmt::format("program {}: not joined (daemark join); accepted: a path that begins "
                  "with / or ./{}{}",
                  printable(program), known.empty() ? "" : ", ", fmt::join(known, ", ")));
}

const ProgramDescription& describe_program(const std::string& program) {
  static OncePerKey<ProgramDescription> known;
  const fs::path file = program_file(program);
  return *known.get(file.string(), [&] { return read_description(file); });
}

}  // namespace daemark
