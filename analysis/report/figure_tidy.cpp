// gnuplot's SVG made small and plain.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>

#include "analysis/report/figure_svg.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

constexpr const char* kFonts =
    "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// Tenths of a pixel as a number, with as few signs as SVG reads: 12, -.5.
std::string from_tenths(long tenths) {
  const long whole = std::labs(tenths) / 10, rest = std::labs(tenths) % 10;
  std::string text = tenths < 0 ? "-" : "";
  if (whole != 0 || rest == 0) text += std::to_string(whole);
  if (rest != 0) text += "." + std::to_string(rest);
  return text;
}

/// "M66.8,209.1 L61.4,209.1 L..." with steps in place of places, which halves a long line; other
/// paths as they are. What is rounded are places, so that steps add up.
std::string compact_path(const std::string& path) {
  std::string out;
  long x = 0, y = 0;
  char last = 0;
  const char* at = path.data();
  const char* const end = at + path.size();
  const auto number = [&](long& tenths) {
    while (at < end && std::strchr(" ,\n", *at) != nullptr) ++at;
    double value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    at = stop;
    tenths = std::lround(10 * value);
    return error == std::errc();
  };
  const auto put = [&out](long tenths, bool apart) {
    const std::string text = from_tenths(tenths);
    if (apart && text.front() != '-') out += ' ';
    out += text;
  };
  while (true) {
    while (at < end && std::strchr(" \n", *at) != nullptr) ++at;
    if (at == end) return out;
    const char letter = *at++;
    long next_x = 0, next_y = 0;
    if ((letter != 'M' && letter != 'L') || !number(next_x) || !number(next_y)) return path;
    const bool step = letter == 'L';
    if (step && last == 0) return path;
    if (step && next_x == x && next_y == y && last == 'L') continue;
    const bool again = step && last == 'L';
    if (!again) out += step ? 'l' : 'M';
    put(step ? next_x - x : next_x, again);
    put(step ? next_y - y : next_y, true);
    x = next_x, y = next_y, last = letter;
  }
}

void compact_paths(std::string& svg) {
  const std::string opening = " d='";
  std::size_t from = std::min(svg.find("</defs>"), svg.size());
  std::string out = svg.substr(0, from);
  for (std::size_t at; (at = svg.find(opening, from)) != std::string::npos;) {
    const std::size_t start = at + opening.size(),
                      stop = std::min(svg.find('\'', start), svg.size());
    out.append(svg, from, start - from) += compact_path(svg.substr(start, stop - start));
    from = stop;
  }
  svg = out.append(svg, from, std::string::npos);
}

/// Every part from `opening` to the next `closing`, both included, becomes what `by` makes of what
/// stands between them.
template <class By>
void replace(std::string& svg, std::string_view opening, std::string_view closing, By&& by) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t at; (at = svg.find(opening, from)) != std::string::npos;) {
    const std::size_t inner = at + opening.size(), stop = svg.find(closing, inner);
    if (stop == std::string::npos) break;
    out.append(svg, from, at - from) += by(svg.substr(inner, stop - inner));
    from = stop + closing.size();
  }
  svg = out.append(svg, from);
}

std::string hexadecimal(const std::string& rgb) {
  int red = 0, green = 0, blue = 0;
  std::sscanf(rgb.c_str(), "%d,%d,%d", &red, &green, &blue);
  return fmt::format("#{:02X}{:02X}{:02X}", red, green, blue);
}

/// Numbers, separated by commas, to a tenth.
std::string rounded(const std::string& numbers) {
  std::string out;
  std::istringstream parts(numbers);
  for (std::string part; std::getline(parts, part, ',');)
    out +=
        (out.empty() ? "" : ",") + fmt::format("{}", std::round(std::stod(part) * 10) / 10 + 0.0);
  return out;
}

/// One line end for every run of blanks that has one.
std::string without_indentation(const std::string& svg) {
  std::string out;
  for (std::size_t from = 0; from < svg.size();) {
    const std::size_t end = std::min(svg.find('\n', from), svg.size());
    out.append(svg, from, end - from);
    if (end < svg.size()) out.erase(out.find_last_not_of(" \t") + 1) += '\n';
    from = std::min(svg.find_first_not_of(" \t\n", end), svg.size());
  }
  return out;
}

/// Groups that hold nothing, with the blanks behind them.
void drop_empty_groups(std::string& svg) {
  constexpr const char* blanks = " \t\n";
  for (std::size_t end = 0; (end = svg.find("</g>", end)) != std::string::npos;) {
    const std::size_t before = svg.find_last_not_of(blanks, end - 1), begin = svg.rfind("<g ", end);
    if (svg[before] == '>' && begin != std::string::npos && svg.find('>', begin) == before) {
      svg.erase(begin, svg.find_first_not_of(blanks, end + 4) - begin);
      end = begin;
    } else {
      ++end;
    }
  }
}

}  // namespace

std::string tidy_svg(std::string svg, const std::string& title, const std::string& description) {
  // gnuplot 5.4 writes the colour of the text before into groups whose paths have their own.
  constexpr std::array<std::array<const char*, 3>, 7> rules{
      {{"<filter id='textbox'", "</filter>", ""},
       {"<filter id='greybox'", "</filter>", ""},
       {" id=\"gnuplot_", "</title>", ">"},
       {" font-family=\"sans", "\"", ""},
       {"rotate(-90", ")", "rotate(-90)"},
       {"color=\"black\" stroke=\"#", "\"", "color=\"black\" stroke=\"currentColor\""},
       // Its pentagon becomes the star that marks where a trajectory ends.
       {"M0,1.330 L1.265,0.411 ", "z",
        "M0,-1.5 L0.353,-0.485 L1.427,-0.464 L0.571,0.185 L0.882,1.214 L0,0.6 L-0.882,1.214 "
        "L-0.571,0.185 L-1.427,-0.464 L-0.353,-0.485 z"}}};
  const std::size_t width = svg.find("width=\""), box = svg.find("viewBox=\"", width),
                    canvas = svg.find("<g id=\"gnuplot_canvas\"");
  if (canvas == std::string::npos || box == std::string::npos)
    throw BadInput("figure '" + title + "': gnuplot's SVG has an unknown form; 5.4 is known");
  const std::string head = fmt::format(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "xmlns:xlink=\"http://www.w3.org/1999/xlink\" {} role=\"img\" font-family=\"{}\">\n"
      "<title>{}</title>\n{}",
      svg.substr(width, svg.find('"', box + 9) + 1 - width), kFonts, escape_xml(title),
      description.empty() ? "" : "<desc>" + escape_xml(description) + "</desc>\n");
  svg = "<g" + svg.substr(canvas + std::strlen("<g id=\"gnuplot_canvas\""));
  replace(svg, "rgb(", ")", hexadecimal);
  for (const auto& [opening, closing, by] : rules)
    replace(svg, opening, closing, [text = by](const std::string&) { return text; });
  replace(svg, "translate(", ")",
          [](const std::string& at) { return "translate(" + rounded(at) + ")"; });
  svg = without_indentation(svg);
  drop_empty_groups(svg);
  compact_paths(svg);
  return head + svg;
}

}  // namespace daemark
