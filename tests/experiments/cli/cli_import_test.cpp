// Models of other programs as mechanism files. The models are ours.
#include <fmt/format.h>

#include <sstream>

#include "base/program/paths.hpp"
#include "tests/experiments/cli_fixture.hpp"
#include "tests/support/replaced.hpp"

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

class CliImport : public Cli {
 protected:
  void refused(const std::string& name, const std::string& text, const std::string& says) const {
    expect_refused("import-mechanism " + write(name, text), says);
  }
};

json mechanism_of(const std::string& path) { return value_of("import-mechanism " + path); }

std::vector<std::string> types_of(const json& mechanism) {
  std::vector<std::string> types;
  for (const json& element : mechanism["elements"]) types.push_back(element["type"]);
  return types;
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
  const Outcome written = call("import-mechanism " + path + " --out @arm.json");
  for (const char* note : {"limits of joints", "no gravity", "held by the ground", "shapes"})
    EXPECT_THAT(written.out, HasSubstr(note));
  printed(
      "run --problem-file @arm.json --problem import_arm --formulation index2 --method "
      "radau_iia(2) --h 1/100 --t-end 1/10");
}

TEST_F(Cli, ALoopWithSpringsOfMjcfBecomesAMechanism) {
  const std::string path = write("loop.xml", R"(<mujoco model="import_loop"><default>
    <geom type="capsule" size="0.1 0.5" mass="1"/><joint axis="0 1 0" damping="0.1"/></default>
    <worldbody><body name="a"><joint stiffness="3" springref="90" armature="0.2"/><geom/>
      <body name="b" pos="0 0 1"><joint/><geom/></body></body></worldbody>
    <equality><connect body1="b" anchor="0 0 0.5"/></equality></mujoco>)");
  const json m = mechanism_of(path);
  EXPECT_THAT(types_of(m),
              testing::ElementsAre("revolute", "torsion_spring", "torsion_damper", "torsion_rotor",
                                   "revolute", "torsion_damper", "spherical"));
  EXPECT_NEAR(value(m["elements"][1]["free_angle"]), std::acos(0.0), 1e-15);
  EXPECT_EQ(m["elements"][6]["at"], json::parse(R"([0, 0, "1.5"])"));
}

/// Two wheels of inertias 2 and 1 about y, the second turning -3 times as far, T = 22 by a spring.
TEST_F(Cli, JointsThatFollowOthersBecomeCouplers) {
  const std::string mjcf = write("mimic.xml", R"(<mujoco model="import_mimic">
    <option gravity="0 0 0"/><worldbody>
    <body name="a"><joint name="p" axis="0 1 0" stiffness="11" springref="57.29577951308232"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 2 1.5"/></body>
    <body name="b" pos="1 0 0"><joint name="q" axis="0 1 0"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody>
    <equality><joint joint1="q" joint2="p" polycoef="0 -3 0 0 0"/></equality></mujoco>)");
  const auto link = [](const char* name, const char* inertia) {
    return fmt::format(R"(<link name="{}"><inertial><mass value="1"/><inertia ixx="1" iyy="{}"
      izz="1.5"/></inertial></link>)",
                       name, inertia);
  };
  const auto joint = [](const char* child, const char* mimic) {
    return fmt::format(R"(<joint name="{0}_j" type="continuous"><parent link="base"/>
      <child link="{0}"/><axis xyz="0 1 0"/>{1}</joint>)",
                       child, mimic);
  };
  const std::string urdf =
      write("mimic.urdf", R"(<robot name="import_mimic_urdf"><link name="base"/>)" +
                              link("a", "2") + link("b", "1") + joint("a", "") +
                              joint("b", R"(<mimic joint="a_j" multiplier="-3"/>)") + "</robot>");
  json m = mechanism_of(urdf), sprung = mechanism_of(mjcf);
  EXPECT_EQ(m["elements"][2], sprung["elements"].back());
  EXPECT_EQ(m["elements"][2]["type"], "coupler");
  EXPECT_EQ(m["elements"][2]["terms"][1]["factor"], 3);
  // (2 + 9 · 1) φ'' = 11 (1 − φ): φ = 1 − cos t.
  sprung["id"] = "import_mimic_sprung";
  sprung["outputs"] = {{{"id", "w"}, {"meaning", "of b"}, {"unit", "rad/s"}, {"value", "b.wy"}}};
  const json run = value_of("run --problem-file " + write("mimic.json", sprung.dump()) +
                            " --problem import_mimic_sprung --formulation index1 --method "
                            "gauss(3) --h 1/50 --t-end 1 --json");
  EXPECT_NEAR(run["outputs"]["w"].get<double>(), -3 * std::sin(1.0), 1e-10);
  expect_refused("import-mechanism " + write("far.xml", R"(<mujoco><worldbody>
    <body name="a"><joint name="p"/><geom size="1"/></body></worldbody>
    <equality><joint joint1="p" polycoef="0.1 1 0 0 0"/></equality></mujoco>)"),
                 "does not hold at the start");
}

