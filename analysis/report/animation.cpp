#include "analysis/report/animation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/report/animation_film.hpp"
#include "analysis/report/figure_svg.hpp"
#include "analysis/report/template.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

using Kind = DrawnShape::Kind;

constexpr const char* kSvgScript = "<script><![CDATA[";
constexpr const char* kSvgScriptEnd = "]]></script>\n";

std::string moving(const std::string& style, double width, const std::vector<std::string>& paths,
                   const Film& film) {
  if (paths.empty() || paths.front().empty()) return "";
  std::string out = fmt::format("<path class=\"{}\" stroke-width=\"{:.0f}\" d=\"{}\">", style,
                                width, paths.front());
  if (paths.size() > 1) {
    out +=
        fmt::format("<animate attributeName=\"d\" dur=\"{}s\" repeatCount=\"indefinite\" values=\"",
                    film.length);
    for (std::size_t k = 0; k < paths.size(); ++k) out += (k ? ";" : "") + paths[k];
    out += "\"/>";
  }
  return out + "</path>\n";
}

/// All shapes of a kind in one path.
std::vector<std::string> together(const Film& film, Kind kind) {
  std::vector<std::string> paths(film.frames);
  for (const FilmShape& shape : film.shapes) {
    if (shape.kind != kind) continue;
    for (std::size_t k = 0; k < film.frames; ++k) paths[k] += shape.paths[k];
  }
  return paths;
}

std::string shapes(const Film& film) {
  std::string out;
  for (const std::string& path : film.grounds)
    out += "<path class=\"an-soft\" stroke-width=\"20\" d=\"" + path + "\"/>\n";
  if (!film.trace.empty()) out += "<path class=\"an-trace\" d=\"" + film.trace + "\"/>\n";
  out += moving("an-soft", 20, together(film, Kind::spring), film);
  out += moving("an-soft", 30, together(film, Kind::damper), film);
  int body = 0;
  for (const FilmShape& shape : film.shapes) {
    if (shape.kind != Kind::body) continue;
    out +=
        moving(fmt::format("an-body an-b{}{}", body++ % 6, shape.closed ? " an-closed" : ""),
               shape.closed ? std::min(30.0, film.bar_width) : film.bar_width, shape.paths, film);
  }
  out += moving("an-ink", 1.1 * film.bar_width, together(film, Kind::joint), film);
  out += moving("an-ink", 3 * film.bar_width, together(film, Kind::mass), film);
  return out + moving("an-ink", 0.8 * film.bar_width, together(film, Kind::traced), film);
}

std::string scale_bar(const Film& film) {
  return fmt::format(
      "<path class=\"an-soft\" stroke-width=\"15\" d=\"M300 240V290H{}V240\"/>"
      "<text x=\"{}\" y=\"300\">{}</text>\n",
      300 + film.scale_bar, 380 + film.scale_bar, film.scale_text);
}

std::string time_bar(const Film& film) {
  const double y = film.height - 300, right = film.width - 300;
  std::string dot;
  if (film.frames > 1)
    dot = fmt::format(
        "<animate attributeName=\"cx\" dur=\"{}s\" repeatCount=\"indefinite\" values=\"300;{}\"/>",
        film.length, right);
  return fmt::format(
      "<g class=\"an-bar\"><path class=\"an-trace\" style=\"stroke-width:30\" d=\"M300 {0}H{1}\"/>"
      "<circle class=\"an-dot\" cx=\"300\" cy=\"{0}\" r=\"70\">{2}</circle>"
      "<rect x=\"300\" y=\"{3}\" width=\"{4}\" height=\"300\"/></g>\n",
      y, right, dot, y - 150, right - 300);
}

std::string svg_of(const Animation& animation, const Film& film) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"an\" viewBox=\"0 0 {} {}\" "
      "width=\"{}\" height=\"{}\" role=\"img\" aria-label=\"{}\" data-start=\"{:.10g}\" "
      "data-span=\"{:.10g}\" data-length=\"{}\" data-digits=\"{}\">\n",
      film.width, film.height, film.width / 10, film.height / 10,
      escape_xml("Animation of " + animation.title + ": " + animation.caption), film.start,
      film.span, film.length, film.digits);
  out += "<title>" + escape_xml(animation.title) + "</title>\n<desc>" +
         escape_xml(animation.caption) + "</desc>\n<style>" + asset("moving.css") + "</style>\n";
  out += shapes(film) + scale_bar(film);
  out += fmt::format(
      "<text x=\"{}\" y=\"300\" text-anchor=\"end\" class=\"an-now\" data-speed=\"{}\">{}</text>\n",
      film.width - 300, film.speed_text, escape_xml(film.time_text));
  return out + time_bar(film) + kSvgScript + asset("moving.js") + kSvgScriptEnd + "</svg>\n";
}

}  // namespace

std::string animation_svg(const Animation& animation, std::size_t bytes) {
  return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" +
         svg_of(animation, film_of(animation, bytes));
}

std::string animation_figure(const std::string& svg) {
  const std::size_t start = svg.find("<svg "), script = svg.find(kSvgScript);
  if (start == std::string::npos || script == std::string::npos || !svg.ends_with("</svg>\n"))
    return "";
  return "<figure class=\"animation\">" + svg.substr(start, script - start) +
         "</svg>\n<div class=\"player\"><button type=\"button\">Play</button><input type=\"range\" "
         "min=\"0\" max=\"1000\" value=\"0\" "
         "aria-label=\"time\"><output></output></div></figure>\n";
}

std::string animation_html(const Animation& animation, std::size_t bytes) {
  return fill_template("moving_page",
                       {{"title", animation.title},
                        {"caption", animation.caption},
                        {"style", asset("animation.css")},
                        {"figure", animation_figure(animation_svg(animation, bytes))},
                        {"script", asset("animation.js")}});
}

}  // namespace daemark
