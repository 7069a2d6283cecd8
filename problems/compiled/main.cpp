// A program of the build: writes C functions for the codes that the catalogue's mechanisms are
// evaluated by (base/graph/compiled.hpp), each structure once.
//   daemark_codes FILE...      the functions are divided among the files, the last has the table
#include <fmt/format.h>

#include <map>
#include <sstream>

#include "base/graph/compiled.hpp"
#include "base/graph/source.hpp"
#include "base/program/digest.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

/// The calls of a problem without arguments, and with each word that a parameter takes.
std::vector<std::string> calls_of(const ProblemInfo& info) {
  std::vector<std::string> calls = {info.id};
  for (const Parameter& p : info.parameters) {
    if (p.type != Parameter::Type::word) continue;
    std::istringstream words(p.accepted);
    for (std::string word; words >> word;)
      if (word != "|" && word != p.fallback)
        calls.push_back(fmt::format("{}({}={})", info.id, p.name, word));
  }
  return calls;
}

/// With 1 for what has no default.
Formulation sample(const FormulationInfo& info) {
  std::string arguments;
  for (const Parameter& p : info.parameters)
    if (p.fallback.empty() && !p.optional)
      arguments += (arguments.empty() ? "(" : ",") + p.name + "=1";
  return Formulation::parse(info.id + (arguments.empty() ? "" : arguments + ")"));
}

/// What an integration asks of a formulation.
void evaluate(const FormulationInfo& info, const MechanicalPtr<double>& mechanism, double t) {
  const auto system = formulate<double>(sample(info), mechanism, wide(1) / 100);
  std::vector<double> y(system->size()), rate(system->size()), r(system->unknowns()),
      by_y(system->pattern_y().size()), by_rate(system->pattern_rate().size()),
      chart(mechanism->chart_size());
  mechanism->initial(y.data(), y.data() + mechanism->coordinates());
  mechanism->initial_chart(chart.data());
  system->explicit_rates(y.data(), rate.data(), t, chart.data());
  const SystemPoint<double> point{y.data(), rate.data(), t, chart.data()};
  system->evaluate(point, r.data(), nullptr, nullptr);
  system->evaluate(point, r.data(), by_y.data(), by_rate.data());
}

/// What it asks of the mechanism itself: energies, violations of constraints, projections.
void measure(MechanicalSystem<double>& mechanism, double t) {
  const int n = mechanism.coordinates(), m = mechanism.constraints();
  std::vector<double> q(n), v(n), a(n), lambda(m), values(mechanism.outputs().size()),
      chart(mechanism.chart_size());
  mechanism.initial(q.data(), v.data());
  mechanism.initial_chart(chart.data());
  const MotionPoint<double> point{t, q.data(), v.data(), a.data(), lambda.data(), chart.data()};
  mechanism.kinetic_energy(point), mechanism.potential_energy(point);
  mechanism.work(point), mechanism.power(point);
  mechanism.output_values(point, values.data());
  std::vector<double> level(m), gradient(mechanism.gradient_pattern().size());
  for (const bool of_positions : {true, false})
    for (double* const G : {static_cast<double*>(nullptr), gradient.data()}) {
      MotionValues<double> out;
      (of_positions ? out.position : out.velocity) = level.data();
      out.gradient = G;
      mechanism.evaluate(point, {}, out);
    }
}

void use(const Problem& problem) {
  const double t = problem.start.eval<double>();
  for (const bool minimal : {false, true}) {
    if (minimal && !problem.has_minimal()) continue;
    const auto mechanism = problem.make<double>(minimal);
    measure(*mechanism, t);
    for (const FormulationInfo& info : formulations())
      if (info.levels && info.minimal == minimal) evaluate(info, mechanism, t);
  }
}

/// By the digest of their structures.
std::map<std::string, graph::Code> codes_of_catalogue() {
  std::map<std::string, graph::Code> codes;
  graph::watch_codes([&codes](const graph::Code& code) {
    if (!code.list.empty() && code.list.size() <= graph::most_compiled_instructions)
      codes.emplace(digest(graph::structure(code)), code);
  });
  for (const std::string& id : problem_registry().catalogue_ids())
    for (const std::string& call : calls_of(problem_registry().info(id))) {
      try {
        use(problem_registry().make(call));
      } catch (const BadInput&) {  // an argument without default: its codes are interpreted
      }
    }
  graph::watch_codes({});
  return codes;
}

std::string name_of(int number) { return fmt::format("daemark_code_{}", number); }

void write(const std::map<std::string, graph::Code>& codes, const std::vector<std::string>& files) {
  const std::string includes =
      "#include <math.h>\n\n#include \"base/graph/compiled_entry.hpp\"\n\n";
  std::vector<std::string> texts(files.size(), includes);
  std::string declared, table;
  int number = 0;
  for (const auto& [digest, code] : codes) {
    const std::string name = name_of(number);
    texts[number++ % files.size()] += "extern \"C\" " + graph::c_source(code, name);
    declared += fmt::format("extern \"C\" void {}(const double*, double* const*);\n", name);
    table += fmt::format("  {{\"{}\", {}}},\n", digest, name);
  }
  texts.back() += declared +
                  "extern \"C\" const int daemark_compiled_count = " + std::to_string(number) +
                  ";\nextern \"C\" const daemark::graph::CompiledEntry daemark_compiled[] = {\n" +
                  table + "  {nullptr, nullptr}};\n";
  for (std::size_t i = 0; i < files.size(); ++i) write_if_changed(files[i], texts[i]);
}

}  // namespace
}  // namespace daemark

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  daemark::write(daemark::codes_of_catalogue(), {argv + 1, argv + argc});
  return 0;
}
