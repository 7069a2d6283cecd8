// A headless Chromium where there is one, for tests of what pages do and how they look.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/scratch_folder.hpp"

namespace daemark::test {

class Browser {
 public:
  /// Scratch files of the tests go below it; gone afterwards.
  const std::filesystem::path& folder() const { return folder_; }

  Browser() {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
      std::istringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
      for (std::string each; std::getline(path, each, ':') && program_.empty();)
        if (::access((each + "/" + name).c_str(), X_OK) == 0) program_ = each + "/" + name;
    }
  }

  bool there() const { return !program_.empty(); }
  static constexpr const char* missing =
      "no chromium, chromium-browser or google-chrome on the PATH: pages are not looked at; on "
      "Debian the package chromium has it";

  struct Seen {
    std::string body;     ///< what the script of the page left in <body>
    std::string console;  ///< everything the pages said there
  };

  /// Opens each page in a frame 360 px wide, one after the other, runs `script` (the body of a
  /// function of the frame's document `d`, its window `w` and `say(text)`), and returns what it
  /// said, a line each.
  Seen look(const std::vector<std::filesystem::path>& pages, const std::string& script) {
    std::string list;
    for (const auto& page : pages)
      list += (list.empty() ? "\"" : ", \"") + std::filesystem::absolute(page).string() + "\"";
    const std::filesystem::path wrapper = folder_ / "wrapper.html";
    std::ofstream(wrapper)
        << "<!DOCTYPE html><html><body><pre id=\"said\"></pre>"
           "<iframe id=\"f\" width=\"360\" height=\"740\"></iframe><script>\n"
           "var pages = ["
        << list
        << "], f = document.getElementById('f');\n"
           "function say(t) { document.getElementById('said').textContent += t + '\\n'; }\n"
           "function next() {\n  if (!pages.length) { say('done'); return; }\n"
           "  f.src = 'file://' + pages.shift();\n}\n"
           "f.onload = function () {\n  if (f.src.slice(-11) === 'about:blank') return;\n  var d = "
           "f.contentDocument, w = f.contentWindow;\n  try {\n"
        << script
        << "\n  } catch (e) { say('threw ' + e); }\n  next();\n};\nnext();\n"
           "</script></body></html>\n";
    const std::filesystem::path out = folder_ / "out", err = folder_ / "err";
    const std::string command =
        "timeout 120 '" + program_ +
        "' --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
        "--disable-background-networking --disable-component-update --disable-sync "
        "--allow-file-access-from-files --hide-scrollbars --enable-logging=stderr "
        "--virtual-time-budget=20000 --window-size=800,900 --user-data-dir='" +
        (folder_ / "profile").string() + "' --dump-dom 'file://" + wrapper.string() + "' >'" +
        out.string() + "' 2>'" + err.string() + "'";
    Seen seen;
    const int status = std::system(command.c_str());
    const std::string dom = read_text(out).value_or(""), console = read_text(err).value_or("");
    EXPECT_EQ(status, 0) << "the browser failed: " << console;
    const std::size_t from = dom.find("<pre id=\"said\">") + 15;
    seen.body = dom.substr(from, dom.find("</pre>", from) - from);
    std::istringstream lines(console);
    for (std::string line; std::getline(lines, line);)
      if (line.find("CONSOLE") != std::string::npos) seen.console += line + "\n";
    return seen;
  }

 private:
  const ScratchFolder scratch_;
  const std::filesystem::path& folder_ = scratch_.path;
  std::string program_;
};

}  // namespace daemark::test