/// An assembly of OndselSolver: a disc on the ground's marker, which turns about y, and its motion.
std::string assembly(const std::string& joint) {
  const std::string eye = "RotationMatrix\n\t1 0 0\n\t0 1 0\n\t0 0 1\n",
                    about_y = "RotationMatrix\n\t1 0 0\n\t0 0 1\n\t0 -1 0\n";
  const auto deeper = [](const std::string& text) {
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) out += "\t" + line + "\n";
    return out;
  };
  const auto at = [](const char* place) { return std::string("Position3D\n\t") + place + "\n"; };
  const std::string marker = "Marker\n" + deeper("Name\n\tM\n" + at("0 0 1") + about_y),
                    points = "RefPoints\n" +
                             deeper("RefPoint\n" +
                                    deeper(at("0 0 1") + eye + "Markers\n" + deeper(marker))),
                    part = "Part\n" + deeper("Name\n\tdisc\n" + at("0 0 0") + eye +
                                             "Velocity3D\n\t0 0 0\nOmega3D\n\t0 0 0\n"
                                             "PrincipalMassMarker\n" +
                                             deeper(at("0 0 0") + eye +
                                                    "Mass\n\t2\nMomentOfInertias\n\t1 2 1.5\n") +
                                             points);
  return "OndselSolver\nAssembly\n" +
         deeper("Name\n\ttop\n" + at("0 0 0") + eye + points + "Parts\n" + deeper(part) +
                "ConstraintSets\n" +
                deeper("Joints\n" +
                       deeper(joint + "\n" +
                              deeper("Name\n\tJ\nMarkerI\n\t/top/M\nMarkerJ\n"
                                     "\t/top/disc/M\n")) +
                       "Motions\n" +
                       deeper("RotationalMotion\n\tMotionJoint\n\t\t/top/J\n"
                              "\tRotationZ\n\t\t1.0d + 2*sin(time)\n")) +
                "ForceTorques\nConstantGravity\n\t0 -9.81 0\n");
}

TEST_F(CliImport, AnAssemblyOfOndselSolverBecomesAMechanism) {
  const json m = mechanism_of(write("disc.asmt", assembly("RevoluteJoint")));
  EXPECT_EQ(m["elements"][0], json::parse(R"({"type": "revolute", "bodies": ["ground", "disc"],
    "at": [0, 0, 2], "axis": [0, 1, 0]})"));
  EXPECT_EQ(m["elements"][1]["angle"], "(1.0+2*sin(t)) - (1.0+2*sin(0))");
  EXPECT_EQ(m["gravity"][1], "-9.81");
  const double phi = 2 * std::sin(1.0);  // the centre is 2 below the axis
  const json run =
      value_of("run --problem-file " + write("disc.json", m.dump()) +
               " --problem top --formulation ggl --method radau_iia(3) --h 1/100 --t-end 1 --json");
  EXPECT_NEAR(std::stod(run["q"][0].get<std::string>()), -2 * std::sin(phi), 1e-9);
  refused("gear.asmt", assembly("GearJoint"), "GearJoint");
  refused("no.asmt", "OndselSolver\n\t\tAssembly", "line 2");
}

TEST_F(CliImport, WhatAModelStatesAndIsNotReadIsRefusedWithItsLine) {
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
  refused("h.urdf", test::replaced(arm, "revolute", "screw"), "'screw'");
  refused("i.stl", "solid", "accepted: a model in .xml");
  refused("j.xml", "<svg/>", "<mujoco>");
  expect_refused("import-mechanism " + write("k.urdf", arm) + " --without mimic",
                 "--without mimic");
  printed("import-mechanism " + write("l.xml", body("<joint frictionloss=\"1\"/>")) +
          " --without frictionloss --id import_l");
}

