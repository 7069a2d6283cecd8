#include "base/input/strict_json.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/input/fields.hpp"
#include "base/text/bad_input.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/repeated.hpp"
#include "tests/support/scratch_folder.hpp"

namespace daemark {
namespace {

using nlohmann::json;

std::string json_refusal(std::string_view text) {
  return test::refusal([&] { parse_json_text(text, "a.json"); });
}

/// A file that vanishes with the test.
struct TemporaryFile {
  const test::ScratchFolder folder;
  const std::string path = (folder.path / "a.json").string();
  explicit TemporaryFile(const std::string& text) { test::write_text(path, text); }
};

TEST(StrictJson, ReadsWhatIsWellFormed) {
  const json value = parse_json_text(
      "{\"a\": [1, -2, 1.5, \"x\", true, null, {\"a\": {}}],\n \"b\": {\"a\": []}}\n", "a.json");
  EXPECT_EQ(value["a"].size(), 7U);
  EXPECT_EQ(value["a"][2], 1.5);
  EXPECT_TRUE(value["b"]["a"].empty());
  EXPECT_EQ(parse_json_text("18446744073709551615", "a.json").get<unsigned long>(), ~0UL);
  EXPECT_EQ(parse_json_text("[{\"k\":1},{\"k\":2}]", "a.json").size(), 2U);
  EXPECT_EQ(parse_json_text(repeated("[", 64) + repeated("]", 64), "a.json").size(), 1U);
  EXPECT_EQ(parse_json_text("\"h\xc3\xa9\"", "a.json"), "h\xc3\xa9");
}

TEST(StrictJson, MalformedTextsAreRefusedOnOneLine) {
  const std::vector<std::string> texts = {
      "",
      "{",
      "[1,]",
      "{\"a\":1,\"a\":2}",
      "{\"b\":{\"a\":1,\"c\":[],\"a\":2}}",
      "NaN",
      "[1e999]",
      "1 2",
      "{} x",
      "{'a':1}",
      "// c\n1",
      "\"a",
      "\"\xff\"",
      "\xff\xfe",
      "\"\xc0\xaf\"",
      "\"\\ud800\"",
      "\"a\nb\"",
      "01",
      "tru",
      "[1 2]",
      "123456789012345678901234567890",
      "[-123456789012345678901234567890 ]",
      std::string("1\0junk", 6),
      std::string("\x7f"
                  "ELF\x02\x01\x01\0\0\0",
                  10),
      repeated("[", 65) + repeated("]", 65),
      repeated("[", 100000),
      repeated("{\"a\":", 100000),
      std::string((16U << 20) + 1, ' '),
  };
  for (const std::string& text : texts) {
    const std::string message = json_refusal(text);
    EXPECT_NE(message, "accepted") << text.substr(0, 60);
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_EQ(message.rfind("a.json, line ", 0), 0U) << message;
    EXPECT_LT(message.size(), 500U) << message;
  }
}

TEST(StrictJson, MessagesNameTheLine) {
  EXPECT_EQ(json_refusal("{\"a\": 1,\n\"b\": 2,\n\"a\": 3}")
                .rfind("a.json, line 3: duplicate key \"a\";", 0),
            0U);
  EXPECT_EQ(json_refusal("{\n\n\"a\": nan}").rfind("a.json, line 3: ", 0), 0U);
  EXPECT_EQ(json_refusal("[\n" + repeated("[\n", 70)).rfind("a.json, line 65: nesting", 0), 0U);
  EXPECT_EQ(json_refusal("[1,\n123456789012345678901\n,\n1]")
                .rfind("a.json, line 2: the integer 1234", 0),
            0U);
}

TEST(StrictJson, Files) {
  const TemporaryFile good("{\"a\": 1}");
  EXPECT_EQ(parse_json_file(good.path)["a"], 1);
  const auto refused = [](const std::string& path) {
    return test::refusal([&] { parse_json_file(path); });
  };
  EXPECT_NE(refused("/nonexistent/file.json").find("no such file"), std::string::npos);
  EXPECT_NE(refused(std::filesystem::temp_directory_path().string()).find("is a directory"),
            std::string::npos);
  EXPECT_NE(refused(""), "accepted");
  EXPECT_NE(refused(std::string(100000, 'a')), "accepted");
  {
    const TemporaryFile bad("{\"a\": 1,\n \"a\": 2}");
    EXPECT_EQ(refused(bad.path).rfind(bad.path + ", line 2: duplicate key", 0), 0U);
  }
  const TemporaryFile large(std::string((16U << 20) + 5, ' '));
  EXPECT_NE(refused(large.path).find("16 MB"), std::string::npos);
}

TEST(StrictJson, KeysAreChecked) {
  const json object = {{"id", "a"}, {"kind", "b"}};
  EXPECT_NO_THROW(require_keys(object, "a.json", {"id"}, {"kind", "source"}));
  EXPECT_EQ(test::refusal([&] { require_keys(object, "a.json", {"id"}, {"source"}); }),
            "a.json: unknown key \"kind\"; accepted: id, source");
  EXPECT_EQ(test::refusal([&] {
              require_keys(object, "a.json", {"id", "kind", "A"});
            }),
            "a.json: \"A\" is missing; accepted: id, kind, A");
  EXPECT_EQ(test::refusal([&] { require_keys(json::array(), "a.json", {"id"}); }),
            "a.json: is an array; accepted: an object with id");
}

TEST(StrictJson, GettersAreTyped) {
  const json object = parse_json_text(
      R"({"s":"x","i":3,"f":3.0,"b":true,"a":["p","q"],"o":{},"n":null,"u":18446744073709551615})",
      "a.json");
  EXPECT_EQ(get_string(object, "s", "w"), "x");
  EXPECT_EQ(get_int(object, "i", "w"), 3);
  EXPECT_TRUE(get_bool(object, "b", "w"));
  EXPECT_EQ(get_strings(object, "a", "w"), (std::vector<std::string>{"p", "q"}));
  EXPECT_TRUE(get_object(object, "o", "w").empty());
  EXPECT_EQ(test::refusal([&] { get_string(object, "i", "w"); }),
            "w: \"i\" is the integer 3; accepted: a string");
  EXPECT_EQ(test::refusal([&] { get_int(object, "i", "w", 5, 9); }),
            "w: \"i\" is the integer 3; accepted: an integer from 5 to 9");
  EXPECT_THROW(get_int(object, "f", "w"), BadInput);
  EXPECT_THROW(get_int(object, "u", "w"), BadInput);
  EXPECT_THROW(get_int(object, "s", "w"), BadInput);
  EXPECT_THROW(get_bool(object, "n", "w"), BadInput);
  EXPECT_THROW(get_array(object, "o", "w"), BadInput);
  EXPECT_THROW(get_object(object, "a", "w"), BadInput);
  EXPECT_THROW(get_string(object, "missing", "w"), BadInput);
  EXPECT_THROW(get_string(object["a"], "s", "w"), BadInput);
  EXPECT_THROW(get_strings(json{{"a", {1}}}, "a", "w"), BadInput);
}

TEST(StrictJson, NumbersAsExpressions) {
  const json object =
      parse_json_text(R"({"a":"1/4-sqrt(3)/6","b":-3,"c":0.5,"d":"1/0"})", "a.json");
  EXPECT_EQ(get_expression(object, "a", "w").text(), "1/4-sqrt(3)/6");
  EXPECT_EQ(get_expression(object, "b", "w").as_rational(), -3);
  EXPECT_THROW(get_expression(object, "c", "w"), BadInput);
  EXPECT_EQ(test::refusal([&] {
              get_expression(object, "d", "w");
            }).rfind("w, d: division by zero at character 2 of \"1/0\"", 0),
            0U);
}

struct Wheel {
  double radius = 0;
  std::string name;
};
struct Car {
  std::string id;
  int doors = 0;
  bool open = false;
  std::vector<std::string> colours;
  std::map<std::string, std::string> parts;
  std::vector<Wheel> wheels;
};

const Fields<Car>& fields_of_car() {
  static const auto wheel =
      Fields<Wheel>().required("radius", &Wheel::radius, 0).optional("name", &Wheel::name);
  static const auto car = Fields<Car>()
                              .required("id", &Car::id)
                              .required("doors", &Car::doors, 2, 5)
                              .optional("open", &Car::open)
                              .optional("colours", &Car::colours)
                              .optional("parts", &Car::parts)
                              .required("wheels", &Car::wheels, wheel, "wheel")
                              .check([](const Car& car, const std::string& where) {
                                if (car.wheels.empty()) throw BadInput(where + ": no wheels");
                              });
  return car;
}

TEST(Fields, WhatIsWrittenIsReadBackAndDefaultsAreNotWritten) {
  const json full = {{"id", "a"},
                     {"doors", 4},
                     {"open", true},
                     {"colours", {"red"}},
                     {"parts", {{"seat", "2"}}},
                     {"wheels", {{{"radius", 0.5}}, {{"radius", 1}, {"name", "spare"}}}}};
  EXPECT_EQ(json(fields_of_car().write(fields_of_car().read(full, "car"))), full);
  const json least = {{"id", "a"}, {"doors", 2}, {"wheels", {{{"radius", 0}}}}};
  EXPECT_EQ(fields_of_car().write(fields_of_car().read(least, "car")).dump(),
            R"({"id":"a","doors":2,"wheels":[{"radius":0.0}]})");
}

TEST(Fields, RefusalsNameThePlace) {
  const std::map<std::string, std::string> refusals = {
      {R"([])",
       "car: is an array; accepted: an object with id, doors, wheels, open, colours, parts"},
      {R"({"id": "a", "doors": 2})",
       "car: \"wheels\" is missing; accepted: id, doors, wheels, open, colours, parts"},
      {R"({"id": "a", "door": 2})",
       "car: unknown key \"door\"; accepted: id, doors, wheels, open, colours, parts"},
      {R"({"id": 1, "doors": 2, "wheels": []})",
       "car: \"id\" is the integer 1; accepted: a string"},
      {R"({"id": "a", "doors": 6, "wheels": []})",
       "car: \"doors\" is the integer 6; accepted: an integer from 2 to 5"},
      {R"({"id": "a", "doors": 2, "open": 0, "wheels": []})",
       "car: \"open\" is the integer 0; accepted: true or false"},
      {R"({"id": "a", "doors": 2, "parts": {"seat": 2}, "wheels": []})",
       "car: \"seat\" is the integer 2; accepted: a string"},
      {R"({"id": "a", "doors": 2, "wheels": [{"radius": 1}, {"radius": -1}]})",
       "car: wheel 2: \"radius\" is the integer -1; accepted: a number >= 0"},
      {R"({"id": "a", "doors": 2, "wheels": []})", "car: no wheels"}};
  for (const auto& [text, expected] : refusals)
    EXPECT_EQ(test::refusal([&, &in = text] { fields_of_car().read(json::parse(in), "car"); }),
              expected);
}

}  // namespace
}  // namespace daemark
