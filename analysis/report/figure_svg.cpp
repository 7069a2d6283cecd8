#include "analysis/report/figure_svg.hpp"

#include <gnuplot-iostream.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <system_error>

#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFinished = "daemark: figure finished";
constexpr const char* kFonts =
    "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// A folder of our own that goes away with its files.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "daemark-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw BadInput("cannot make a temporary folder " + name + "; a writable TMPDIR is needed");
    }
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

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

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / program;
    if (access(candidate.c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Length of the valid UTF-8 character at `i`, 0 if there is none.
std::size_t utf8_length(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned first = byte(i);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80) return 0;
  }
  if (length < 3) return length;
  const unsigned second = byte(i + 1);  // overlong forms, surrogates, beyond U+10FFFF
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) {
    return 0;
  }
  return length;
}

/// Digits after the first decimal are below what a screen or printer resolves.
std::string one_decimal(const std::string& number) {
  double value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  value = std::round(value * 10) / 10;
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value == 0 ? 0.0 : value,
                                 std::chars_format::fixed);
  return {text.data(), end.ptr};
}

/// Rounds every number with decimals inside the attribute values that `opening` introduces; the
/// definitions of the point shapes, which are scaled up, keep their digits.
void round_attribute(std::string& svg, const std::string& opening, char closing) {
  std::size_t from = std::min(svg.find("</defs>"), svg.size());
  std::string out = svg.substr(0, from);
  for (std::size_t at; (at = svg.find(opening, from)) != std::string::npos;) {
    const std::size_t start = at + opening.size();
    const std::size_t stop = std::min(svg.find(closing, start), svg.size());
    out.append(svg, from, start - from);
    for (std::size_t i = start; i < stop;) {
      std::size_t j = i;
      while (j < stop && (std::isdigit(static_cast<unsigned char>(svg[j])) || svg[j] == '.' ||
                          (j == i && svg[j] == '-'))) {
        ++j;
      }
      if (j > i + 1) {
        out += one_decimal(svg.substr(i, j - i));
        i = j;
      } else {
        out += svg[i++];
      }
    }
    from = stop;
  }
  svg = out.append(svg, from, std::string::npos);
}

std::string hexadecimal_colours(const std::string& svg) {
  static const std::regex colour(R"(rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\))");
  std::string out;
  auto from = svg.cbegin();
  for (std::sregex_iterator it(svg.begin(), svg.end(), colour), end; it != end; ++it) {
    out.append(from, (*it)[0].first);
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "#%02X%02X%02X", std::stoi((*it)[1]),
                  std::stoi((*it)[2]), std::stoi((*it)[3]));
    out += text.data();
    from = (*it)[0].second;
  }
  return out.append(from, svg.cend());
}

/// Everything up to gnuplot's canvas group, as we want it.
std::string head(const std::string& size, const std::string& title,
                 const std::string& description) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<svg xmlns=\"http://www.w3.org/"
      "2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" " +
      size + " role=\"img\" font-family=\"" + kFonts + "\">\n";
  text += "<title>" + escape_xml(title) + "</title>\n";
  if (!description.empty()) text += "<desc>" + escape_xml(description) + "</desc>\n";
  return text;
}

}  // namespace

std::string plain_line(const std::string& text) {
  std::string line;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) {
      line += "\xEF\xBF\xBD";
      ++i;
      continue;
    }
    const auto first = static_cast<unsigned char>(text[i]);
    line += first < 0x20 || first == 0x7F ? " " : text.substr(i, length);
    i += length;
  }
  return line;
}

