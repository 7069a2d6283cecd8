// daemark join NAME=FILE[,FILE...]: a program that has a name in calls. Of a program its file; of a
// classical Fortran code the user's copy, compiled with its wrapper, bindings/codes/NAME.c: the
// wrappers there are the codes that can be joined; of a solver in C its file or library, which has
// what a wrapper has.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <ostream>
#include <set>
#include <sstream>

#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/program/process.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/verb.hpp"
#include "methods/external/program.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

/// What a wrapper calls.
struct Signature {
  std::string routine;
  Texts arguments;
  std::string text() const { return fmt::format("{}({})", routine, fmt::join(arguments, ",")); }
};

/// "RADAU5(N,FCN, ...)" in capitals, without blanks and signs of continuation.
Signature signature(std::string_view text) {
  Signature found;
  std::string word;
  bool inside = false;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
      word += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (c != '(' && c != ',' && c != ')') continue;
    if (inside && !word.empty()) found.arguments.push_back(word);
    if (!inside) found.routine = word;
    inside = true;
    word.clear();
    if (c == ')') break;
  }
  return found;
}

fs::path wrappers() { return source_root() / "bindings" / "codes"; }

/// By name.
std::map<std::string, Signature> codes() {
  std::map<std::string, Signature> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(wrappers(), none)) {
    constexpr std::string_view mark = "calls:";
    const std::string text = read_text(entry.path()).value_or("");
    const std::size_t at = text.find(mark);
    if (entry.path().extension() == ".c" && at != std::string::npos)
      found[entry.path().stem()] = signature(std::string_view(text).substr(at + mark.size()));
  }
  return found;
}

/// The statement SUBROUTINE of `routine`, fixed form or free, without its first word and without
/// comments; "" where there is none.
std::string statement(const std::string& source, const std::string& routine) {
  std::istringstream lines(source);
  std::string found;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && std::string_view("cC*").find(line[0]) != std::string_view::npos) continue;
    line = line.substr(0, line.find('!'));
    constexpr std::size_t mark = 5;
    const bool continues = line.size() > mark && line.substr(0, mark) == std::string(mark, ' ') &&
                           line[mark] != ' ' && line[mark] != '0';
    if (found.empty()) {
      std::string low;
      for (const char c : line)
        low += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      std::istringstream words(low);
      std::string first, rest;
      words >> first;
      std::getline(words >> std::ws, rest);
      if (first != "SUBROUTINE" || signature(rest).routine != routine) continue;
      found = rest + " ";
    } else {
      found += continues ? line.substr(mark + 1) : line;
    }
    if (found.find(')') != std::string::npos) break;
  }
  return found;
}

/// The file that has the routine, with the arguments that the wrapper passes.
std::string checked(const Signature& ours, const Texts& files) {
  for (const std::string& file : files) {
    const std::string text = statement(read_text(file).value_or(""), ours.routine);
    if (text.empty()) continue;
    const Signature theirs = signature(text);
    const std::string where = fmt::format("SUBROUTINE {} of {}", ours.routine,
                                          printable(fs::path(file).filename().string()));
    const std::string accepted = fmt::format("accepted: {}", ours.text());
    if (theirs.arguments.size() != ours.arguments.size())
      throw BadInput(fmt::format("{} has {} arguments, not {}; {}", where, theirs.arguments.size(),
                                 ours.arguments.size(), accepted));
    for (std::size_t i = 0; i < ours.arguments.size(); ++i)
      if (theirs.arguments[i] != ours.arguments[i])
        throw BadInput(fmt::format("argument {} of {} is {}, not {}; {}", i + 1, where,
                                   theirs.arguments[i], ours.arguments[i], accepted));
    return file;
  }
  throw BadInput(
      fmt::format("no SUBROUTINE {} in {}; accepted: the file with it, and those with "
                  "what it calls",
                  ours.routine, printable(fmt::format("{}", fmt::join(files, ", ")))));
}

/// The first of these folders that has the file: of an installation, or of a build.
fs::path folder_with(const char* file, const std::vector<fs::path>& folders) {
  std::error_code none;
  for (const fs::path& folder : folders)
    if (fs::exists(folder / file, none)) return fs::canonical(folder, none);
  throw BadInput(fmt::format(
      "{} is missing; accepted: an installation with the library, or make build", file));
}