TEST_F(CliImport, HostileModelsAreRefused) {
  refused("hostile.xml",
          R"(<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><mujoco>&b;</mujoco>)",
          "line 1: a document type");
  refused("hostile.xml", R"(<mujoco><include file="hostile.xml"/></mujoco>)", "included already");
  refused("hostile.xml", R"(<mujoco><include file="/etc/hosts"/></mujoco>)",
          "leads out of the model's folder");
  refused("hostile.xml", R"(<mujoco><include file="../outside.xml"/></mujoco>)", "leads out");
  std::string deep = "<mujoco>";
  for (int i = 0; i < 5000; ++i) deep += "<default>";
  refused("hostile.xml", deep, "levels deep");
  refused("hostile.xml", "<mujoco><worldbody>", "no element found");
  refused("hostile.xml", std::string("<mujoco>\0</mujoco>", 18), "line 1");
}

/// An input file of MBDyn with these statements, elements last.
std::string mbdyn(const std::string& before, const std::string& nodes,
                  const std::string& elements) {
  return "begin: data; problem: initial value; end: data;\n" + before + "\nbegin: nodes;" + nodes +
         "\nend: nodes; begin: elements;\n" + elements + "\nend: elements;\n";
}

const char* const mbdyn_nodes = R"(
  structural: GROUND, static, null, eye, null, null;
  structural: BAR, dynamic, reference, BAR, null, reference, BAR, eye,
    reference, BAR, null, reference, BAR, null, output, no;)";

