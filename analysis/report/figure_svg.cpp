#include <fmt/format.h>
#include <gnuplot-iostream.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "analysis/report/figure_plan.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/shell_word.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFinished = "daemark: figure finished";

/// A gnuplot that dies early must not take us along.
class IgnoreBrokenPipe {
 public:
  IgnoreBrokenPipe() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &old_);
  }
  ~IgnoreBrokenPipe() { sigaction(SIGPIPE, &old_, nullptr); }
  IgnoreBrokenPipe(const IgnoreBrokenPipe&) = delete;
  IgnoreBrokenPipe& operator=(const IgnoreBrokenPipe&) = delete;

 private:
  struct sigaction old_ {};
};

/// Where it is on the PATH; empty if it is not.
fs::path found_on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / program;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

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

std::string plain_line(const std::string& text) {
  using nlohmann::json;  // which knows what is valid
  const auto replace = json::error_handler_t::replace;
  std::string line = json::parse(json(text).dump(-1, ' ', false, replace)).get<std::string>();
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return line;
}

std::string escape_xml(const std::string& text) {
  std::string escaped;
  for (const char c : plain_line(text)) {
    const std::string_view entity = c == '&'   ? "&amp;"
                                    : c == '<' ? "&lt;"
                                    : c == '>' ? "&gt;"
                                    : c == '"' ? "&quot;"
                                               : "";
    entity.empty() ? escaped += c : escaped += entity;
  }
  return escaped;
}

std::string gnuplot_string(const std::string& text) {
  // Octal escapes for all that gnuplot would act on even inside a string: its single-quoted strings
  // stumble over a leading apostrophe, its double-quoted ones run what stands in back quotes.
  std::string quoted = "\"";
  for (const char c : plain_line(text)) {
    if (std::string_view("\"'@\\`").find(c) == std::string_view::npos)
      quoted += c;
    else
      quoted += fmt::format("\\{:03o}", static_cast<int>(c));
  }
  return quoted + "\"";
}

GnuplotTerminal svg_terminal(int width, int height) {
  return {
      fmt::format("svg size {},{} fixed rounded noenhanced font 'sans,12' background rgb 'white'",
                  width, height),
      "</svg>"};
}

std::string run_gnuplot(const std::string& commands, const GnuplotTerminal& terminal, int seconds) {
  static fs::path hangs;
  const fs::path program = found_on_path("gnuplot");
  if (program.empty())
    throw CannotDraw("gnuplot is not on the PATH; on Debian the package gnuplot-nox has it");
  if (program == hangs) throw CannotDraw("gnuplot was not done in time with an earlier figure");
  std::optional<ScratchFolder> folder;
  try {
    folder.emplace();
  } catch (const BadInput& why) {
    throw CannotDraw(why.what());
  }
  const fs::path drawing = folder->path() / "figure", messages = folder->path() / "messages";
  {
    const IgnoreBrokenPipe guard;
    // --default-settings: a user's own gnuplot start-up file must not change our figures.
    Gnuplot gnuplot(fmt::format(
        "{{ LC_ALL=C.UTF-8 timeout -k 1 {} gnuplot --default-settings || echo exit $? >&2; }} "
        ">/dev/null 2>{}",
        seconds, shell_word(messages.string())));
    gnuplot << "set encoding utf8\nset terminal " << terminal.options << "\nset output "
            << gnuplot_string(drawing.string()) << "\n"
            << commands << "unset output\nprint '" << kFinished << "'\n";
    gnuplot.flush();
  }
  const std::string svg = read_text(drawing).value_or("");
  std::string said = read_text(messages).value_or("");
  // gnuplot stops at the first error but still closes its drawing properly.
  if (said.find(kFinished) != std::string::npos && svg.find(terminal.ending) != std::string::npos)
    return svg;
  if (said.ends_with("exit 124\n") || said.ends_with("exit 137\n")) {  // of `timeout`
    hangs = program;
    throw CannotDraw(fmt::format("gnuplot was not done within {} s", seconds));
  }
  constexpr std::size_t longest = 200;
  throw CannotDraw("gnuplot failed (" + plain_line(said.substr(0, longest)) +
                   "); gnuplot 5.4 or newer is needed");
}

std::string empty_svg(int width, int height, const std::string& why) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\" "
      "stroke=\"#999\"/>\n<text x=\"20\" y=\"40\" font-family=\"sans-serif\" "
      "font-size=\"14\">Not drawn: {2}.</text>\n</svg>\n",
      width, height, escape_xml(why));
}

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
