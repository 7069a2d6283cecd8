#include "analysis/setup/run_request.hpp"

#include <fmt/format.h>

#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"

namespace daemark {

EventRequest EventRequest::parse(const std::string& text, const std::string& where, bool ends) {
  EventRequest event;
  event.text = text, event.ends = ends;
  std::string rest = text;
  for (const auto& [word, direction] : {std::pair(":rising", 1), {":falling", -1}})
    if (rest.ends_with(word)) {
      event.direction = direction;
      rest.resize(rest.size() - std::string(word).size());
    }
  const std::size_t equal = rest.find('=');
  if (equal == std::string::npos || equal == 0 || rest.find(':') != std::string::npos)
    throw BadInput(
        fmt::format("{}: {}; accepted: NAME=VALUE, NAME=VALUE:rising, "
                    "NAME=VALUE:falling",
                    where, in_quotes(text)));
  event.quantity = rest.substr(0, equal);
  event.value = Expression::parse(rest.substr(equal + 1), where, {"pi"});
  return event;
}

}  // namespace daemark
