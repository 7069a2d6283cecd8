#include "analysis/report/animation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/report/animation_film.hpp"
#include "analysis/report/figure_svg.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

using Kind = DrawnShape::Kind;

constexpr const char* kSvgScript = "<script><![CDATA[";
constexpr const char* kSvgScriptEnd = "]]></script>\n";

/// Of the standalone SVG: a click stops and goes on, a pointer on the time bar moves it.
constexpr const char* kSvgBehaviour = R"js(
(function () {
  var svg = document.documentElement, label = svg.querySelector('.an-now'), held = false;
  var number = function (name) { return parseFloat(svg.getAttribute('data-' + name)); };
  var length = number('length'), bar = svg.querySelector('.an-bar rect');
  function show() {
    var s = svg.getCurrentTime() % length;
    label.textContent = 't = ' + (number('start') + s / length * number('span'))
                                     .toFixed(number('digits')) + ' s';
    requestAnimationFrame(show);
  }
  function seek(event) {
    var box = bar.getBoundingClientRect();
    var part = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 0.9999);
    svg.setCurrentTime(part * length);
  }
  function toggle() { if (svg.animationsPaused()) svg.unpauseAnimations(); else svg.pauseAnimations(); }
  svg.addEventListener('pointerdown', function (event) {
    held = event.target === bar;
    if (held) seek(event); else toggle();
  });
  svg.addEventListener('pointermove', function (event) { if (held) seek(event); });
  svg.addEventListener('pointerup', function () { held = false; });
  document.addEventListener('keydown', function (event) {
    if (event.key === ' ') { toggle(); event.preventDefault(); }
    var step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) svg.setCurrentTime((svg.getCurrentTime() + (step * 0.02 + 1) * length) % length);
  });
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) svg.pauseAnimations();
  show();
})();
)js";

/// Colours for light and dark; Okabe & Ito's for the bodies. Without variables, which converters to
/// other formats do not know.
constexpr const char* kSvgStyle =
    ".an path{fill:none;stroke-linecap:round;stroke-linejoin:round}"
    ".an text{font:130px system-ui,'Helvetica Neue',Arial,sans-serif;fill:#5d6470}"
    ".an .an-body{stroke:currentColor}.an .an-b0{color:#0072B2}.an .an-b1{color:#D55E00}"
    ".an .an-b2{color:#009E73}.an .an-b3{color:#B0578C}.an .an-b4{color:#A87400}"
    ".an .an-b5{color:#3D8FBF}.an .an-closed{fill:currentColor;fill-opacity:.18}"
    ".an .an-ink{stroke:#1c1e21}.an .an-soft{stroke:#5d6470}"
    ".an .an-trace{stroke:#b9c0ca;stroke-width:14}"
    ".an .an-dot{fill:#1c1e21}.an .an-bar rect{fill:transparent;cursor:pointer}"
    "@media screen and (prefers-color-scheme:dark){.an text{fill:#9aa2ae}"
    ".an .an-b0{color:#5AAFE0}.an .an-b1{color:#F08A45}.an .an-b2{color:#3FC79E}"
    ".an .an-b3{color:#DFA0C3}.an .an-b4{color:#E3B04B}.an .an-b5{color:#8CCBEE}"
    ".an .an-ink{stroke:#e4e6ea}.an .an-soft{stroke:#9aa2ae}.an .an-trace{stroke:#4a515c}"
    ".an .an-dot{fill:#e4e6ea}}";

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
         escape_xml(animation.caption) + "</desc>\n<style>" + kSvgStyle + "</style>\n";
  out += shapes(film) + scale_bar(film);
  out += fmt::format(
      "<text x=\"{}\" y=\"300\" text-anchor=\"end\" class=\"an-now\" data-speed=\"{}\">{}</text>\n",
      film.width - 300, film.speed_text, escape_xml(film.time_text));
  return out + time_bar(film) + kSvgScript + kSvgBehaviour + kSvgScriptEnd + "</svg>\n";
}

}  // namespace

const char* const kAnimationStyle = R"css(
.animation svg { display: block; width: 100%; max-width: 48rem; height: auto; max-height: 30rem; }
.animation .player { display: none; align-items: center; gap: .7rem; max-width: 48rem; }
.js .animation .player { display: flex; } .js .animation .an-bar { display: none; }
.player button { font: inherit; min-width: 4.6rem; padding: .15rem .5rem; cursor: pointer; }
.player input { flex: 1; min-width: 4rem; }
.player output { min-width: 6.5rem; text-align: right; font-variant-numeric: tabular-nums; }
@media print { .js .animation .player { display: none; } }
)css";

const char* const kAnimationScript = R"js(
(function () {
  'use strict';
  document.documentElement.classList.add('js');
  var still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  function setUp(figure) {
    var svg = figure.querySelector('svg'), player = figure.querySelector('.player');
    var button = player.querySelector('button'), slider = player.querySelector('input');
    var now = player.querySelector('output'), label = svg.querySelector('.an-now');
    var number = function (name) { return parseFloat(svg.getAttribute('data-' + name)); };
    var length = number('length'), wanted = !still, seen = false, box = svg.viewBox.baseVal;
    svg.setAttribute('viewBox', '0 0 ' + box.width + ' ' + (box.height - 450));
    label.textContent = label.getAttribute('data-speed');
    function write(at) {  // a time that was just set is not read back before the next frame
      var s = (at === undefined ? svg.getCurrentTime() : at) % length;
      slider.value = Math.round(1000 * s / length);
      now.textContent =
          't = ' + (number('start') + s / length * number('span')).toFixed(number('digits')) + ' s';
      slider.setAttribute('aria-valuetext', now.textContent);
    }
    function tick() {
      if (svg.animationsPaused()) return;
      write();
      requestAnimationFrame(tick);
    }
    function apply(at) {
      button.textContent = wanted ? 'Pause' : 'Play';
      if (wanted && seen) { svg.unpauseAnimations(); tick(); } else svg.pauseAnimations();
      write(at);
    }
    button.addEventListener('click', function () { wanted = !wanted; apply(); });
    slider.addEventListener('input', function () {
      wanted = false;
      var at = Math.min(slider.value / 1000, 0.9999) * length;
      svg.setCurrentTime(at);
      apply(at);
    });
    // What is out of sight does not move.
    new IntersectionObserver(function (entries) {
      seen = entries[entries.length - 1].isIntersecting;
      apply();
    }).observe(svg);
    apply();
  }
  Array.prototype.slice.call(document.querySelectorAll('figure.animation')).forEach(setUp);
})();
)js";

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
  const std::string title = escape_xml(animation.title), caption = escape_xml(animation.caption);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         title +
         "</title>\n<style>:root { color-scheme: light dark; }\nbody { margin: 1rem auto; padding: "
         "0 1rem; max-width: 48rem; font: 15px/1.5 system-ui, sans-serif; }\n"
         "h1 { font-size: 1.3rem; margin: 0; } figure { margin: 0; }" +
         kAnimationStyle + "</style>\n</head>\n<body>\n<h1>" + title + "</h1>\n<p>" + caption +
         "</p>\n" + animation_figure(animation_svg(animation, bytes)) + "<script>" +
         kAnimationScript + "</script>\n</body>\n</html>\n";
}

}  // namespace daemark
