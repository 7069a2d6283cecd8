#include "experiments/cli/cli.hpp"

#include <memory>
#include <new>
#include <ostream>
#include <string>
#include <vector>

#include "analysis/reference/reference.hpp"
#include "base/program/interrupt.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cli/tableau_option.hpp"
#include "experiments/cli/verb.hpp"

namespace daemark {
namespace {

struct Verb {
  const char *name, *summary, *example;
  VerbAction (*declare)(OptionSet&);
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
    {"report", "the pages of results/ from the records that stand there", "daemark report",
     declare_report},
};
// clang-format on

/// The verbs with their options; the actions hold what the options are read into.
struct Program {
  CommandLine line{"daemark",
                   "daemark: time integrators for constrained multibody dynamics, benchmarked",
                   "daemark VERB --help shows the options of a verb and an example. Exit status: 0 "
                   "done, 1 numerical failure, 2 bad input."};
  struct Declared {
    const Verb* verb;
    VerbAction action;
    std::shared_ptr<std::vector<std::string>> tableaus;
  };
  std::vector<Declared> declared;

  Program() {
    for (const Verb& known : verbs) {
      OptionSet& options = line.add_verb(known.name, known.summary, known.example);
      VerbAction action = known.declare(options);
      declared.push_back({&known, std::move(action), add_tableau_option(options)});
    }
  }
};

int run_chosen(const Program::Declared& chosen, std::ostream& out, std::ostream& err) {
  const char* name = chosen.verb->name;
  const InterruptGuard guard;
  try {
    load_tableaus(*chosen.tableaus);
    return chosen.action(out, err);
  } catch (const Stopped&) {
    err << "daemark " << name << ": interrupted\n";
    return 2;
  } catch (const BadInput& error) {
    err << "daemark " << name << ": " << one_line(error.what()) << "\n";
    return 2;
  } catch (const std::bad_alloc&) {
    err << "daemark " << name << ": out of memory; accepted: what fits into it\n";
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
    out << program.line.help();
    return 0;
  }
  const CommandLine::Parsed parsed = program.line.parse(argc, argv);
  if (!parsed.refusal.empty()) {
    err << parsed.refusal << "\n";
    return 2;
  }
  if (parsed.verb < 0) {
    out << parsed.help;
    return 0;
  }
  const Program::Declared& chosen = program.declared[parsed.verb];
  const int status = run_chosen(chosen, out, err);
  for (const std::string& note : take_reference_notes())
    err << "daemark " << chosen.verb->name << ": " << one_line(note) << "\n";
  return status;
}

}  // namespace daemark
