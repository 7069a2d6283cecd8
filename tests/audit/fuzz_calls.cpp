#include "tests/audit/fuzz_calls.hpp"

#include <algorithm>
#include <cmath>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "experiments/engine/write/book.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/core/settings.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark::audit {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t seed = 20261122;
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Strings that are no UTF-8 any more keep what is.
std::string text_of(const json& value) {
  return value.dump(1, ' ', false, json::error_handler_t::replace);
}

/// Half of the time as JSON with other values, half of the time as text with other bytes.
std::string mutated_json(const fs::path& file, Day& day) {
  const std::string text = read_text(file).value_or("{}");
  if (chance(40, day)) return mutated(text, day);
  return text_of(mutated_value(json::parse(text), day));
}

}  // namespace

const FuzzGround::Kind FuzzGround::kinds[] = {{"calls", &FuzzGround::words},
                                              {"expressions", &FuzzGround::expression},
                                              {"tableaus", &FuzzGround::tableau},
                                              {"experiments", &FuzzGround::experiment},
                                              {"references", &FuzzGround::reference},
                                              {"records", &FuzzGround::record},
                                              {"certificates", &FuzzGround::certificate}};

const char* FuzzGround::kind_of(std::uint64_t index) {
  return kinds[index % std::size(kinds)].name;
}

FuzzGround::FuzzGround(fs::path folder)
    : folder_(std::move(folder)),
      results_(folder_ / "results"),
      root_(folder_ / "tree"),
      program_(DAEMARK_BINARY),
      checker_((fs::path(DAEMARK_BINARY).parent_path() / "daemark_checker").string()),
      methods_(method_registry().examples()),
      tableaus_(files_in(source_root() / "methods" / "tableaus")),
      references_(files_in(source_root() / "results" / "references")),
      certificates_(files_in(source_root() / "results" / "certificates")) {
  for (const std::string& id : problem_registry().catalogue_ids()) problems_.push_back(id);
  for (const FormulationInfo& info : formulations())
    formulations_.push_back(info.id == "baumgarte"     ? "baumgarte(alpha=1/h,beta=sqrt(2)/h)"
                            : info.id == "substituted" ? "substituted(c=1)"
                                                       : info.id);
  for (const SettingInfo& info : setting_infos()) settings_.push_back(info.key);
  for (const std::string& paper : paper_ids(source_root() / "experiments"))
    for (const auto& file : files_in(source_root() / "experiments" / paper))
      if (file.stem() != "paper") items_.push_back(paper + "/" + file.stem().string());
  // A source tree whose experiments are its own.
  fs::create_directories(root_);
  for (const char* part : {"problems", "methods", "analysis", "base", "tests"})
    fs::create_directory_symlink(source_root() / part, root_ / part);
}

std::string FuzzGround::put(const std::string& name, const std::string& text) {
  const fs::path file = folder_ / name;
  write_if_changed(file, text);
  return file.string();
}

ChildCall FuzzGround::call(std::uint64_t index) {
  Day day(seed + index);
  ChildCall call;
  call.folder = folder_.string();
  fs::remove_all(results_);
  call.environment = {{"DAEMARK_RESULTS", results_.string()},
                      {"DAEMARK_ROOT", source_root().string()}};
  const Kind& kind = kinds[index % std::size(kinds)];
  call.arguments = (this->*kind.words)(day);
  if (kind.words == &FuzzGround::experiment) call.environment["DAEMARK_ROOT"] = root_.string();
  if (chance(25, day)) {  // stopped, most often early: a few milliseconds to 15 s
    call.longest = std::pow(10.0, -2.5 + std::uniform_real_distribution<double>(0, 3.7)(day));
    call.signal = chance(50, day) ? SIGINT : SIGTERM;
    call.grace = 2;
  }
  for (std::string& word : call.arguments) {  // what no command line can hold
    std::erase(word, '\0');
    constexpr std::size_t longest = 120000;
    if (word.size() > longest) word.resize(longest);
  }
  return call;
}

