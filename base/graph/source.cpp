#include "base/graph/source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace daemark::graph {
namespace {

using Texts = std::vector<std::string>;

template <class... Holes>
std::string filled(const std::string& form, const Holes&... holes) {
  return fmt::format(fmt::runtime(form), holes...);
}

/// As most languages write it, by Op.
constexpr const char* spellings[] = {
    "",          "",          "{a} + {b}", "{a} - {b}",       "-{a}",     "{a} * {b}", "{a} / {b}",
    "{a} * {a}", "sqrt({a})", "sin({a})",  "cos({a})",        "exp({a})", "log({a})",  "tanh({a})",
    "asin({a})", "acos({a})", "atan({a})", "atan2({a}, {b})", "abs({a})", ""};

std::string operation(Op op, const std::string& a, const std::string& b, const std::string& c,
                      const Language& language) {
  const auto own = language.operations.find(op);
  const std::string form =
      own == language.operations.end() ? spellings[static_cast<int>(op)] : own->second;
  if (form.empty()) throw std::logic_error("operation without a spelling");
  return filled(form, fmt::arg("a", a), fmt::arg("b", b), fmt::arg("c", c));
}

/// The shortest digits that give the same double again.
std::string literal(double x, const Language& language) {
  std::string digits = fmt::format("{}", x);
  if (digits.find_first_of(".e") == digits.npos) digits += ".0";
  const std::string number = filled(language.number, fmt::arg("text", digits));
  return std::signbit(x) ? "(" + number + ")" : number;
}

const std::string& of_shape(const ByShape& spelling, int rows, int columns) {
  return columns > 0 ? spelling.matrix : rows > 0 ? spelling.vector : spelling.scalar;
}
std::string shaped(const ByShape& spelling, const std::string& name, int rows, int columns = 0) {
  return filled(of_shape(spelling, rows, columns), fmt::arg("name", name), fmt::arg("rows", rows),
                fmt::arg("columns", columns));
}
std::string element(const Language& language, const std::string& name, bool matrix, int i, int j) {
  return filled(matrix ? language.element.matrix : language.element.vector, fmt::arg("name", name),
                fmt::arg("i", i + language.first), fmt::arg("j", j + language.first));
}
std::string input(const Language& language, const Argument& argument, int i) {
  return argument.size == 0 ? argument.name : element(language, argument.name, false, i, 0);
}

/// Lines at a depth.
class Writer {
 public:
  explicit Writer(const Language& language) : language_(language) {}
  void add(int depth, const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      for (int i = 0; i < depth && !line.empty(); ++i) text_ += language_.indent;
      text_ += line + '\n';
    }
  }
  void assign(int depth, const std::string& to, const std::string& value) {
    add(depth, filled(language_.assign, fmt::arg("to", to), fmt::arg("value", value)));
  }
  std::string take() { return std::move(text_); }

 private:
  const Language& language_;
  std::string text_;
};

Texts slot_names(const SourceFunction& f, const Language& language) {
  Texts names(f.code.slots);
  for (const Argument& argument : f.arguments)
    for (int i = 0; i < std::max(argument.size, 1); ++i)
      names[argument.first + i] = input(language, argument, i);
  for (std::size_t i = 0; i < f.code.constants.size(); ++i)
    names[f.code.inputs + i] = literal(to_double(f.code.constants[i]), language);
  for (int i = f.code.first_computed(); i < f.code.slots; ++i)
    names[i] = fmt::format("w{}", i - f.code.first_computed() + 1);
  return names;
}

Texts names_of(const SourceFunction& f) {
  Texts names;
  for (const Argument& argument : f.arguments) names.push_back(argument.name);
  return names;
}

void declare_locals(Writer& writer, const Language& language, const Texts& slots, int first) {
  constexpr int in_a_line = 12;
  const int count = static_cast<int>(slots.size());
  for (int at = first; at < count && !language.locals.empty(); at += in_a_line) {
    const Texts names(slots.begin() + at, slots.begin() + std::min(at + in_a_line, count));
    writer.add(
        language.depth + 1,
        filled(language.locals, fmt::arg("names", fmt::format("{}", fmt::join(names, ", ")))));
  }
}

}  // namespace

std::vector<std::string> statements(const Code& code, const std::vector<std::string>& slots,
                                    const Language& language) {
  Texts all;
  const auto name = [&](int slot) { return slot < 0 ? std::string() : slots[slot]; };
  const auto assign = [&](Op op, int to, int a, int b, int c) {
    for (const int read : {a, b, c})
      if (read >= 0 && slots[read].empty()) throw std::logic_error("input that is no argument");
    const std::string value = operation(op, name(a), name(b), name(c), language);
    all.push_back(filled(language.assign, fmt::arg("to", name(to)), fmt::arg("value", value)));
  };
  for (const Instruction& i : code.list) {
    const bool pair = i.op == Op::sin && i.b >= 0;
    assign(i.op, i.to, i.a, pair ? -1 : i.b, i.c);
    if (pair) assign(Op::cos, i.b, i.a, -1, -1);
  }
  return all;
}

std::string comment_lines(const std::string& text, const Language& language) {
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    std::replace(line.begin(), line.end(), '\\', '/');  // no line of C goes on in the next
    line = filled(language.comment, fmt::arg("text", line));
    line.erase(line.find_last_not_of(' ') + 1);
    all += line + '\n';
  }
  return all;
}

