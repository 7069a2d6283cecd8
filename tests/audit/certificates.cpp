#include <sstream>

#include "base/program/paths.hpp"
#include "tests/audit/audit.hpp"
#include "tests/audit/child.hpp"

namespace daemark::audit {

Outcome certificates() {
  ChildCall call;
  const std::string script = (source_root() / "tests/analysis/checker/checker_test.py").string();
  call.arguments = {"python3", script, source_root().string(), DAEMARK_BINARY, "1"};
  call.folder = source_root().string();
  call.memory = 8e9, call.silent = call.longest = 4 * 3600;
  const ChildEnd end = run_child(call);
  Outcome out;
  std::istringstream said(end.out);
  int sound = 0, forged = 0;
  for (std::string line; std::getline(said, line);) {
    if (std::sscanf(line.c_str(), "%d sound certificates, %d forgeries", &sound, &forged) == 2)
      out.compared = sound + forged;
    else if (!line.empty())
      out.differences.push_back(line);
  }
  if (end.status != 0 && out.differences.empty())
    out.differences.push_back("no result: " + end.err);
  return out;
}

}  // namespace daemark::audit