TEST_F(Cli, AnInputFileOfMbdynBecomesAMechanism) {
  write("frames.ref", R"(set: (real A = 30*deg2rad; real L = 1/2 + 2.; 0);  # 1/2 is 0, of integers
    reference: GROUND, null, eye, null, 0., 3., 0.;
    reference: BAR, reference, GROUND, 0., 0., -L, reference, GROUND, 2, 0., 1., 0., 1, cos(A), 0.,
      -sin(A), reference, GROUND, null, reference, GROUND, null;)");
  const json m = mechanism_of(
      write("bar", mbdyn("set: const integer GROUND = 1; set: integer BAR = -GROUND^2 + 1;\n"
                         "include: \"frames.ref\";",
                         mbdyn_nodes, R"(joint: 1, clamp, GROUND, node, node;
      body: BAR, BAR, 3., 0.1, 0., 0., diag, 1., 2., 2.;
      joint: 2, revolute hinge, GROUND, null, hinge, 3, 0., 1., 0., 1, 1., 0., 0.,
        BAR, reference, other position, null, hinge, reference, global, 3, 0., 1., 0., 1, 1., 0., 0.;
      joint: 3, deformable hinge, GROUND, hinge, 3, 0., 1., 0., 1, 1., 0., 0.,
        BAR, hinge, 3, 0., 1., 0., 1, 1., 0., 0.,  /* its own frame, turned by A */
        linear viscoelastic generic, diag, 7., 8., 9., proportional, 0.1;
      joint: 4, rod, GROUND, position, 1., 0., 0., BAR, from nodes, linear elastic, 6.;
      gravity: uniform, 0., 0., -1., const, 9.81;)")));
  ASSERT_EQ(m["bodies"].size(), 1U);  // the ground is clamped
  const json& bar = m["bodies"][0];
  const double c = std::sqrt(0.75), s = 0.5;  // of A
  EXPECT_EQ(bar["name"], "BAR");
  EXPECT_NEAR(value(bar["position"][0]), 0.1 * c, 1e-15);
  EXPECT_NEAR(value(bar["position"][2]), -2 - 0.1 * s, 1e-15);
  EXPECT_NEAR(value(bar["inertia"][0]), c * c + 2 * s * s, 1e-15);  // diag(1, 2, 2) turned about y
  EXPECT_NEAR(value(bar["inertia"][4]), s * c, 1e-15);
  EXPECT_NEAR(value(bar["velocity"][0]), 3 * (-2 - 0.1 * s), 1e-14);  // omega x r
  EXPECT_THAT(types_of(m),
              testing::ElementsAre("revolute", "spring", "torsion_spring", "torsion_damper"));
  const double length = std::sqrt(1 + 4);
  EXPECT_NEAR(value(m["elements"][1]["stiffness"]), 6 / length, 1e-15);
  EXPECT_NEAR(value(m["elements"][1]["free_length"]), length, 1e-15);
  EXPECT_NEAR(value(m["elements"][2]["stiffness"]), 9, 1e-14);
  EXPECT_NEAR(value(m["elements"][2]["free_angle"]), -std::acos(c), 1e-15);
  EXPECT_NEAR(value(m["elements"][3]["coefficient"]), 0.9, 1e-15);
}

TEST_F(Cli, JointsOfMbdynThatSlideBecomeElements) {
  const json m = mechanism_of((source_root() / "scripts/import_check/slides.mbd").string());
  EXPECT_THAT(types_of(m),
              testing::ElementsAre("parallel", "turn", "inline_point",  // prismatic, in line
                                   "revolute", "slide",                 // total, in plane
                                   "inline_point", "parallel",          // total pin
                                   "spring", "torsion_spring", "torsion_damper"));
  // two masses, 1 at 0.1 and 2 at -0.2 of an axis turned by 30 degrees about y
  EXPECT_NEAR(value(m["bodies"][3]["mass"]), 3, 0);
  EXPECT_NEAR(value(m["bodies"][3]["position"][0]), -0.1 * std::sqrt(0.75), 1e-15);
  EXPECT_NEAR(value(m["bodies"][3]["position"][2]), 0.5 + 0.1 * 0.5, 1e-15);
}

TEST_F(CliImport, WhatAnInputFileOfMbdynStatesAndIsNotReadIsRefused) {
  const std::string two = R"(
    structural: 1, dynamic, null, eye, null, null; structural: 2, dynamic, 1., 0., 0., eye, null, null;)";
  const auto with = [&](const std::string& element, const std::string& says) {
    refused("a.mbd", mbdyn("", two, element), says);
  };
  with("joint: 7, spherical hinge, 1, null, 2, null;",
       "line 6: joint 7, spherical hinge: its ends are 1 m apart");
  with("joint: 7, distance, 1, 2, sine, 0., 1., 1.;", "joint 7, distance: a drive 'sine'");
  with("joint: 7, distance, 1, 2, const, 2.;", "1 m apart at the start, not 2");
  with("joint: 7, gimbal rotation, 1, 2;", "--without gimbal_rotation leaves it out");
  with("beam3: 7, 1, 2, 3;", "beam3 7");
  with("joint: 7, rod, 1, 2, from nodes, linear elastic, 1., prestress, 3.;", "'prestress'");
  with("joint: 7, total joint, 1, 2, orientation constraint, 1, 0, 0, null;", "one component");
  with("joint: 7, prismatic, 1, 2, orientation, vector, 0., 0., 1.;", "its axes differ");
  with("body: 7, 1, 1., null, diag, 1., 1., 3.;", "inertia that no body has");
  with("body: 7, 1, 1., null, eye;", "a body that moves has no mass");
  with("body: 7, 3, 1., null, eye;", "'3' is no structural node");
  with("joint: 7, prismatic, 1, 1;", "both ends are at one node");
  refused("b.mbd", "begin: control data; model: static;",
          "line 1: model: 'static' changes the motion");
  refused("c", "begin: data; problem: modal;", "'modal'");
  refused("d", "set: real A = 1;", "begin: data");
}

TEST_F(CliImport, HostileInputFilesOfMbdynAreRefused) {
  refused("hostile.mbd", "\ninclude: \"hostile.mbd\";", "line 2: includes itself");
  refused("hostile.mbd", "include: \"/etc/hosts\";", "leads out of the model's folder");
  refused("hostile.mbd", "include: \"../outside.mbd\";", "leads out");
  refused("hostile.mbd", "set: real A = 9^9^9^9;", "'9^9^9^9', which has no value");
  refused("hostile.mbd", "set: real A = 1e9*1e9;", "magnitudes up to 1e+15");
  refused("hostile.mbd", "set: real A = 1/0;", "which has no value");
  refused("hostile.mbd", "set: real A = nan;", "'nan' is not set");
  refused("hostile.mbd", "set: real A = __import__(1);", "'__import__' is no function");
  refused("hostile.mbd",
          "set: real A = " + std::string(5000, '(') + "1" + std::string(5000, ')') + ";",
          "nested too deeply");
  refused("hostile.mbd", "shell: \"true\";", "'shell' is not read");
  refused("hostile.mbd", "set: real A = 1; /* no end", "that does not end");
  refused("hostile.mbd", "begin: data", "ends without ';'");
  refused("hostile.mbd", std::string("set: real\0A = 1;", 16), "line 1");
}

}  // namespace
}  // namespace daemark
