#include "problems/builder/builder.hpp"

#include <fmt/format.h>

namespace daemark {

void BodyBuilder::check_body(int body, const std::string& element) const {
  if (body < ground || body >= body_count())
    throw BadInput(fmt::format("{}: body {} does not exist, accepted: ground or 0..{}", element,
                               body, body_count() - 1));
}

void BodyBuilder::check_pair(int a, int b, const std::string& element) const {
  check_body(a, element), check_body(b, element);
  if (a == b)
    throw BadInput(fmt::format("{}: both ends are on {}, accepted: two different bodies", element,
                               a == ground ? "the ground" : body_name(a)));
}

void BodyBuilder::check_loaded(int body, const std::string& element) const {
  check_body(body, element);
  if (body == ground) throw BadInput(fmt::format("{}: acts on a body, not on the ground", element));
}

void BodyBuilder::add_output(const OutputInfo& output, Law law) {
  for (const OutputInfo& known : outputs_)
    if (known.id == output.id)
      throw BadInput(
          fmt::format("output {} is declared twice, accepted: one of each id", output.id));
  outputs_.push_back(output);
  output_laws_.push_back(std::move(law));
}

void BodyBuilder::give_outputs(Mechanism& made) const {
  made.outputs = outputs_;
  if (outputs_.empty()) return;
  made.output_values = [laws = output_laws_](const MotionPoint<Var>& at) {
    std::vector<Var> values;
    for (const Law& law : laws) values.push_back(law(at));
    return values;
  };
}

}  // namespace daemark
