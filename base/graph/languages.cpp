// What C, Fortran, Julia and Python write in ways of their own.
#include "base/graph/source.hpp"

namespace daemark::graph {
namespace {

Language c() {
  Language l;
  l.operations = {{Op::abs, "fabs({a})"}, {Op::select, "{a} > 0 ? {b} : {c}"}};
  l.comment = "// {text}", l.number = "{text}", l.indent = "  ";
  l.assign = "{to} = {value};", l.locals = "double {names};";
  l.element = {"", "{name}[{i}]", "{name}[{i}][{j}]"};
  l.argument = {"double {name}", "const double {name}[{rows}]", ""};
  l.result_argument = {"", "double {name}[{rows}]", "double {name}[{rows}][{columns}]"};
  l.result = {"", "memset({name}, 0, {rows} * sizeof(double));",
              "memset({name}, 0, {rows} * {columns} * sizeof(double));"};
  l.open = "void {name}({arguments}) {{", l.close = "}}\n\n";
  l.begin = "#include <math.h>\n#include <stdio.h>\n#include <string.h>\n";
  l.self_test = R"(#ifndef WITHOUT_SELF_TEST
static int failed = 0;

static void check(const char *name, double value, double expected, double bound) {
  if (fabs(value - expected) <= bound) return;
  printf("%s is %.17g, expected %.17g\n", name, value, expected);
  failed = 1;
}

int main(void) {)";
  l.variable = {"double {name};", "double {name}[{rows}];", ""};
  l.call = "{{\n  {result}\n  {name}({arguments}{comma}out);", l.done = "}";
  l.call_result = {"", "double {name}[{rows}];", "double {name}[{rows}][{columns}];"};
  l.check = "  check(\"{name}\", {value}, {expected}, {bound});";
  l.end = "  return failed;\n}\n#endif";
  return l;
}

Language fortran() {
  Language l;
  l.operations = {{Op::select, "merge({b}, {c}, {a} > 0)"}};
  l.comment = "! {text}", l.number = "{text}_wp", l.indent = "  ";
  l.first = 1, l.depth = 1;
  l.locals = "real(wp) :: {names}";
  l.element = {"", "{name}({i})", "{name}({i}, {j})"};
  l.argument = {"{name}", "{name}", ""};
  l.declaration = {"real(wp), intent(in) :: {name}", "real(wp), intent(in) :: {name}({rows})", ""};
  l.result_argument = {"", "{name}", "{name}"};
  l.result = {"", "real(wp), intent(out) :: {name}({rows})\n{name} = 0",
              "real(wp), intent(out) :: {name}({rows}, {columns})\n{name} = 0"};
  l.open = "subroutine {name}({arguments})", l.close = "end subroutine {name}\n\n";
  l.begin = R"(module exported_problem
  implicit none
  integer, parameter :: wp = kind(1d0)
  logical :: failed = .false.
contains
)";
  l.self_test = R"(  subroutine check(name, value, expected, bound)
    character(*), intent(in) :: name
    real(wp), intent(in) :: value, expected, bound
    if (abs(value - expected) <= bound) return
    print '(2a, es25.17, a, es25.17)', name, ' is ', value, ', expected ', expected
    failed = .true.
  end subroutine check
end module exported_problem

program self_test
  use exported_problem
  implicit none)";
  l.variable = {"real(wp) :: {name}", "real(wp) :: {name}({rows})", ""};
  l.call = "block\n  {result}\n  call {name}({arguments}{comma}out)", l.done = "end block";
  l.call_result = {"", "real(wp) :: {name}({rows})", "real(wp) :: {name}({rows}, {columns})"};
  l.check = "  call check('{name}', {value}, {expected}, {bound})";
  l.end = "  if (failed) stop 1\nend program self_test";
  return l;
}

Language julia() {
  Language l;
  l.operations = {{Op::atan2, "atan({a}, {b})"}, {Op::select, "ifelse({a} > 0, {b}, {c})"}};
  l.comment = "# {text}", l.number = "{text}", l.indent = "    ";
  l.first = 1;
  l.element = {"", "{name}[{i}]", "{name}[{i}, {j}]"};
  l.argument = {"{name}", "{name}", ""};
  l.result = {"", "{name} = zeros({rows})", "{name} = zeros({rows}, {columns})"};
  l.open = "function {name}({arguments})", l.close = "    return out\nend\n\n";
  l.self_test = R"(const failed = String[]

function check(name, value, expected, bound)
    abs(value - expected) <= bound && return
    println(name, " is ", value, ", expected ", expected)
    push!(failed, name)
end

function self_test())";
  l.variable = {"", "{name} = zeros({rows})", ""};
  l.call = "out = {name}({arguments})";
  l.check = "check(\"{name}\", {value}, {expected}, {bound})";
  l.end = R"(    return isempty(failed) ? 0 : 1
end

abspath(PROGRAM_FILE) == @__FILE__() && exit(self_test()))";
  return l;
}

Language python() {
  Language l;
  l.operations = {{Op::select, "{b} if {a} > 0 else {c}"}};
  l.comment = "# {text}", l.number = "{text}", l.indent = "    ";
  l.element = {"", "{name}[{i}]", "{name}[{i}][{j}]"};
  l.argument = {"{name}", "{name}", ""};
  l.result = {"", "{name} = [0.0] * {rows}", "{name} = [[0.0] * {columns} for _ in range({rows})]"};
  l.open = "def {name}({arguments}):", l.close = "    return out\n\n\n";
  l.begin = "from math import acos, asin, atan, atan2, cos, exp, log, sin, sqrt, tanh\n\n";
  l.self_test = R"(failed = []


def check(name, value, expected, bound):
    if not abs(value - expected) <= bound:
        print(f"{name} is {value}, expected {expected}")
        failed.append(name)


def self_test():)";
  l.variable = {"", "{name} = [0.0] * {rows}", ""};
  l.call = "out = {name}({arguments})";
  l.check = "check(\"{name}\", {value}, {expected}, {bound})";
  l.end = R"(    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(self_test()))";
  return l;
}

}  // namespace

const std::map<std::string, Language>& languages() {
  static const std::map<std::string, Language> all = {
      {"c", c()}, {"fortran", fortran()}, {"julia", julia()}, {"python", python()}};
  return all;
}

}  // namespace daemark::graph
