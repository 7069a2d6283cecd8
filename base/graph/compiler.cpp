#include "base/graph/compiler.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <sstream>

#include "base/graph/source.hpp"
#include "base/program/digest.hpp"
#include "base/program/process.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"

namespace daemark::graph {
namespace {

namespace fs = std::filesystem;

constexpr const char* symbol = "daemark_code";
/// As scripts/cmake/compiled.cmake has it.
constexpr std::array function_flags = {"-O1", "-ffp-contract=off", "-fPIC", "-shared", "-x", "c"};
constexpr std::size_t digest_length = 64, longest_message = 300;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// Whether the function has the digits of the interpreter at random points, small and near 1, where
/// roots and logarithms have values. Any NaN equals any other.
bool agrees(const Code& code, Compiled function) {
  constexpr int samples = 8;
  std::mt19937 random(1);
  Evaluator<double> interpreter(std::shared_ptr<const Code>(std::shared_ptr<void>(), &code));
  std::vector<std::vector<double>> values;
  std::vector<double*> groups;
  for (const auto& group : code.outputs) values.emplace_back(group.size());
  for (auto& group : values) groups.push_back(group.empty() ? nullptr : group.data());
  for (int sample = 0; sample < samples; ++sample) {
    std::uniform_real_distribution<double> number(sample % 2 == 0 ? -2 : 0.5, 2);
    for (int i = 0; i < code.inputs; ++i) interpreter.inputs()[i] = number(random);
    function(interpreter.inputs(), groups.data());
    interpreter.compute();
    for (std::size_t g = 0; g < values.size(); ++g)
      for (std::size_t i = 0; i < values[g].size(); ++i) {
        const double mine = values[g][i], its = *interpreter.value(code.outputs[g][i]);
        const bool same = std::bit_cast<std::uint64_t>(mine) == std::bit_cast<std::uint64_t>(its);
        if (!same && (mine == mine || its == its)) return false;
      }
  }
  return true;
}

/// Whether the file is there and whole: what is cut off must not be mapped.
bool is_whole(const fs::path& file) {
  const auto text = read_text(file);
  if (!text || text->size() < digest_length) return false;
  const std::string_view all = *text;
  const std::size_t end = all.size() - digest_length;
  return digest(all.substr(0, end)) == all.substr(end);
}

struct Opened {
  Compiled function = nullptr;
  std::string why;  ///< there is none
};

/// The function of a file, which stays open with the program.
Opened open_function(const fs::path& file, const Code& code) {
  if (!is_whole(file)) return {nullptr, "it is not there, or not whole"};
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {nullptr, ::dlerror()};
  const auto function = reinterpret_cast<Compiled>(::dlsym(library, symbol));
  if (function != nullptr && agrees(code, function)) return {function, ""};
  ::dlclose(library);
  return {nullptr, "its values are not those of the interpreter"};
}

}  // namespace

fs::path folder_of_functions() {
  const fs::path chosen = variable("XDG_CACHE_HOME"), home = variable("HOME");
  if (!chosen.is_absolute() && !home.is_absolute())
    throw BadInput("neither XDG_CACHE_HOME nor HOME names a folder for compiled functions");
  return (chosen.is_absolute() ? chosen : home / ".cache") / "daemark" / "compiled";
}

Compiled CodeCompiler::function_of(const Code& code) {
  if (failed_) return nullptr;
  return *functions_.get(digest(structure(code)), [&] { return made(code); });
}

std::string CodeCompiler::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void CodeCompiler::fail(const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (!failed_.exchange(true)) failure_ = why;
}

Compiled CodeCompiler::made(const Code& code) {
  try {
    std::call_once(found_, [this] { find_compiler(); });
    const std::string source = "#include <math.h>\n\n" + c_source(code, symbol);
    const fs::path file = folder_of_functions() / (digest(version_ + source) + ".so");
    if (const Compiled known = open_function(file, code).function) return known;
    compile(source, file);
    const Opened opened = open_function(file, code);
    if (opened.function) return opened.function;
    std::error_code ignored;
    fs::remove(file, ignored);
    fail(fmt::format("what {} made is refused: {}", printable(command_.front(), longest_message),
                     printable(opened.why, longest_message)));
  } catch (const BadInput& why) {
    fail(why.what());
  }
  return nullptr;
}

/// CC, or the first that there is, with what its functions depend on.
void CodeCompiler::find_compiler() {
  std::vector<std::string> candidates = {variable("CC")};
  if (words_of(candidates.front()).empty()) candidates = {"cc", "gcc", "clang"};
  const ScratchFolder folder;
  const fs::path output = folder.path() / "version";
  for (const std::string& candidate : candidates) {
    std::vector<std::string> words = words_of(candidate), asked = words;
    asked.emplace_back("--version");
    const ChildEnd end = run_child(asked, output, time_limit_);
    if (end.not_started != 0) continue;
    if (end.timed_out) break;
    utsname machine{};
    ::uname(&machine);
    command_ = std::move(words);
    version_ = fmt::format("{}\n{}\n{}\n{}\n", candidate, machine.machine,
                           fmt::join(function_flags, " "), read_text(output).value_or(""));
    return;
  }
  throw BadInput(
      fmt::format("no C compiler ({})",
                  printable(fmt::format("{}", fmt::join(candidates, ", ")), longest_message)));
}

void CodeCompiler::compile(const std::string& source, const fs::path& file) const {
  const ScratchFolder folder;
  const fs::path text = folder.path() / "code.c", made_file = folder.path() / "code.so",
                 output = folder.path() / "output";
  write_if_changed(text, source);
  std::vector<std::string> words = command_;
  words.insert(words.end(), function_flags.begin(), function_flags.end());
  words.insert(words.end(), {text.string(), "-o", made_file.string()});
  const ChildEnd end = run_child(words, output, time_limit_);
  const std::string name = printable(command_.front(), longest_message);
  if (end.timed_out) throw BadInput(fmt::format("{} did not end within {:g} s", name, time_limit_));
  const std::optional<std::string> library = read_text(made_file);
  if (end.status != 0 || !library) {
    const std::string said = read_text(output).value_or("");
    throw BadInput(fmt::format("{} failed (status {}): {}", name, end.status,
                               printable(said.substr(0, said.find('\n')), longest_message)));
  }
  write_if_changed(file, *library + digest(*library));
}

}  // namespace daemark::graph
