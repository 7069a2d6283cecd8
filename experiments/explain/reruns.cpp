#include "experiments/explain/reruns.hpp"

#include <fmt/format.h>

#include "base/text/bad_input.hpp"
#include "experiments/advice/judging_motion.hpp"

namespace daemark {
namespace {

template <class S>
EndState end_in(const BoundRun& run, const RunResult& result) {
  const auto read = [](const std::vector<std::string>& texts) {
    std::vector<real50> numbers;
    for (const std::string& text : texts) numbers.emplace_back(text);
    return numbers;
  };
  EndState end = {read(result.q), read(result.v), read(result.lambda)};
  const auto mechanism = run.problem.make<S>(run.formulation.info.minimal);
  if (mechanism->chart_size() > 0) return end;  // it is shown in these coordinates
  const std::vector<S> q(end[0].begin(), end[0].end()), v(end[1].begin(), end[1].end());
  std::vector<S> to_q(mechanism->reference_coordinates()), to_v(to_q.size());
  mechanism->to_reference({S(result.t), q.data(), v.data()}, to_q.data(), to_v.data());
  end[0].assign(to_q.begin(), to_q.end()), end[1].assign(to_v.begin(), to_v.end());
  return end;
}

}  // namespace

Reruns::Reruns(const BoundRun& run, double seconds) : run_(run), request_(run.request) {
  begin(seconds);
  request_.errors = request_.warnings = false;
  request_.history_every = 0, request_.repeat = 0;
  request_.history_sink = nullptr;
  request_.events.clear();
}

void Reruns::begin(double seconds) {
  end_ = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
}

double Reruns::left() const {
  return std::chrono::duration<double>(end_ - std::chrono::steady_clock::now()).count();
}

Rerun Reruns::operator()(const RunRequest& request, double share) const {
  Rerun rerun;
  try {
    const BoundRun bound(request, run_.problem);
    rerun.result = run_within(bound, share * left());
    if (rerun.ok())
      rerun.end =
          with_scalar(request.precision, [&]<class S>() { return end_in<S>(bound, rerun.result); });
  } catch (const BadInput& refusal) {
    rerun.result.status = "refused", rerun.result.why = refusal.what();
  }
  return rerun;
}

Expression divided(const Expression& h, int by) {
  if (h.is_rational()) return Expression(rational(h.as_rational() / by));
  return Expression::parse(fmt::format("({})/{}", h.text(), by), "h", {"pi"});
}

}  // namespace daemark
