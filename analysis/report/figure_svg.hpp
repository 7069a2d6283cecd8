// From gnuplot commands to a tidy SVG.
#pragma once

#include <string>

#include "base/text/bad_input.hpp"

namespace daemark {

/// `text` with & < > " as entities; control characters and invalid UTF-8 replaced.
std::string escape_xml(const std::string& text);

/// Valid UTF-8 on one line: control characters become spaces, broken bytes U+FFFD.
std::string plain_line(const std::string& text);

/// `text` on one line as a string of gnuplot's language that shows exactly that.
std::string gnuplot_string(const std::string& text);

/// No figure, for a reason outside the figure: gnuplot or a temporary folder.
class CannotDraw : public BadInput {
 public:
  using BadInput::BadInput;
};

/// Runs gnuplot (through gnuplot-iostream) on `commands`, which draw into the current output of an
/// SVG terminal set here, and returns what it drew. Throws CannotDraw if gnuplot is missing, fails,
/// or is not done within `seconds`; after that no other figure is tried, which would take as long.
std::string run_gnuplot(const std::string& commands, int width, int height, int seconds = 20);

/// A drawing that says why there is none.
std::string empty_svg(int width, int height, const std::string& why);

/// gnuplot's SVG without program version, unused definitions, empty groups and superfluous digits;
/// with a font stack that needs nothing installed and the given title and description.
std::string tidy_svg(std::string svg, const std::string& title, const std::string& description);

}  // namespace daemark
