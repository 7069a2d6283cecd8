// Models of other programs as mechanism files. The models are ours.
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

const char* const arm = R"(<robot name="import_arm">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
    <inertia ixx="0.2" iyy="0.2" izz="0.01"/></inertial><visual/></link>
  <link name="hand"><inertial><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1"/><dynamics damping="0.5"/></joint>
  <joint name="wrist" type="fixed"><origin xyz="0 0 -1"/><parent link="upper"/>
    <child link="hand"/></joint>
</robot>)";

json mechanism_of(const std::string& path) {
  const Outcome outcome = call({"import-mechanism", path});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return json::parse(outcome.out);
}

double value(const json& entry) {
  return entry.is_string() ? std::stod(entry.get<std::string>()) : entry.get<double>();
}

TEST_F(Cli, ARobotBecomesAMechanism) {
  const std::string path = write("arm.urdf", arm);
  const json m = mechanism_of(path);
  ASSERT_EQ(m["bodies"].size(), 1U);  // the hand is fixed to the arm
  EXPECT_DOUBLE_EQ(value(m["bodies"][0]["mass"]), 3);
  EXPECT_DOUBLE_EQ(value(m["bodies"][0]["position"][2]), -2.0 / 3);
  // 0.2 + 0.1 + 2 (1/6)^2 + 1 (1/3)^2 about the common mass centre
  EXPECT_NEAR(value(m["bodies"][0]["inertia"][0]), 0.3 + 1.0 / 6, 1e-15);
  EXPECT_EQ(m["elements"][0]["type"], "revolute");
  EXPECT_EQ(m["elements"][1]["type"], "torsion_damper");
  const Outcome written = call({"import-mechanism", path, "--out", file("arm.json")});
  for (const char* note : {"limits of joints", "no gravity", "held by the ground", "shapes"})
    EXPECT_THAT(written.out, HasSubstr(note));
  EXPECT_EQ(
      call({"run", "--problem-file", file("arm.json"), "--problem", "import_arm", "--formulation",
            "index2", "--method", "radau_iia(2)", "--h", "1/100", "--t-end", "1/10"})
          .status,
      0);
}

TEST_F(Cli, ALoopWithSpringsOfMjcfBecomesAMechanism) {
  const std::string path = write("loop.xml", R"(<mujoco model="import_loop"><default>
    <geom type="capsule" size="0.1 0.5" mass="1"/><joint axis="0 1 0" damping="0.1"/></default>
    <worldbody><body name="a"><joint stiffness="3" springref="90" armature="0.2"/><geom/>
      <body name="b" pos="0 0 1"><joint/><geom/></body></body></worldbody>
    <equality><connect body1="b" anchor="0 0 0.5"/></equality></mujoco>)");
  const json m = mechanism_of(path);
  std::vector<std::string> types;
  for (const json& e : m["elements"]) types.push_back(e["type"]);
  EXPECT_THAT(types,
              testing::ElementsAre("revolute", "torsion_spring", "torsion_damper", "torsion_rotor",
                                   "revolute", "torsion_damper", "spherical"));
  EXPECT_NEAR(value(m["elements"][1]["free_angle"]), std::acos(0.0), 1e-15);
  EXPECT_EQ(m["elements"][6]["at"], json::parse(R"([0, 0, "1.5"])"));
}

TEST_F(Cli, WhatAModelStatesAndIsNotReadIsRefusedWithItsLine) {
  const auto refused = [&](const std::string& name, const std::string& text,
                           const std::string& says) {
    expect_refused({"import-mechanism", write(name, text)}, says);
  };
  const auto body = [](const std::string& inside) {
    return "<mujoco><worldbody><body name=\"a\">\n" + inside +
           "<geom size=\"1\"/></body></worldbody></mujoco>";
  };
  refused("a.xml", body("<joint frictionloss=\"1\"/>"), "a.xml, line 2: <joint>");
  refused("b.xml", body("<joint/><composite/>"), "line 2: <composite>");
  refused("c.xml", body("<joint damping=\"nan\"/>"), "'nan'");
  refused("d.xml", body("<joint pos=\"1e300 0 0\"/>"), "1e300");
  refused("e.xml", body("<joint/><geom type=\"mesh\" mesh=\"m\"/>"), "mesh");
  refused("f.xml", body("<joint/><joint pos=\"1 0 0\"/>"), "different points");
  refused("g.xml", body("<joint speed=\"1\"/>"), "speed is not read");
  std::string arm_of = arm;
  refused("h.urdf", arm_of.replace(arm_of.find("revolute"), 8, "screw"), "'screw'");
  refused("i.stl", "solid", "accepted: a model in .xml");
  refused("j.xml", "<svg/>", "<mujoco>");
  expect_refused({"import-mechanism", write("k.urdf", arm), "--without", "mimic"},
                 "--without mimic");
  EXPECT_EQ(call({"import-mechanism", write("l.xml", body("<joint frictionloss=\"1\"/>")),
                  "--without", "frictionloss", "--id", "import_l"})
                .status,
            0);
}

TEST_F(Cli, HostileModelsAreRefused) {
  const auto refused = [&](const std::string& text, const std::string& says) {
    expect_refused({"import-mechanism", write("hostile.xml", text)}, says);
  };
  refused(R"(<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><mujoco>&b;</mujoco>)",
          "line 1: a document type");
  refused(R"(<mujoco><include file="hostile.xml"/></mujoco>)", "included already");
  refused(R"(<mujoco><include file="/etc/hosts"/></mujoco>)", "leads out of the model's folder");
  refused(R"(<mujoco><include file="../outside.xml"/></mujoco>)", "leads out");
  std::string deep = "<mujoco>";
  for (int i = 0; i < 5000; ++i) deep += "<default>";
  refused(deep, "levels deep");
  refused("<mujoco><worldbody>", "no element found");
  refused(std::string("<mujoco>\0</mujoco>", 18), "line 1");
}

}  // namespace
}  // namespace daemark