FuzzGround::Words FuzzGround::integration(const std::string& verb, Day& day) {
  Words out = {program_, verb};
  const std::string method = chance(90, day) ? one_of(methods_, day) : mutated("gauss(3)", day);
  if (verb == "converge") out.push_back(method);
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!chance(97, day)) return;
    out.push_back(name);
    out.push_back(value);
  };
  if (verb != "converge") add("--method", method);
  const bool quick = chance(60, day);
  add("--problem",
      quick ? one_of(Words{"two_link", "oscillator", "pendulum"}, day) : one_of(problems_, day));
  add("--formulation", one_of(formulations_, day));
  add("--h", verb == "converge" ? some_number(day) + "," + some_number(day) : some_number(day));
  add("--t-end", some_number(day));
  if (chance(20, day)) add("--precision", one_of(Words{"double", "quad", "real50", "half"}, day));
  if (chance(30, day)) add("--set", one_of(settings_, day) + "=" + some_number(day));
  if (chance(20, day)) out.push_back("--json");
  return out;
}

FuzzGround::Words FuzzGround::words(Day& day) {
  static const Words verbs = {"list",    "show",      "run",    "reference", "converge",
                              "analyse", "run",       "verify", "compare",   "report",
                              "help",    "--version", "--help", ""};
  const std::string verb = one_of(verbs, day);
  Words out = {program_, verb};
  if (verb == "run" || verb == "converge") {
    out = integration(verb, day);
    if (verb == "run" && chance(20, day)) {
      out.insert(out.end(), {"--trajectory", (folder_ / "motion.csv").string()});
      if (chance(50, day)) out.insert(out.end(), {"--every", some_number(day)});
    }
    if (verb == "run" && chance(15, day))
      for (const std::string& word :
           {std::string("--init"), put("init.json", mutated(R"({"q": ["1", "0"], "v": []})", day))})
        out.push_back(word);
  } else if (verb == "list") {
    out.push_back(one_of(Words{"methods", "problems", "settings", "experiments", "all", ""}, day));
  } else if (verb == "show" || verb == "analyse" || verb == "verify") {
    const std::string method = one_of(methods_, day);
    out.push_back(chance(60, day) ? method : mutated(method, day));
    if (verb == "show" && chance(40, day)) out.back() = one_of(problems_, day);
    if (verb == "analyse" && chance(40, day)) out.insert(out.end(), {"--x", some_number(day)});
    if (verb == "analyse" && chance(20, day)) out.insert(out.end(), {"--box", "0,1,0"});
    if (verb == "verify") out.insert(out.end(), {"--time-limit", "10"});
  } else if (verb == "reference") {
    out.insert(out.end(), {one_of(Words{"two_link", "pendulum", "oscillator", "nowhere"}, day),
                           "--t", some_number(day), "--digits", some_number(day)});
  } else if (verb == "compare") {
    out.insert(out.end(), {one_of(methods_, day), "--problem", "oscillator", "--h",
                           some_number(day) + "," + some_number(day), "--t-end", some_number(day)});
  }
  for (std::string& word : out)
    if (&word != &out.front() && chance(4, day)) word = mutated(word, day);
  if (chance(10, day)) out.push_back(one_of(Words{"--json", "--unheard", "-", "--", "x=y"}, day));
  return out;
}

FuzzGround::Words FuzzGround::expression(Day& day) {
  const std::string odd = chance(50, day) ? odd_number(day) : mutated("sqrt(3)/2 + cos(pi/5)", day);
  switch (day() % 5) {
    case 0:
      return {program_, "show", "pade_block(r=2,k=1,nodes=[" + odd + ",1])"};
    case 1:
      return {program_, "verify", "msstc(n=3,rho=" + odd + ")", "--time-limit", "10"};
    case 2:
      return {program_, "analyse", "bathe(rho=" + odd + ")", "--x", odd_number(day)};
    case 3:
      return {program_,   "run",           "--problem",
              "two_link", "--formulation", "baumgarte(alpha=" + odd + ",beta=1/h)",
              "--method", "gauss(2)",      "--h",
              "1/20",     "--t-end",       "1"};
    default:
      return {program_,   "run",  "--problem", "pendulum", "--formulation", "index1",
              "--method", "erk4", "--h",       odd,        "--t-end",       some_number(day)};
  }
}

