// Every leaf of every certificate, changed in every way of tests/support/tamper.hpp, with the
// digest made anew as a forger would: the checker must refuse. There is no harmless change: every
// number is written in one way only, and every interval is the one cell of its grid.
#include "tests/support/tamper.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "analysis/certcheck/check.hpp"
#include "analysis/exact/proof/catalogue.hpp"
#include "analysis/exact/proof/rosenbrock_report.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/paths.hpp"
#include "methods/catalogue/tableau_file.hpp"
#include "methods/catalogue/tableau_json.hpp"
#include "tests/analysis/exact/proof_reports.hpp"

namespace daemark::exact {
namespace {

using certcheck::digest_of;
using certcheck::refusal_of;
using nlohmann::json;
namespace fs = std::filesystem;

json tableau_of(const std::string& id) {
  const fs::path file = source_root() / "methods/tableaus" / (id + ".json");
  return fs::exists(file) ? parse_json_file(file.string()) : json();
}

/// Refuses every change; `share` of n: every n-th one, by place, to keep within seconds.
void expect_all_refused(const json& certificate, const json& tableau, int share = 1) {
  const std::string id = certificate.at("id").get<std::string>();
  const auto sound = refusal_of(certificate, tableau);
  ASSERT_FALSE(sound) << id << ": " << *sound;
  int tried = 0;
  for (Tampered& forged : tampered(certificate)) {
    if (tried++ % share != 0) continue;
    const bool digest = forged.place == "/digest" || !forged.value.contains("digest");
    if (!digest) forged.value["digest"] = digest_of(forged.value);
    EXPECT_TRUE(refusal_of(forged.value, tableau))
        << id << " " << forged.place << " " << forged.change;
  }
  EXPECT_GT(tried, 50);
}

void expect_committed_refused(const std::string& kind, int share) {
  int found = 0;
  for (const auto& entry : fs::directory_iterator(source_root() / "results/certificates")) {
    if (entry.path().extension() != ".json") continue;
    const json certificate = parse_json_file(entry.path().string());
    if (certificate.at("kind") != kind) continue;
    ++found;
    expect_all_refused(certificate, tableau_of(certificate.at("id").get<std::string>()), share);
  }
  EXPECT_GT(found, 5) << kind;
}

TEST(ExactTampering, RungeKutta) { expect_committed_refused("runge_kutta", 1); }
TEST(ExactTampering, Collocation) { expect_committed_refused("collocation", 1); }
TEST(ExactTampering, PadeBlock) { expect_committed_refused("pade_block", 1); }
TEST(ExactTampering, Multistep) { expect_committed_refused("multistep", 1); }
TEST(ExactTampering, SecondOrder) { expect_committed_refused("second_order", 3); }
TEST(ExactTampering, SpectralFactor) { expect_committed_refused("spectral_factor", 1); }
TEST(ExactTampering, FreeNodes) { expect_committed_refused("free_nodes", 1); }

// ROS3P over Q(√3), and the linearly implicit Euler method, over Q, without an embedded formula.
TEST(ExactTampering, Rosenbrock) {
  const json euler = json::parse(R"json({"id": "euler", "kind": "rosenbrock", "gamma": "1",
      "alpha": [["0"]], "gamma_ij": [["0"]], "b": ["1"]})json");
  for (const json& tableau : {tableau_of("ros3p"), euler}) {
    const auto method = std::get<ExactRosenbrock>(read_method(tableau, "test"));
    expect_all_refused(plain(verify_rosenbrock(method)), tableau);
  }
}

/// What no committed certificate holds.
struct Synthetic {
  const char *why, *file;
};

const Synthetic synthetic[] = {
    {"R has the poles +-i, on the first trial point of the witness", R"json({"id": "poles_at_i",
      "kind": "runge_kutta", "A": [["0", "-1"], ["1", "0"]], "b": ["1/2", "1/2"],
      "c": ["-1", "1"]})json"},
    {"row sums fail, weights do not sum to 1", R"json({"id": "wrong", "kind": "runge_kutta",
      "A": [["1/2", "0"], ["1/3", "1/4"]], "b": ["1/2", "1/3"], "c": ["1/2", "1/2"]})json"},
    {"an embedded formula that is not consistent", R"json({"id": "embedded", "kind": "runge_kutta",
      "A": [["0", "0"], ["1", "0"]], "b": ["1/2", "1/2"], "c": ["0", "1"],
      "b_hat": ["1", "1/7"]})json"},
    {"a pole in the left half-plane", R"json({"id": "left_pole", "kind": "runge_kutta",
      "A": [["-1/2"]], "b": ["1"], "c": ["-1/2"]})json"},
    {"nested radicals and cosines", R"json({"id": "radicals", "kind": "runge_kutta",
      "A": [["sqrt(1+sqrt(2))/4", "0"], ["cos(pi/9)", "root(x^2-2,1,2)/3"]],
      "b": ["1/2", "sin(pi/6)"], "c": ["sqrt(1+sqrt(2))/4", "cos(pi/9)+root(x^2-2,1,2)/3"]})json"},
    {"a common factor, roots on the circle", R"json({"id": "common", "kind": "multistep",
      "alpha": ["1", "0", "-1"], "beta": ["-1", "-1", "0"]})json"},
    {"a formula over sqrt(3)", R"json({"id": "rooted", "kind": "multistep",
      "alpha": ["1-sqrt(3)", "-2", "1+sqrt(3)"], "beta": ["0", "0", "2*sqrt(3)"]})json"},
};

