// gnuplot's SVG made small and plain.
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "analysis/report/figure_svg.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

constexpr const char* kFonts =
    "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

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

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

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
      while (j < stop && (is_digit(svg[j]) || svg[j] == '.' || (j == i && svg[j] == '-'))) ++j;
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
    while (at < end && (*at == ' ' || *at == ',' || *at == '\n')) ++at;
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
    while (at < end && (*at == ' ' || *at == '\n')) ++at;
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

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Reads along a text. Each step moves on if the text goes on that way, else the cursor fails.
class Cursor {
 public:
  Cursor(const std::string& text, std::size_t at) : text_(text), at_(at) {}

  Cursor& literal(std::string_view part) {
    failed_ = failed_ || text_.compare(at_, part.size(), part) != 0;
    if (!failed_) at_ += part.size();
    return *this;
  }
  Cursor& blanks() { return many(is_blank); }
  Cursor& up_to(char stop) {  // or to the end
    return many([stop](char c) { return c != stop; });
  }
  Cursor& beyond(std::string_view part) {
    const std::size_t found = failed_ ? std::string::npos : text_.find(part, at_);
    failed_ = found == std::string::npos;
    if (!failed_) at_ = found + part.size();
    return *this;
  }
  std::string digits() {
    const std::size_t from = at_;
    many(is_digit);
    failed_ = failed_ || at_ == from;
    return text_.substr(from, at_ - from);
  }
  explicit operator bool() const { return !failed_; }
  std::size_t at() const { return at_; }

 private:
  template <class Accepts>
  Cursor& many(Accepts&& accepts) {
    while (!failed_ && at_ < text_.size() && accepts(text_[at_])) ++at_;
    return *this;
  }

  const std::string& text_;
  std::size_t at_;
  bool failed_ = false;
};

/// `text` with every part that begins with `opening` and is accepted replaced. `rest(cursor)` reads
/// on from behind the opening and returns what stands for the part. Blanks of `trim` before a part
/// go with it.
template <class Rest>
std::string replaced(const std::string& text, std::string_view opening, std::string_view trim,
                     Rest&& rest) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = 0; (at = text.find(opening, at)) != std::string::npos;) {
    Cursor cursor(text, at + opening.size());
    const std::string part = rest(cursor);
    if (!cursor) {
      ++at;
      continue;
    }
    std::size_t stop = at;
    while (stop > from && trim.find(text[stop - 1]) != std::string_view::npos) --stop;
    out.append(text, from, stop - from).append(part);
    from = at = cursor.at();
  }
  return out.append(text, from);
}

std::string replaced(const std::string& text, std::string_view part, const std::string& by) {
  return replaced(text, part, "", [&by](Cursor&) { return by; });
}

std::string hexadecimal_colours(const std::string& svg) {
  return replaced(svg, "rgb(", "", [](Cursor& cursor) {
    std::array<int, 3> colour{};
    for (std::size_t i = 0; i < 3; ++i) {
      if (i > 0) cursor.literal(",");
      const std::string level = cursor.blanks().digits();
      colour[i] = cursor ? std::stoi(level) : 0;
    }
    cursor.literal(")");
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "#%02X%02X%02X", colour[0], colour[1], colour[2]);
    return std::string(text.data());
  });
}

/// The size attributes of the svg element; empty if there are none.
std::string size_attributes(const std::string& svg) {
  for (std::size_t at = 0; (at = svg.find("width=\"", at)) != std::string::npos; ++at) {
    Cursor cursor(svg, at + 7);
    cursor.digits();
    cursor.literal("\" height=\"").digits();
    const std::size_t blank = cursor.literal("\"").at();
    if (cursor.blanks().at() == blank) continue;
    if (cursor.literal("viewBox=\"").up_to('"').literal("\""))
      return svg.substr(at, cursor.at() - at);
  }
  return "";
}

std::string without_empty_groups(const std::string& svg) {
  return replaced(svg, "<g ", "", [](Cursor& cursor) {
    cursor.up_to('>').literal(">").blanks().literal("</g>").blanks();
    return std::string();
  });
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

std::string tidy_svg(std::string svg, const std::string& title, const std::string& description) {
  const std::string size = size_attributes(svg);
  const std::size_t canvas = svg.find("<g id=\"gnuplot_canvas\">");
  if (canvas == std::string::npos || size.empty())
    throw BadInput("figure '" + title + "': gnuplot's SVG has an unknown form; 5.4 is known");
  const std::string start = head(size, title, description);
  svg = hexadecimal_colours(svg.substr(canvas));
  constexpr std::string_view blanks = " \t\n\v\f\r";
  for (const char* filter : {"<filter id='textbox'", "<filter id='greybox'"}) {
    svg = replaced(svg, filter, blanks, [](Cursor& cursor) {
      cursor.beyond("</filter>");
      return std::string();
    });
  }
  svg = replaced(svg, "<g id=\"gnuplot_canvas\">", "<g>");
  svg = replaced(svg, "<g id=\"gnuplot_plot_", "", [](Cursor& cursor) {
    cursor.up_to('"').literal("\"").blanks().literal("><title>").up_to('<').literal("</title>");
    return std::string("<g>");
  });
  svg = replaced(svg, " font-family=\"sans\"", "");
  // Round ends show a lone point between two gaps, a stroke of no length, as a dot.
  svg = replaced(svg, "stroke-linecap=\"butt\" stroke-linejoin=\"miter\"",
                 "stroke-linecap=\"round\" stroke-linejoin=\"round\"");
  // gnuplot's pentagon becomes the star that marks where a trajectory ends.
  svg = replaced(svg, "M0,1.330 L1.265,0.411 ", "", [](Cursor& cursor) {
    cursor.up_to('\'');
    return std::string(
        "M0,-1.5 L0.353,-0.485 L1.427,-0.464 L0.571,0.185 L0.882,1.214 L0,0.6 L-0.882,1.214 "
        "L-0.571,0.185 L-1.427,-0.464 L-0.353,-0.485 z");
  });
  svg = replaced(svg, "\n", " \t", [](Cursor& cursor) {
    cursor.blanks();
    return std::string("\n");
  });
  svg = without_empty_groups(svg);
  compact_paths(svg);
  round_attribute(svg, "translate(", ')');
  round_attribute(svg, "rotate(", ')');
  // gnuplot 5.4 writes the colour of the text before into groups whose paths have their own.
  svg = replaced(svg, "color=\"black\" stroke=\"#", "", [](Cursor& cursor) {
    cursor.up_to('"');
    return std::string("color=\"black\" stroke=\"currentColor");
  });
  return start + svg;
}

}  // namespace daemark
