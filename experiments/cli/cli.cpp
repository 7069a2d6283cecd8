#include "experiments/cli/cli.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <ostream>

#include "base/text/bad_input.hpp"
#include "experiments/cli/tableau_option.hpp"
#include "experiments/cli/verb.hpp"

namespace daemark {
namespace {

struct Verb {
  const char *name, *summary, *example;
  VerbAction (*declare)(CLI::App&);
};

// clang-format off
constexpr Verb verbs[] = {
    {"list", "what the catalogue holds", "daemark list methods", declare_list},
    {"show", "what a method, problem, formulation, setting, paper or item is",
     "daemark show 'pade_block(r=3,k=2)'", declare_show},
    {"run", "integrate once",
     "daemark run --problem two_link --formulation index1 --method 'pade_block(r=4,k=2)' "
     "--h 0.01 --t-end 10",
     declare_run},
    {"reference", "a state by two independent routes, with the digits on which they agree",
     "daemark reference two_link --t 1,10 --digits 30", declare_reference},
    {"converge", "errors against the reference over step sizes, and their slopes",
     "daemark converge 'gauss(3)' --problem two_link --formulation index3 "
     "--h 1/10,1/20,1/40,1/80 --t-end 1",
     declare_converge},
    {"analyse", "amplitude decay, period elongation, spectral radius",
     "daemark analyse 'gauss(2)' --x 0.1,0.2,0.5", declare_analyse},
    {"reproduce", "tables, figures and verdicts of the papers, under results/",
     "daemark reproduce li2019/table1", declare_reproduce},
    {"verify", "exact order, stability certificates, errata", "daemark verify 'gauss(2)'",
     declare_verify},
    {"compare", "a method beside the catalogue on every problem it accepts",
     "daemark compare 'radau_iia(3)'", declare_compare},
    {"report", "results/index.html from the records that stand there", "daemark report",
     declare_report},
};
// clang-format on

/// Without line breaks and control characters: messages quote what the user typed.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) names.push_back(option->get_name());
  return names;
}

/// CLI11's refusals in our form: what, where, what is accepted.
std::string refusal(const CLI::App& app, const CLI::App* verb, const CLI::ParseError& error) {
  if (verb == nullptr) {
    std::vector<std::string> names;
    for (const Verb& known : verbs) names.emplace_back(known.name);
    const std::vector<std::string> left = app.remaining();
    return fmt::format("daemark: {} is no verb; accepted: {}",
                       left.empty() ? "nothing" : "'" + left.front() + "'", fmt::join(names, ", "));
  }
  const std::string what = one_line(error.what()), name = verb->get_name();
  if (const auto left = verb->remaining(); !left.empty()) {
    return fmt::format("daemark {}: unexpected '{}'; accepted: {}", name, left.front(),
                       fmt::join(option_names(*verb), ", "));
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    return fmt::format("daemark {}: {}; accepted: the form daemark {} --help shows", name, what,
                       name);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return fmt::format("daemark {}: {}; accepted: one value an option", name, what);
  }
  return fmt::format("daemark {}: {}", name, what);
}

struct Program {
  CLI::App app{"daemark: time integrators for constrained multibody dynamics, benchmarked",
               "daemark"};
  struct Declared {
    CLI::App* verb;
    VerbAction action;
    std::shared_ptr<std::vector<std::string>> tableaus;
  };
  std::vector<Declared> declared;

  Program() {
    app.require_subcommand(1);
    app.footer(
        "daemark VERB --help shows the options of a verb and an example. Exit status: 0 done, "
        "1 numerical failure, 2 bad input.");
    for (const Verb& known : verbs) {
      CLI::App* verb = app.add_subcommand(known.name, known.summary);
      verb->footer(fmt::format("Example:\n  {}", known.example));
      VerbAction action = known.declare(*verb);
      declared.push_back({verb, std::move(action), add_tableau_option(*verb)});
    }
  }

  const Declared* chosen() const {
    for (const Declared& candidate : declared) {
      if (candidate.verb->parsed()) return &candidate;
    }
    return nullptr;
  }
};

int run_chosen(const Program::Declared& chosen, std::ostream& out, std::ostream& err) {
  const std::string name = chosen.verb->get_name();
  try {
    load_tableaus(*chosen.tableaus);
    return chosen.action(out, err);
  } catch (const BadInput& error) {
    err << "daemark " << name << ": " << one_line(error.what()) << "\n";
    return 2;
  } catch (const std::exception& error) {
    err << "daemark " << name << ": failed: " << one_line(error.what()) << "\n";
    return 1;
  }
}

}  // namespace

int run_cli(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  Program program;
  if (argc < 2) {
    out << program.app.help();
    return 0;
  }
  try {
    program.app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto* chosen = program.chosen();
    out << (chosen != nullptr ? chosen->verb->help("daemark") : program.app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    const auto* chosen = program.chosen();
    err << one_line(refusal(program.app, chosen != nullptr ? chosen->verb : nullptr, error))
        << "\n";
    return 2;
  }
  return run_chosen(*program.chosen(), out, err);
}

}  // namespace daemark
