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
  int report() { return daemark::report(options.experiments, options.results, out, err); }
  /// The table with a piece of its text replaced.
  void edit_table(const std::string& from, const std::string& to) const {
    write_text(options.experiments / "demo/table1.json", replaced(table_json, from, to));
  }
  /// Makes row b of the table a long one.
  void make_long() const {
    const std::string row = "\"label\":\"row b\",\"cell\":{";
    edit_table(row, row + "\"cost\":\"long\",");
  }
  /// A further paper with the same items, its editions "ID-en" and "ID-cn".
  void add_paper(const std::string& id, const std::string& table = table_json) const {
    write_text(options.experiments / id / "paper.json",
               replaced(replaced(paper_json, "demo-en", id + "-en"), "demo-cn", id + "-cn"));
    write_text(options.experiments / id / "table1.json", table);
    write_text(options.experiments / id / "claims.json", claims_json);
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