std::string function_source(const SourceFunction& f, const Language& language) {
  Writer writer(language);
  const int depth = language.depth;
  Texts head;
  for (const Argument& argument : f.arguments)
    head.push_back(shaped(language.argument, argument.name, argument.size));
  if (const std::string& out = of_shape(language.result_argument, f.rows, f.columns); !out.empty())
    head.push_back(shaped(language.result_argument, "out", f.rows, f.columns));
  const std::string shape =
      f.columns > 0 ? fmt::format("{} x {}", f.rows, f.columns) : fmt::format("length {}", f.rows);
  writer.add(depth, comment_lines(f.meaning + ", " + shape, language));
  writer.add(depth, filled(language.open, fmt::arg("name", f.name),
                           fmt::arg("arguments", fmt::format("{}", fmt::join(head, ", ")))));
  for (const Argument& argument : f.arguments)
    writer.add(depth + 1, shaped(language.declaration, argument.name, argument.size));
  const Texts slots = slot_names(f, language);
  const std::string result = shaped(language.result, "out", f.rows, f.columns);
  // Declarations precede statements: the result's last line makes it zero.
  const std::size_t last = result.rfind('\n');
  if (last != result.npos) writer.add(depth + 1, result.substr(0, last));
  declare_locals(writer, language, slots, f.code.first_computed());
  writer.add(depth + 1, last == result.npos ? result : result.substr(last + 1));
  for (const std::string& statement : statements(f.code, slots, language))
    writer.add(depth + 1, statement);
  for (std::size_t i = 0; i < f.places.size(); ++i) {
    const std::string& value = slots[f.code.outputs[0][i]];
    if (value.empty()) throw std::logic_error("input that is no argument");
    writer.assign(depth + 1,
                  element(language, "out", f.columns > 0, f.places[i].first, f.places[i].second),
                  value);
  }
  writer.add(depth, filled(language.close, fmt::arg("name", f.name)));
  return writer.take();
}

TestPoint test_point(const std::vector<SourceFunction>& functions,
                     const std::vector<double>& inputs) {
  TestPoint point{inputs, {}};
  for (const SourceFunction& f : functions) {
    point.values.push_back(rounded_values(f.code, inputs));
    for (Rounded& x : point.values.back()) {
      const double nearest = to_double(x.value);
      x.error += to_double(wide(abs(wide(x.value - wide(nearest)))));
      if (!std::isfinite(nearest) || !std::isfinite(x.error)) return {};
    }
  }
  return point;
}

std::string self_test(const std::vector<SourceFunction>& functions,
                      const std::vector<TestPoint>& points, const Language& language) {
  Writer writer(language);
  std::map<std::string, Argument> variables;
  for (const SourceFunction& f : functions)
    for (const Argument& argument : f.arguments) variables[argument.name] = argument;
  writer.add(0, language.self_test);
  for (const auto& [name, argument] : variables)
    writer.add(1, shaped(language.variable, name, argument.size));
  for (const TestPoint& point : points) {
    for (const auto& [name, argument] : variables)
      for (int i = 0; i < std::max(argument.size, 1); ++i)
        writer.assign(1, input(language, argument, i),
                      literal(point.inputs[argument.first + i], language));
    for (std::size_t k = 0; k < functions.size(); ++k) {
      const SourceFunction& f = functions[k];
      writer.add(
          1, filled(language.call, fmt::arg("name", f.name),
                    fmt::arg("arguments", fmt::format("{}", fmt::join(names_of(f), ", "))),
                    fmt::arg("comma", f.arguments.empty() ? "" : ", "),
                    fmt::arg("result", shaped(language.call_result, "out", f.rows, f.columns))));
      for (std::size_t i = 0; i < f.places.size(); ++i) {
        const auto [row, column] = f.places[i];
        const Rounded& x = point.values[k][i];
        writer.add(
            1, filled(language.check,
                      fmt::arg("name", element(language, f.name, f.columns > 0, row, column)),
                      fmt::arg("value", element(language, "out", f.columns > 0, row, column)),
                      fmt::arg("expected", literal(to_double(x.value), language)),
                      // Printed to three digits, upward.
                      fmt::arg("bound", literal(std::stod(fmt::format("{:.2e}", 1.005 * x.error)),
                                                language))));
      }
      writer.add(1, language.done);
    }
  }
  writer.add(0, language.end);
  return writer.take();
}

std::string c_source(const Code& code, const std::string& name) {
  std::vector<std::string> slots;
  for (int i = 0; i < code.slots; ++i)
    slots.push_back((i < code.first_computed() ? "x[" : "w") + std::to_string(i) +
                    (i < code.first_computed() ? "]" : ""));
  std::string text = fmt::format("void {}(const double *x, double *const *y) {{\n", name);
  for (int i = code.first_computed(); i < code.slots; ++i) text += "  double " + slots[i] + ";\n";
  for (const std::string& statement : statements(code, slots, languages().at("c")))
    text += "  " + statement + "\n";
  for (std::size_t g = 0; g < code.outputs.size(); ++g) {
    if (code.outputs[g].empty()) continue;
    text += fmt::format("  if (y[{}]) {{\n", g);
    for (std::size_t i = 0; i < code.outputs[g].size(); ++i)
      text += fmt::format("    y[{}][{}] = {};\n", g, i, slots[code.outputs[g][i]]);
    text += "  }\n";
  }
  return text + "}\n";
}

}  // namespace daemark::graph
