// A paper of two items in a scratch folder, and a fake integration, for tests of the engine.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/engine/run/study.hpp"
#include "tests/support/replaced.hpp"
#include "tests/support/scratch_folder.hpp"

namespace daemark::test {

inline const char* paper_json = R"json({"title":"A paper","citation":"Somebody 2000",
 "editions":[{"key":"en","id":"demo-en","label":"English"},{"key":"cn","id":"demo-cn","label":"Chinese"}],
 "items":["table1","claims"]})json";

inline const char* table_json =
    R"json({"kind":"table","title":"A table","where":{"en":"Table 1","cn":"Table 1"},
 "defaults":{"problem":"two_link","formulation":"index1","method":"gauss(2)","h":"0.1","t_end":"10"},
 "second_routes":[{"name":"quad","cell":{"precision":"quad"}}],
 "columns":[{"id":"time","label":"Runtime","unit":"s","measure":"seconds","not_comparable":"another machine"},
  {"id":"energy","label":"energy","unit":"J","measure":"energy_error_max","floor":"1e-12"},
  {"id":"drift","label":"drift","measure":"2*position_violation_max"}],
 "rows":[{"id":"a","label":"row a","cell":{},"printed":{"time":"5.9","energy":"1.00","drift":{"en":"0.40","cn":"99"}}},
  {"id":"b","label":"row b","cell":{"h":"0.01"},"printed":{"energy":"5"}},
  {"id":"broken","label":"row that fails","cell":{"h":"1"},"printed":{"energy":"5"}},
  {"id":"unclear","label":"row of a or b","candidates":["a","b"],"printed":{"energy":"0.012"}}],
 "bounds":[{"id":"reach","column":"drift","formula":"printed.drift <= t_end * printed.energy","why":"drift ≤ T energy"}],
 "claims":[{"id":"better","text":"b is better than a","where":{"en":"p. 1","cn":"p. 2"},"conditions":["b.energy < a.energy"]}],
 "findings":["a has {a.energy} J"],"assumed":["everything"]})json";

inline const char* claims_json = R"json({"kind":"claims","title":"Claims",
 "claims":[{"id":"fails","text":"the broken row runs","where":{"en":"p. 3"},"conditions":["table1.broken.ok == 1"]},
  {"id":"taste","text":"it is beautiful","where":{"en":"p. 4"},"why":"no run decides it"}]})json";

/// Energy error 100 h², "not_finite" at h = 1, the same in every precision.
inline CellResult fake_run(const Cell& cell) {
  CellResult result;
  const double h = std::stod(cell.h.front());
  if (h >= 1) {
    result.status = "not_finite";
    result.why = "the state holds a NaN";
    result.t = 3;
    return result;
  }
  result.t = 10;
  result.measures = {{"energy_error_max", 100 * h * h}, {"position_violation_max", 2 * h}};
  result.seconds = 0.25;
  return result;
}

inline Services fake_services(const std::string& sources = "1") {
  return {fake_run, [sources](const Cell&) { return sources; }, "renderer",
          [] {
            return nlohmann::json{{"revision", "test"}};
          }};
}

/// experiments/demo/ in `folder`.
inline void write_paper(const std::filesystem::path& folder) {
  write_text(folder / "experiments" / "demo" / "paper.json", paper_json);
  write_text(folder / "experiments" / "demo" / "table1.json", table_json);
  write_text(folder / "experiments" / "demo" / "claims.json", claims_json);
}

}  // namespace daemark::test
