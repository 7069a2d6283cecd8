// Programs as methods: what they get, how their states become coordinates, and how they may end.
#include "methods/external/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "analysis/run/run.hpp"
#include "base/program/process.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr const char* describes =
    R"({"name": "test", "version": "1", "variants": [{"name": "exact", "steps": "fixed"}],
        "accepts": ["point", "prismatic", "revolute", "springs"]})";

/// Shell scripts in a folder that goes with the test.
class Program : public ::testing::Test {
 protected:
  std::string written(const std::string& body, const std::string& description = describes) {
    const auto file = folder_.path() / fmt::format("p{}", ++count_);
    std::ofstream(file) << "#!/bin/sh\nif [ \"$1\" = --describe ]; then cat <<'E'\n"
                        << description << "\nE\nexit 0; fi\n"
                        << body << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file.string();
  }
  /// The exact motion of the oscillator by awk.
  static std::string oscillator() {
    return "awk -v h=$3 'BEGIN { OFMT=\"%.17g\"; print "
           "\"t,mass.x,mass.y,mass.theta,mass.vx,mass.vy,mass.omega\"; for (k = 0; k <= 10; ++k) { "
           "t = k*h; printf \"%.17g,%.17g,0,0,%.17g,0,0\\n\", t, cos(t), -sin(t) } }' > $4; echo "
           "'{\"cpu_seconds\": 0.5, \"steps\": 10, \"evaluations\": 40}'";
  }
  static RunResult result_of(const std::string& program, const std::string& more = "",
                             const std::string& problem = "oscillator") {
    return run(
        test::run_request(problem, "index1", "program(" + program + more + ")", "1/10", "1"));
  }

 private:
  ScratchFolder folder_;
  int count_ = 0;
};

TEST_F(Program, IsAMethod) {
  const RunResult found = result_of(written(oscillator()), ",exact");
  ASSERT_EQ(found.status, "ok") << found.why;
  EXPECT_NEAR(std::stod(found.q[0]), std::cos(1.0), 1e-15);
  EXPECT_NEAR(std::stod(found.v[0]), -std::sin(1.0), 1e-15);
  EXPECT_NEAR(std::stod(found.a[0]), -std::cos(1.0), 1e-14);
  EXPECT_EQ(found.counts.at("steps"), 10);
  EXPECT_EQ(found.counts.at("residual_evals"), 40);
  EXPECT_DOUBLE_EQ(found.seconds, 0.5);
}

TEST_F(Program, EndsWithAStatus) {
  const auto status = [&](const std::string& body, const std::string& more = "") {
    const RunResult found = result_of(written(body), more);
    return found.status + ": " + found.why;
  };
  EXPECT_THAT(status("echo no loops >&2; exit 3"), HasSubstr("cannot_express: no loops"));
  EXPECT_THAT(status("echo out of luck >&2; exit 7"), HasSubstr("failed: out of luck"));
  EXPECT_THAT(status("kill -9 $$"), HasSubstr("aborted: by signal 9"));
  EXPECT_THAT(status("sleep 60", ",seconds=1"), HasSubstr("timed_out: not done after 1 s"));
  EXPECT_THAT(status("yes", ",memory=16"), HasSubstr("File size limit exceeded"));
  EXPECT_THAT(status("yes >&2", ",memory=16"), HasSubstr("aborted: by signal 25"));
  EXPECT_THAT(status("true"), HasSubstr("failed: no trajectory"));
  EXPECT_THAT(status("echo t,mass.x > $4; echo 0,1 >> $4"), HasSubstr("accepted: states of all"));
  EXPECT_THAT(status(oscillator() + "; sed -i '8s/,[^,]*/,nan/' $4"), HasSubstr("not_finite"));
  EXPECT_THAT(status(oscillator() + "; sed -i 's/^0.5,/0.45,/' $4"),
              HasSubstr("failed: row 6 has t = 0.45"));
  EXPECT_THAT(status(oscillator() + "; sed -i 6q $4"), HasSubstr("failed: the trajectory ends"));
}

TEST_F(Program, IsNotGivenWhatItDoesNotAccept) {
  const std::string ran = ::testing::TempDir() + "ran";
  const RunResult found = result_of(written("touch " + ran), "", "car_axis");
  EXPECT_EQ(found.status, "cannot_express");
  EXPECT_THAT(found.why, HasSubstr("drives are not accepted by test"));
  EXPECT_EQ(result_of(written("touch " + ran), "", "fekete").status, "cannot_express");
  EXPECT_FALSE(std::filesystem::exists(ran));
}

TEST_F(Program, TakesItsChildrenWithIt) {
  const std::string file = ::testing::TempDir() + "left_behind";
  std::filesystem::remove(file);
  result_of(written(fmt::format("(sleep 2; touch {}) & sleep 60", file)), ",seconds=1");
  result_of(written(fmt::format("(sleep 2; touch {}) & exit 1", file)));
  EXPECT_EQ(run_child({"sleep", "3"}, "/dev/null", 10).status, 0);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(Program, IsRefusedInOneLine) {
  const auto describe = [](const std::string& program) {
    return [=] { describe_program(program); };
  };
  EXPECT_THAT(describe("./no_such_program"),
              ThrowsMessage<BadInput>(HasSubstr("no file that can")));
  EXPECT_THAT(describe("not_joined"), ThrowsMessage<BadInput>(HasSubstr("not joined")));
  EXPECT_THAT(describe(written("", "hello")), ThrowsMessage<BadInput>(HasSubstr("--describe")));
  EXPECT_THAT(describe(written("", R"({"name": "a", "version": "1", "variants": []})")),
              ThrowsMessage<BadInput>(HasSubstr("no variants")));
  EXPECT_THAT([&] { result_of(written(""), ",other"); },
              ThrowsMessage<BadInput>(HasSubstr("variant \"other\"; accepted: exact")));
}

}  // namespace
}  // namespace daemark