std::string escape_xml(const std::string& text) {
  std::string escaped;
  for (const char c : plain_line(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string gnuplot_string(const std::string& text) {
  // Octal escapes for all that gnuplot would act on even inside a string: its single-quoted strings
  // stumble over a leading apostrophe, its double-quoted ones run what stands in back quotes.
  std::string quoted = "\"";
  for (const char c : plain_line(text)) {
    switch (c) {
      case '"':
        quoted += "\\042";
        break;
      case '\'':
        quoted += "\\047";
        break;
      case '@':
        quoted += "\\100";
        break;
      case '\\':
        quoted += "\\134";
        break;
      case '`':
        quoted += "\\140";
        break;
      default:
        quoted += c;
    }
  }
  return quoted + "\"";
}

std::string run_gnuplot(const std::string& commands, int width, int height,
                        const std::string& where) {
  if (!on_path("gnuplot")) {
    throw BadInput(where +
                   ": gnuplot is not on the PATH; on Debian the package gnuplot-nox has it");
  }
  const ScratchFolder folder;
  const fs::path drawing = folder.path() / "figure.svg", messages = folder.path() / "messages";
  {
    const IgnoreBrokenPipe guard;
    // --default-settings: a user's own gnuplot start-up file must not change our figures.
    Gnuplot gnuplot("LC_ALL=C.UTF-8 gnuplot --default-settings 2>" +
                    shell_quoted(messages.string()) + " || true");
    gnuplot << "set encoding utf8\nset terminal svg size " << width << "," << height
            << " fixed noenhanced font 'sans," << 12 << "' background rgb 'white'\n"
            << "set output " << gnuplot_string(drawing.string()) << "\n"
            << commands << "unset output\nprint '" << kFinished << "'\n";
    gnuplot.flush();
  }
  const std::string svg = read_file(drawing);
  std::string said = read_file(messages);
  // gnuplot stops at the first error but still closes its drawing properly.
  if (said.find(kFinished) == std::string::npos || svg.find("</svg>") == std::string::npos) {
    if (said.size() > 200) said.resize(200);
    throw BadInput(where + ": gnuplot failed (" + plain_line(said) +
                   "); gnuplot 5.4 or newer is needed");
  }
  return svg;
}

std::string tidy_svg(std::string svg, const std::string& title, const std::string& description) {
  static const std::regex size(R"re(width="\d+" height="\d+"\s+viewBox="[^"]*")re");
  std::smatch found;
  const std::size_t canvas = svg.find("<g id=\"gnuplot_canvas\">");
  if (canvas == std::string::npos || !std::regex_search(svg, found, size)) {
    throw BadInput("figure '" + title + "': gnuplot's SVG has an unknown form; 5.4 is known");
  }
  const std::string start = head(found.str(), title, description);
  svg.erase(0, canvas);
  svg = hexadecimal_colours(svg);
  static const std::vector<std::pair<std::regex, std::string>> kEdits{
      {std::regex(R"re(\s*<filter id='(textbox|greybox)'[\s\S]*?</filter>)re"), ""},
      {std::regex(R"re(<g id="gnuplot_canvas">)re"), "<g>"},
      {std::regex(R"re(<g id="gnuplot_plot_[^"]*" ?><title>[^<]*</title>)re"), "<g>"},
      {std::regex(R"re( font-family="sans")re"), ""},
      // Round ends show a lone point between two gaps, a stroke of no length, as a dot.
      {std::regex(R"re(stroke-linecap="butt" stroke-linejoin="miter")re"),
       R"re(stroke-linecap="round" stroke-linejoin="round")re"},
      // gnuplot's pentagon becomes the star that marks where a trajectory ends.
      {std::regex(R"re(M0,1\.330 L1\.265,0\.411 [^']*)re"),
       "M0,-1.5 L0.353,-0.485 L1.427,-0.464 L0.571,0.185 L0.882,1.214 L0,0.6 L-0.882,1.214 "
       "L-0.571,0.185 L-1.427,-0.464 L-0.353,-0.485 z"},
      {std::regex(R"re([ \t]*\n\s*)re"), "\n"}};
  for (const auto& [pattern, replacement] : kEdits) {
    svg = std::regex_replace(svg, pattern, replacement);
  }
  static const std::regex empty_group(R"re(<g [^>]*>\s*</g>\s*)re");
  svg = std::regex_replace(svg, empty_group, "");
  round_attribute(svg, " d='M", '\'');
  round_attribute(svg, "translate(", ')');
  return start + svg;
}

}  // namespace daemark
