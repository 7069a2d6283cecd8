// From gnuplot commands to a tidy SVG.
#pragma once

#include <string>

namespace daemark {

/// `text` with & < > " as entities; control characters and invalid UTF-8 replaced.
std::string escape_xml(const std::string& text);

/// Valid UTF-8 on one line: control characters become spaces, broken bytes U+FFFD.
std::string plain_line(const std::string& text);

/// `text` on one line as a string of gnuplot's language that shows exactly that.
std::string gnuplot_string(const std::string& text);

/// Runs gnuplot (through gnuplot-iostream) on `commands`, which draw into the current output of an
/// SVG terminal set here, and returns what it drew. Throws BadInput if gnuplot is missing or fails;
/// `where` names the figure.
std::string run_gnuplot(const std::string& commands, int width, int height,
                        const std::string& where);

/// gnuplot's SVG without program version, unused definitions, empty groups and superfluous digits;
/// with a font stack that needs nothing installed and the given title and description.
std::string tidy_svg(std::string svg, const std::string& title, const std::string& description);

}  // namespace daemark
