// program(program,variant): any program that integrates mechanisms, run in a process of its own
// (bindings/PROGRAMS.md). It gets the mechanism as a file and leaves a trajectory, whose rows are
// mapped to the problem's coordinates; accelerations, and multipliers that it does not give, are
// those of its states (the index-1 solve).
#include "methods/external/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <mutex>
#include <optional>
#include <set>

#include "base/program/process.hpp"
#include "base/program/write_file.hpp"
#include "base/text/printable.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/external/external_method.hpp"
#include "problems/bodies/body_states.hpp"
#include "problems/bodies/mechanism_json.hpp"
#include "problems/bodies/trajectory.hpp"

namespace daemark {
namespace {

struct ProgramCall {
  std::string program;
  ProgramVariant variant;
  std::string tolerance;
  ChildLimits limits;
};

/// Where the numbers of a row go: states of bodies, or the problem's own coordinates.
class RowReader {
 public:
  RowReader(const RigidBodies* bodies, MechanicalSystem<double>& mechanism,
            const std::vector<TrajectoryColumn>& columns)
      : mechanism_(mechanism) {
    std::vector<std::string> names;
    for (const TrajectoryColumn& column : columns) names.push_back(column.name);
    const auto find = [&](const std::vector<std::string>& ids) {
      std::vector<int> places;
      for (const std::string& id : ids) {
        const auto at = std::find(names.begin(), names.end(), id);
        if (at == names.end()) return std::vector<int>();
        places.push_back(static_cast<int>(at - names.begin()));
      }
      return places;
    };
    const StateNames own = own_names(mechanism), shown = state_names(mechanism);
    lambda_ = find(own.lambda);
    if (bodies != nullptr) {
      states_ = BodyStateColumns::find(*bodies, names);
      shown_.emplace(*bodies);
    }
    if (states_) return;
    in_reference_ = mechanism.chart_size() > 0;
    const StateNames& wanted = in_reference_ ? shown : own;
    q_ = find(wanted.q), v_ = find(wanted.v);
    if (q_.empty() || v_.empty())
      throw BadInput(fmt::format("columns {}; accepted: states of all bodies, or {}, {}",
                                 printable(fmt::format("{}", fmt::join(names, ", ")), 300),
                                 fmt::join(wanted.q, ", "), fmt::join(wanted.v, ", ")));
  }

  void place(const std::vector<double>& row, State<double>& state) {
    const int n = mechanism_.coordinates(), shown = mechanism_.reference_coordinates();
    if (!states_ && !in_reference_) {
      for (int i = 0; i < n; ++i) state.y[i] = row[q_[i]], state.y[n + i] = row[v_[i]];
      return;
    }
    std::vector<double> q(shown), v(shown);
    if (states_)
      shown_->show(states_->states(row), q.data(), v.data());
    else
      for (int i = 0; i < shown; ++i) q[i] = row[q_[i]], v[i] = row[v_[i]];
    mechanism_.from_reference(q.data(), v.data(), state.y.data(), state.y.data() + n,
                              state.chart.data());
  }
  /// Over those of the state, where the program gives them.
  void place_multipliers(const std::vector<double>& row, State<double>& state) const {
    const int n = mechanism_.coordinates();
    for (std::size_t i = 0; i < lambda_.size(); ++i) state.y[2 * n + i] = row[lambda_[i]];
  }

 private:
  MechanicalSystem<double>& mechanism_;
  std::optional<BodyStateColumns> states_;
  std::optional<ShownBodies> shown_;
  std::vector<int> q_, v_, lambda_;
  bool in_reference_ = false;
};

/// Each text once, for good: reports outlive their integrator where events are searched.
const char* kept(const std::string& why) {
  static std::mutex mutex;
  static std::set<std::string> all;
  const std::lock_guard lock(mutex);
  return all.insert(why).first->c_str();
}

class ProgramRun final : public Integrator<double> {
 public:
  ProgramRun(const Target<double>& target, ProgramCall call)
      : target_(target), call_(std::move(call)) {}