/// "VERSION OF JANUARY 18, 2002", the first such words with a number.
std::string version_in(const std::string& file) {
  constexpr std::string_view mark = "VERSION OF ";
  constexpr std::size_t longest = 30;
  const std::string text = read_text(file).value_or("");
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    const std::string line =
        text.substr(at, std::min(longest, text.find_first_of("\r\n\"\\", at) - at));
    if (line.find_first_of("0123456789") != std::string::npos)
      return one_line(printable(line, longest));
  }
  return "version not stated";
}

constexpr double seconds = 300;  ///< of one call of the compiler
constexpr std::size_t longest_message = 300;

/// What the compiler complains of.
[[noreturn]] void refuse(const std::string& name, const std::string& said) {
  constexpr std::string_view undefined = "undefined reference to `";
  Texts missing;
  for (std::size_t at = said.find(undefined); at != std::string::npos;
       at = said.find(undefined, at + 1)) {
    const std::size_t from = at + undefined.size();
    std::string routine = said.substr(from, said.find('\'', from) - from);
    if (routine.ends_with('_')) routine.pop_back();
    if (std::find(missing.begin(), missing.end(), routine) == missing.end())
      missing.push_back(routine);
  }
  if (!missing.empty())
    throw BadInput(printable(
        fmt::format("{} calls what no file has: {}; accepted: NAME=FILE,FILE,... with the files "
                    "that have it, or -lLIBRARY",
                    name, fmt::join(missing, ", ")),
        longest_message));
  const std::size_t error = said.find("rror: ");
  const std::size_t from = error == std::string::npos ? 0 : said.rfind('\n', error) + 1;
  throw BadInput(
      fmt::format("{} does not compile: {}", name,
                  printable(said.substr(from, said.find('\n', from) - from), longest_message)));
}

void compile(const std::string& name, const Texts& files, const std::string& version,
             const fs::path& scratch, const fs::path& program) {
  const char* chosen = std::getenv("FC");
  Texts words;
  std::istringstream compiler(chosen == nullptr ? "gfortran" : chosen);
  for (std::string word; compiler >> word;) words.push_back(word);
  if (words.empty()) words = {"gfortran"};
  const fs::path prefix = source_root().parent_path().parent_path(),
                 own = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path headers =
      folder_with("daemark.h", {source_root() / "bindings" / "c", prefix / "include"});
  const fs::path library =
      folder_with("libdaemark.so", {own, own.parent_path() / "lib", prefix / "lib"});
  const Texts more = {"-O2",
                      "-w",
                      "-std=legacy",
                      "-ffp-contract=off",
                      "-J",
                      scratch,
                      "-I" + headers.string(),
                      fmt::format("-DDAEMARK_CODE_VERSION=\"{}\"", version),
                      "-I" + wrappers().string(),
                      wrappers() / "core.c"};
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), files.begin(), files.end());
  const Texts last = {
      "-L" + library.string(), "-Wl,-rpath," + library.string(), "-ldaemark", "-lm", "-o", program};
  words.insert(words.end(), last.begin(), last.end());
  const ChildEnd end = run_child(words, scratch / "said", seconds);
  if (end.not_started != 0)
    throw BadInput(
        fmt::format("no Fortran compiler ({}); accepted: gfortran, or another that takes "
                    "its options, in FC",
                    printable(words.front())));
  if (end.timed_out)
    throw BadInput(fmt::format("{} takes longer than {} s", words.front(), seconds));
  if (end.status != 0) refuse(name, read_text(scratch / "said").value_or(""));
}

/// What is kept of a joined program.
fs::path folder_of(const std::string& name) { return joined_programs() / name; }

/// A solver in C, or a library, which has what a wrapper has.
bool is_solver(const std::string& file) {
  const std::string ending = fs::path(file).extension();
  return ending == ".c" || ending == ".so" || ending == ".a";
}

bool is_program(const std::string& file) {
  return fs::is_regular_file(file) && ::access(file.c_str(), X_OK) == 0 && !is_solver(file);
}

void check_name(const std::string& name) {
  const auto word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 ||
      !std::all_of(name.begin(), name.end(), word))
    throw BadInput(fmt::format("{}: accepted: a name of letters, digits and _", in_quotes(name)));
}

/// A program as it is: linked, so that it may be built again.
void link_program(const std::string& name, const std::string& file, std::ostream& err) {
  const fs::path target = fs::absolute(file).lexically_normal();
  describe_program(target.string());  // refuses what is none
  const FileLock lock = lock_results(results_root(), "daemark join", err);
  fs::create_directories(folder_of(name));
  fs::remove(folder_of(name) / name);
  fs::create_symlink(target, folder_of(name) / name);
}

