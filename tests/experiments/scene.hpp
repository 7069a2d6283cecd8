// The fake paper reproduced in a scratch folder, with what was said.
#pragma once

#include <sstream>
#include <string>

#include "analysis/report/table.hpp"
#include "base/program/write_file.hpp"
#include "experiments/engine/reproduce.hpp"
#include "tests/experiments/fake_paper.hpp"

namespace daemark::test {

struct Scene {
  ScratchFolder folder;
  ReproduceOptions options;
  std::ostringstream out, err;
  Scene() {
    test::write_paper(folder.path);
    options.experiments = folder.path / "experiments";
    options.results = folder.path / "results";
  }
  int go(const Services& services = test::fake_services()) {
    out.str("");
    err.str("");
    return reproduce(options, services, out, err);
  }
  /// Makes row b of the table a long one.
  void make_long() const {
    std::string table = table_json;
    const std::string row = "\"label\":\"row b\",\"cell\":{";
    table.replace(table.find(row), row.size(), row + "\"cost\":\"long\",");
    write_text(options.experiments / "demo/table1.json", table);
  }
  std::string file(const std::string& name) const {
    return read_text(options.results / name).value_or("");
  }
  /// verdict of paper,item,row,column
  std::string verdict(const std::string& paper, const std::string& row,
                      const std::string& column) const {
    for (const auto& line : read_csv(file("verdicts.csv"), "verdicts.csv")) {
      if (line[0] == paper && line[2] == row && line[3] == column) return line[6];
    }
    return "(none)";
  }
};

}  // namespace daemark::test