  void start(const State<double>& initial, const OutputPoints<double>& points) override {
    state_ = initial, points_ = points;
    const int n = target_.mechanism->coordinates();
    std::vector<double> own(2 * n);
    target_.mechanism->initial(own.data(), own.data() + n);
    own_start_ = std::equal(own.begin(), own.end(), initial.y.begin());
    counts_ = {}, done_ = 0, seconds_ = 0;
    reader_.reset(), rows_.reset();
    ended_.reset();
  }
  StepReport advance() override {
    if (!ended_) ended_ = run();
    StepReport report;
    try {
      report = next_row();
    } catch (const BadInput& wrong) {
      report = say(Status::failed, wrong.what());
    }
    if (report.status == Status::ok) return report;
    // Why it ended tells more than that a row is missing.
    return ended_->status != Status::ok && report.status == Status::failed ? *ended_ : report;
  }
  const State<double>& state() const override { return state_; }
  const Counts& counts() const override { return counts_; }
  double own_seconds() const override { return seconds_; }

 private:
  StepReport say(Status status, const std::string& why) { return {status, kept(why)}; }

  /// Writes the mechanism, runs the program, opens what it left.
  StepReport run() {
    const ProgramDescription& known = describe_program(call_.program);
    const Problem* const problem = target_.problem;
    if (problem != nullptr && problem->bodies) bodies_ = problem->bodies();
    if (!own_start_)
      return say(Status::cannot_express, "it starts where the problem does, not elsewhere");
    if (!known.equations) {
      if (!bodies_)
        return say(Status::cannot_express, "the problem is no mechanism of rigid bodies");
      for (const std::string& feature : bodies_->features())
        if (std::find(known.accepts.begin(), known.accepts.end(), feature) == known.accepts.end())
          return say(Status::cannot_express, feature + " are not accepted by " + known.name);
    }
    const auto at = [&](const char* name) { return folder_.path() / name; };
    // A program with equations of its own reads no bodies.
    write_if_changed(at("mechanism.json"),
                     mechanism_json(problem != nullptr ? problem->name : "",
                                    known.equations ? nullptr : bodies_.get(),
                                    {points_.begin, points_.spacing, points_.count})
                             .dump(1) +
                         "\n");
    const std::string step =
        call_.variant.steps == "fixed" ? fmt::format("{:.17g}", points_.spacing) : call_.tolerance;
    std::error_code ignored;
    std::filesystem::remove(at("out.csv"), ignored);
    const ChildEnd end =
        run_child({program_file(call_.program).string(), at("mechanism.json").string(),
                   call_.variant.name, step, at("out.csv").string()},
                  at("said"), call_.limits, at("errors"));
    read_last_line(said_in(at("said"), Portion::last));
    return report_of(end, said_in(at("errors"), Portion::first));
  }

  StepReport report_of(const ChildEnd& end, const std::string& errors) {
    const std::string first = printable(errors.substr(0, errors.find('\n')), 200);
    constexpr int not_expressed = 3;
    if (end.timed_out)
      return say(Status::timed_out, fmt::format("not done after {:g} s", call_.limits.seconds));
    if (end.signal != 0) return say(Status::aborted, fmt::format("by signal {}", end.signal));
    if (end.status == not_expressed) return say(Status::cannot_express, first);
    if (end.not_started != 0 || end.status != 0)
      return say(Status::failed, first.empty() ? fmt::format("exit status {}", end.status) : first);
    return {};
  }

  void read_last_line(std::string said) {
    while (!said.empty() && said.back() == '\n') said.pop_back();
    const nlohmann::json last =
        nlohmann::json::parse(said.substr(said.rfind('\n') + 1), nullptr, false);
    if (!last.is_object()) return;
    const auto number = [&](const char* key) {
      return last.contains(key) && last[key].is_number() ? last[key].get<double>() : 0.0;
    };
    seconds_ = number("cpu_seconds");
    counts_.steps = static_cast<long>(number("steps"));
    counts_.residual_evals = static_cast<long>(number("evaluations"));
  }

  StepReport next_row() {
    const std::string file = (folder_.path() / "out.csv").string();
    TrajectoryRow row;
    if (!reader_) {
      if (!std::filesystem::exists(file)) return say(Status::failed, "no trajectory");
      reader_.emplace(file, false);
      rows_.emplace(bodies_.get(), *target_.mechanism, reader_->columns());
      if (!reader_->next(row)) return say(Status::failed, "no rows");
      if (!is_at(row, 0)) return wrong_time(row, 0);
    }
    if (!reader_->next(row)) return say(Status::failed, "the trajectory ends");
    ++done_;
    if (!is_at(row, done_)) return wrong_time(row, done_);
    for (const double x : row.values)
      if (!std::isfinite(x)) return say(Status::not_finite, "what the program wrote is not finite");
    State<double> next = state_;
    next.t = time_of(done_);
    rows_->place(row.values, next);
    if (!target_.system->explicit_rates(next.y.data(), next.rate.data(), next.t, next.chart.data()))
      return say(Status::singular_matrix, "the index-1 matrix is singular");
    rows_->place_multipliers(row.values, next);
    state_ = std::move(next);
    return {};
  }
  double time_of(long k) const { return points_.begin + static_cast<double>(k) * points_.spacing; }
  bool is_at(const TrajectoryRow& row, long k) const {
    return std::abs(row.t - time_of(k)) <= 1e-6 * points_.spacing;
  }
  StepReport wrong_time(const TrajectoryRow& row, long k) {
    return say(Status::failed, fmt::format("row {} has t = {:.10g}, expected t = {:.10g}", k + 1,
                                           row.t, time_of(k)));
  }