TEST(ExactTampering, WhatNoCommittedCertificateHolds) {
  const fs::path folder = fs::path(testing::TempDir()) / "daemark_tamper";
  fs::create_directories(folder);
  for (const Synthetic& s : synthetic) {
    SCOPED_TRACE(s.why);
    const json tableau = json::parse(s.file);
    const std::string file = (folder / "method.json").string();
    std::ofstream(file) << s.file;
    const MethodFile method = load_method_file(file);
    const auto* rk = std::get_if<ExactTableau>(&method);
    expect_all_refused(
        plain(rk ? verify_tableau(*rk) : verify_multistep(std::get<ExactMultistep>(method))),
        tableau);
  }
  fs::remove_all(folder);
}

TEST(ExactTampering, MembersThatAreNotCommitted) {
  for (const char* call : {"ss(3,3/5)", "pade_block(3,2,[1/2-sqrt(3)/6,1/2+sqrt(3)/6,1])",
                           "pade_block(r=4,k=3,nodes=[1/5,1/2,3/4,1],j=2)", "bdf(2)", "lms(2,3/4)",
                           "hht(-1/5)", "generalized_alpha(0)", "newmark(3/5,1/5)"}) {
    expect_all_refused(plain(verify_method(call)), nullptr);
  }
}

// What verify makes of a tableau file is accepted with that file, radicals included.
TEST(ExactTampering, TableauFilesWithRadicals) {
  expect_all_refused(plain(verify_method("sdirk_2")), tableau_of("sdirk_2"), 5);
}

// The issue's own examples.
TEST(ExactTampering, ACertificateIsBoundToItsMethod) {
  json heun = plain(verify_method("heun_2"));
  heun["id"] = "dormand_prince_5";
  heun["digest"] = digest_of(heun);
  EXPECT_TRUE(refusal_of(heun, tableau_of("dormand_prince_5")));
  EXPECT_TRUE(refusal_of(heun));  // without a tableau nothing says what the id stands for
  json gauss = plain(verify_method("gauss(2)"));
  gauss["id"] = "gauss(s=3)";
  gauss["digest"] = digest_of(gauss);
  EXPECT_TRUE(refusal_of(gauss));
  gauss["id"] = "radau_iia(s=2)";
  gauss["digest"] = digest_of(gauss);
  EXPECT_TRUE(refusal_of(gauss));
}