FuzzGround::Words FuzzGround::tableau(Day& day) {
  const fs::path original = one_of(tableaus_, day);
  json value = json::parse(read_text(original).value_or("{}"));
  value["id"] = "mine";
  const std::string text = chance(30, day) ? mutated(text_of(value), day)
                                           : text_of(mutated_value(std::move(value), day));
  const std::string file = put("mine.json", text);
  switch (day() % 4) {
    case 0:
      return {program_, "show", "mine", "--tableau", file};
    case 1:
      return {program_,  "run",      "--problem", "two_link", "--formulation",
              "index2",  "--method", "mine",      "--h",      "1/10",
              "--t-end", "1",        "--tableau", file};
    case 2:
      return {program_, "analyse", "mine", "--tableau", file};
    default:
      return {program_, "verify", file, "--time-limit", "10"};
  }
}

FuzzGround::Words FuzzGround::experiment(Day& day) {
  const std::string item = one_of(items_, day);
  const std::string paper = item.substr(0, item.find('/'));
  const fs::path own = root_ / "experiments" / paper;
  fs::remove_all(root_ / "experiments");
  fs::create_directories(own);
  for (const auto& file : files_in(source_root() / "experiments" / paper))
    fs::create_symlink(file, own / file.filename());
  const std::string name = (chance(85, day) ? item.substr(paper.size() + 1) : "paper") + ".json";
  fs::remove(own / name);
  write_if_changed(own / name, mutated_json(source_root() / "experiments" / paper / name, day));
  switch (day() % 4) {
    case 0:
      return {program_, "list", "experiments"};
    case 1:
      return {program_, "reproduce", item, "--short", "--time-limit", "0.02"};
    default:
      return {program_, "show", chance(80, day) ? item : paper};
  }
}

FuzzGround::Words FuzzGround::reference(Day& day) {
  const fs::path original = one_of(references_, day);
  const json content = json::parse(read_text(original).value_or("{}"));
  const std::string problem = content.value("problem", "two_link");
  write_if_changed(results_ / "references" / original.filename(), mutated_json(original, day));
  const json& states = content.at("states");
  const std::string t = states.at(day() % states.size()).at("t").get<std::string>();
  if (chance(50, day)) return {program_, "reference", problem, "--t", t, "--stored"};
  return {program_,  "run",      "--problem", problem, "--formulation",
          "index1",  "--method", "gauss(2)",  "--h",   "(" + t + ")/8",
          "--t-end", t,          "--errors"};
}

FuzzGround::Words FuzzGround::record(Day& day) {
  const std::string item = one_of(items_, day);
  const fs::path from = source_root() / "results" / item;
  const fs::path to = results_ / item;
  if (!fs::is_directory(from)) return {program_, "report"};
  fs::create_directories(to);
  std::vector<fs::path> files;
  constexpr std::uintmax_t largest = 3000000;
  for (const auto& entry : fs::directory_iterator(from))
    if (entry.is_regular_file() && entry.path().extension() != ".svg" &&
        entry.file_size() < largest)
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  const std::size_t chosen = files.empty() ? 0 : day() % files.size();
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string text = read_text(files[i]).value_or("");
    if (i == chosen && chance(15, day)) continue;
    write_if_changed(to / files[i].filename(), i == chosen ? mutated(text, day) : text);
  }
  if (chance(20, day)) write_if_changed(results_ / "catalogue.json", mutated("[{}]\n", day));
  if (chance(20, day)) write_if_changed(results_ / ".cache" / "stamp.json", mutated("{}", day));
  return {program_, "report"};
}

FuzzGround::Words FuzzGround::certificate(Day& day) {
  const std::string file = put("certificate.json", mutated_json(one_of(certificates_, day), day));
  Words out = {checker_, file};
  if (chance(20, day)) {
    out.push_back("--tableau");
    out.push_back(put("tableau.json", mutated_json(one_of(tableaus_, day), day)));
  }
  return out;
}

}  // namespace daemark::audit