  Target<double> target_;
  ProgramCall call_;
  ScratchFolder folder_;
  std::shared_ptr<const RigidBodies> bodies_;
  std::optional<StepReport> ended_;
  std::optional<TrajectoryReader> reader_;
  std::optional<RowReader> rows_;
  OutputPoints<double> points_;
  State<double> state_;
  Counts counts_;
  double seconds_ = 0;
  long done_ = 0;
  bool own_start_ = true;
};

class ProgramMethod final : public MethodOf<ProgramMethod> {
 public:
  explicit ProgramMethod(ProgramCall call) : call_(std::move(call)) {}

  int cost_stages() const override { return 1; }
  bool owns_loop() const override { return true; }
  bool chooses_steps() const override { return call_.variant.steps == "tolerance"; }
  std::vector<std::string> details() const override {
    const ProgramDescription& known = describe_program(call_.program);
    return {fmt::format("{} {}, {} steps", known.name, known.version, call_.variant.steps),
            call_.variant.settings,
            known.equations ? "accepts every problem"
                            : fmt::format("accepts {}", fmt::join(known.accepts, ", "))};
  }
  std::string refusal(const SystemTraits& system) const override {
    if (system.precision != Precision::in_double) return refusals::double_only;
    const bool free = system.index == 0 && system.constraints == 0 && !system.minimal;
    return system.mechanism && (system.index == 1 || free)
               ? ""
               : "it has equations of its own; accepted: index1";
  }
  std::unique_ptr<Integrator<double>> own_integrator(const Target<double>& target,
                                                     const Settings&) const override {
    return std::make_unique<ProgramRun>(target, call_);
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>&, const Settings&) const {
    return nullptr;
  }

 private:
  ProgramCall call_;
};

ProgramCall call_of(const Arguments& arguments) {
  ProgramCall call;
  call.program = arguments.value("program").text;
  const ProgramDescription& known = describe_program(call.program);
  const std::string name =
      arguments.given("variant") ? arguments.value("variant").text : known.variants[0].name;
  std::vector<std::string> names;
  for (const ProgramVariant& variant : known.variants) {
    if (variant.name == name) call.variant = variant;
    names.push_back(variant.name);
  }
  if (call.variant.name.empty())
    throw BadInput(fmt::format("program {}: variant {}; accepted: {}", printable(call.program, 200),
                               in_quotes(name), fmt::join(names, ", ")));
  call.tolerance = fmt::format("{:.17g}", tolerance(arguments, "program"));
  constexpr long longest = 86400, least_memory = 16, most_memory = 1000000;
  call.limits.seconds = static_cast<double>(arguments.integer("seconds", 1, longest));
  call.limits.megabytes = arguments.integer("memory", least_memory, most_memory);
  return call;
}

}  // namespace

void register_program(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "program";
  info.kind = "external";
  info.summary = "a program of your own, or a physics engine, in a process of its own";
  using Type = Parameter::Type;
  info.parameters = {
      {"program", Type::word, "", "path that begins with / or ./, or the name of a joined program"},
      {"variant", Type::word, "", "one that PROGRAM --describe names; its first", true},
      tolerance_parameter(),
      {"seconds", Type::integer, "60", "integer 1..86400, limit of a run"},
      {"memory", Type::integer, "2000", "integer 16..1000000 [MB], limit of a run"}};
  info.source = {"", "bindings/PROGRAMS.md"};
  info.outside = [](const Arguments& arguments) {
    return describe_program(arguments.value("program").text).digest;
  };
  registry.add(info, [](const Arguments& arguments) {
    return std::make_shared<ProgramMethod>(call_of(arguments));
  });
}

}  // namespace daemark