TEST(ExactTampering, WhatIsNoCertificateIsRefusedAndEndsNothing) {
  json certificate = plain(verify_method("heun_2"));
  const json tableau = tableau_of("heun_2");
  for (const char* text : {"1/0", "0/1", "2/4", "+1", "1e3", "", "-", "/", "1/-2", "0x1", "1 "}) {
    json forged = certificate;
    forged["b"][0] = text;
    forged["digest"] = digest_of(forged);
    EXPECT_TRUE(refusal_of(forged, tableau)) << text;
  }
  json nested = certificate;
  nested["order"]["failing_tree"] = std::string(900, '[') + "t" + std::string(900, ']');
  EXPECT_TRUE(refusal_of(nested, tableau));
  nested["order"]["failing_tree"] = "[t^99999999999]";
  EXPECT_TRUE(refusal_of(nested, tableau));
  for (const json& other : {json(), json(1), json::array(), json::object(), json("text")}) {
    EXPECT_TRUE(refusal_of(other));
  }
  for (const char* key : {"A", "stability", "order", "field", "embedded"}) {
    for (const json& other : {json(), json(1), json::array(), json::object(), json("text")}) {
      if (certificate[key] == other) continue;
      json forged = certificate;
      forged[key] = other;
      EXPECT_TRUE(refusal_of(forged, tableau)) << key << other;
    }
  }
}

// One spelling of a tree, and one tree: a true statement of another one is refused too.
TEST(ExactTampering, TheFailingTreeIsTheOneNamed) {
  const json ros3p = plain(verify_method("ros3p")), tableau = tableau_of("ros3p");
  ASSERT_EQ(ros3p["embedded_order"]["failing_tree"], "[t,t]");
  for (const char* spelling : {"[t^2]", "[ t,t]", "[t, t]", "t,t"}) {
    json forged = ros3p;
    forged["embedded_order"]["failing_tree"] = spelling;
    EXPECT_TRUE(refusal_of(forged, tableau)) << spelling;
  }
  const json erk4 = plain(verify_method("erk4"));
  ASSERT_EQ(erk4["order"]["failing_tree"], "[[t,t,t]]");
  json forged = erk4;
  forged["order"]["failing_tree"] = "[t,t,t,t]";  // it fails too, but stands later
  forged["order"]["weight"] = "5/24", forged["order"]["target"] = "1/5";
  EXPECT_EQ(refusal_of(forged, tableau_of("erk4")), "failing_tree: one before it fails");
  forged = plain(verify_method("gauss(1)"));
  forged["order"]["failing_tree"] = "[t^2]";
  forged["order"]["weight"] = "1/4", forged["order"]["target"] = "1/3";
  EXPECT_TRUE(refusal_of(forged));
  forged = plain(verify_method("gauss(6)"));
  EXPECT_EQ(forged["order"]["failing_tree"], "[t,t,t,t,t,t,t,t,t,t,t,t]");
  EXPECT_EQ(refusal_of(forged), std::nullopt);
}

// An order below the true one has no failing tree to show.
TEST(ExactTampering, AnOrderOneTooLowIsRefused) {
  json forged = plain(verify_method("erk4"));
  ASSERT_EQ(forged["order"]["order"], 4);
  forged["order"] = {{"at_least", 3},
                     {"failing_tree", forged["order"]["failing_tree"]},
                     {"weight", forged["order"]["weight"]},
                     {"target", forged["order"]["target"]}};
  EXPECT_TRUE(refusal_of(forged, tableau_of("erk4")));
  forged["order"] = {
      {"order", 3}, {"failing_tree", "[t,t,t]"}, {"weight", "1/4"}, {"target", "1/4"}};
  EXPECT_TRUE(refusal_of(forged, tableau_of("erk4")));
}

// What is true of other weights on the stages of gauss(2) is not said of gauss(2).
TEST(ExactTampering, AFamilyHasNoEmbeddedFormula) {
  json forged = plain(verify_method("gauss(2)"));
  forged["embedded"] = forged["b"];
  forged["embedded_order"] = forged["order"];
  forged["embedded_stability"] = forged["stability"];
  forged["digest"] = digest_of(forged);
  const auto refusal = refusal_of(forged);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->find("embedded"), 0u) << *refusal;
}

// Zeros padded onto num, and a factor common to num and den, would turn L-stability off.
TEST(ExactTampering, APaddedStabilityFunctionIsRefused) {
  const json sound = plain(verify_method("radau_iia(2)"));
  ASSERT_EQ(sound["stability"]["L_stable"], true);
  json forged = sound;
  forged["stability"]["num"].push_back("0");
  forged["stability"]["L_stable"] = false;
  EXPECT_TRUE(refusal_of(forged));
}

}  // namespace
}  // namespace daemark::exact