/// Compiles a code or a solver.
void build_program(const std::string& name, Texts files, std::ostream& err) {
  Texts sources;
  std::string all;
  for (std::string& file : files) {
    if (file.starts_with("-l")) continue;
    if (!fs::is_regular_file(file))
      throw BadInput(fmt::format("no file {}; accepted: the sources of {}", in_quotes(file), name));
    sources.push_back(file);
    all += digest(read_text(file).value_or(""));
    file = fs::absolute(file);  // a library is found again
  }
  std::string version = "your own";
  if (const auto known = codes(); !is_solver(sources.empty() ? "" : sources[0])) {
    version = version_in(checked(known.at(name), sources));
    files.insert(files.begin(), wrappers() / (name + ".c"));
  }
  constexpr std::size_t short_digest = 12;
  const ScratchFolder scratch;
  const fs::path program = scratch.path() / name;
  compile(name, files, fmt::format("{}, sources {}", version, digest(all).substr(0, short_digest)),
          scratch.path(), program);
  describe_program(program.string());
  const FileLock lock = lock_results(results_root(), "daemark join", err);
  fs::create_directories(folder_of(name));
  // A new file, so that a run of the old program goes on.
  fs::copy_file(program, folder_of(name) / "new", fs::copy_options::overwrite_existing);
  fs::rename(folder_of(name) / "new", folder_of(name) / name);
}

void join_one(const std::string& typed, std::ostream& err) {
  const std::size_t equals = typed.find('=');
  const std::string name = typed.substr(0, equals);
  Texts files, names;
  if (equals != std::string::npos) {
    std::istringstream list(typed.substr(equals + 1));
    for (std::string file; std::getline(list, file, ',');) files.push_back(file);
  }
  const bool own = files.size() == 1 && is_program(files[0]);
  for (const auto& code : codes()) names.push_back(code.first);
  const bool known = std::find(names.begin(), names.end(), name) != names.end();
  if (files.empty() || (!own && !known && !is_solver(files[0])))
    throw BadInput(fmt::format(
        "{}{}; accepted: NAME=PROGRAM, NAME=SOLVER.c, NAME=LIBRARY.so, or "
        "NAME=FILE[,FILE...] with NAME one of {}",
        in_quotes(typed), known ? "" : did_you_mean(name, names), fmt::join(names, ", ")));
  check_name(name);
  if (own) return link_program(name, files[0], err);
  build_program(name, files, err);
}

struct JoinOptions {
  Texts codes;
};

void declare(OptionSet& app, JoinOptions& options) {
  app.add_option(
      "codes", options.codes, "NAME=FILE[,FILE...]",
      "a program of yours, a solver in C (file or library), or a code and the files of your copy, "
      "also -lLIBRARY; none: what is joined, and what can be");
}

/// Of a code that is not joined, or a program that is gone, what there is to say.
ProgramDescription described(const std::string& name, const Texts& joined) {
  if (std::find(joined.begin(), joined.end(), name) == joined.end()) return {"", "not joined"};
  try {
    return describe_program(name);
  } catch (const BadInput&) {
    return {"", "no longer there"};
  }
}

Report join(const JoinOptions& options, std::ostream&, std::ostream& err) {
  Report report;
  ReportRows rows({{"name", "name"},
                   {"code", "code"},
                   {"version", "version"},
                   {"variants", "variants"},
                   {"calls", "-"}});
  const auto known = codes();
  const auto add = [&](const std::string& name, const ProgramDescription& program) {
    Texts variants;
    for (const ProgramVariant& variant : program.variants) variants.push_back(variant.name);
    rows.add({name, program.name, program.version, fmt::format("{}", fmt::join(variants, " ")),
              known.contains(name) ? known.at(name).text() : ""});
  };
  for (const std::string& typed : options.codes) {
    join_one(typed, err);
    const std::string name = typed.substr(0, typed.find('='));
    add(name, describe_program(name));
  }
  if (options.codes.empty()) {
    std::set<std::string> names;
    for (const auto& code : known) names.insert(code.first);
    const Texts joined = joined_names();
    names.insert(joined.begin(), joined.end());
    for (const std::string& name : names) add(name, described(name, joined));
  }
  return report.array(rows, 0);
}

}  // namespace

void register_join(Verbs& verbs) {
  verbs.add<JoinOptions>({"join", VerbGroup::make,
                          "makes a method of a program, of your solver in C, or of your copy of a "
                          "classical code (RADAU5, RODAS, DASKR, ...)",
                          "daemark join radau5=radau5.f,decsol.f,dc_decsol.f"},
                         declare, join);
}

}  // namespace daemark
