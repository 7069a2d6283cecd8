#include "experiments/explain/reruns.hpp"

#include <fmt/format.h>

#include "base/text/bad_input.hpp"
#include "experiments/advice/judging_motion.hpp"

namespace daemark {
namespace {

std::vector<real50> numbers(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
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
    const RunResult& result = rerun.result;
    if (rerun.ok())
      rerun.end = with_scalar(request.precision, [&]<class S>() {
        return in_reference(bound, S(result.t),
                            EndState{numbers(result.q), numbers(result.v), numbers(result.lambda)});
      });
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
