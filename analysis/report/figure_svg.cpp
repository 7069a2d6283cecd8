#include <fmt/format.h>
#include <gnuplot-iostream.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
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

/// "M66.80,209.10 L61.40,209.10" as "M66.8 209.1l-5.4 0": steps in place of places halve a long
/// line. They are steps between rounded places, so that they add up. Other paths stay.
std::string in_steps(const std::string& path) {
  std::istringstream in(path);
  std::string out;
  long x = 0, y = 0;  // in tenths of a pixel
  double to_x = 0, to_y = 0;
  for (char letter = 0, comma = 0; in >> letter;) {
    const bool step = letter == 'L';
    if ((!step && letter != 'M') || !(in >> to_x >> comma >> to_y)) return path;
    const long next_x = std::lround(10 * to_x), next_y = std::lround(10 * to_y);
    out += fmt::format("{}{} {}", step ? 'l' : 'M', (next_x - (step ? x : 0)) / 10.0,
                       (next_y - (step ? y : 0)) / 10.0);
    x = next_x, y = next_y;
  }
  return out;
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
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\" stroke=\"#999\"/>\n<text x=\"20\" "
      "y=\"40\" font-family=\"sans-serif\" font-size=\"14\">Not drawn: {2}.</text>\n</svg>\n",
      width, height, escape_xml(why));
}

std::string tidy_svg(std::string svg, const std::string& title, const std::string& description) {
  if (svg.find("<g id=\"gnuplot_canvas\"") == std::string::npos)
    throw BadInput("figure '" + title + "': gnuplot's SVG has an unknown form; 5.4 is known");
  const std::string named = "<title>" + escape_xml(title) + "</title>",
                    described = "<desc>" + escape_xml(description) + "</desc>",
                    fonts = fmt::format("<g font-family=\"{}\">", kFonts);
  const std::array<std::array<std::string, 3>, 7> rules{
      {{"<svg", "\n", "<svg role=\"img\"\n"},
       {"<title>Gnuplot", "</title>", named},
       {"<desc>Produced by", "</desc>", description.empty() ? "" : described},
       {"<g id=\"gnuplot_canvas\"", ">", fonts},
       {" id=\"gnuplot_", "</title>", ">"},
       {" font-family=\"sans", "\"", ""},
       // 5.4 writes the colour of the text before into groups whose paths have their own.
       {"color=\"black\" stroke=\"rgb(", "\"", "color=\"black\" stroke=\"currentColor\""}}};
  static const std::regex empty_group("<g [^>]*>\\s*</g>\\s*");
  for (const auto& [opening, closing, text] : rules)
    replace(svg, opening, closing, [&text = text](const std::string&) { return text; });
  replace(svg, " d='", "'", [](const std::string& path) { return " d='" + in_steps(path) + "'"; });
  return std::regex_replace(svg, empty_group, "");
}

}  // namespace daemark
