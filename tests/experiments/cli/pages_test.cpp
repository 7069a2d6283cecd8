// What the pages of the tree print is so: their commands run and print what stands below them, code
// they quote is in the file they name, and paths, options and targets exist. How a page says so is
// written in .github/CONTRIBUTING.md.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <regex>
#include <set>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "experiments/cli/verb.hpp"
#include "tests/experiments/fake_paper.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct PageBlock {
  std::string language, text;
  std::string file;  ///< the last back-quoted path of the paragraph before it
};

struct Page {
  std::string path;  ///< from the root of the tree
  std::vector<PageBlock> blocks;
  std::vector<std::string> spans;  ///< back-quoted text outside blocks, in one line each
  std::vector<std::string> links;  ///< to files of the tree
};

std::vector<std::string> matches(const std::string& text, const char* pattern) {
  std::vector<std::string> found;
  const std::regex expression(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

std::string in_one_line(const std::string& text) {
  return std::regex_replace(text, std::regex(R"(\s+)"), " ");
}

Page read_page(const fs::path& file) {
  Page page{fs::relative(file, source_root()).generic_string(), {}, {}, {}};
  std::ifstream in(file);
  std::string prose, paragraph;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("```")) {
      prose += line + "\n";
      paragraph = line.empty() ? paragraph : paragraph + " " + line;
      continue;
    }
    const std::vector<std::string> named = matches(paragraph, R"(`([\w./-]+\.\w+)`)");
    PageBlock block{line.substr(3), "", named.empty() ? "" : named.back()};
    while (std::getline(in, line) && line != "```") block.text += line + "\n";
    page.blocks.push_back(block);
    paragraph.clear();
  }
  for (const std::string& span : matches(prose, R"(`([^`]+)`)"))
    page.spans.push_back(in_one_line(span));
  page.links = matches(prose, R"(\]\(([^):#]+)[^):]*\))");
  return page;
}

/// Every page but those of results.
std::vector<Page> pages() {
  std::vector<Page> all;
  for (const fs::directory_entry& top : fs::directory_iterator(source_root())) {
    const std::string name = top.path().filename().string();
    if (name == "results" || name == ".git" || name.starts_with("build")) continue;
    if (top.path().extension() == ".md") all.push_back(read_page(top.path()));
    if (!top.is_directory()) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top.path()))
      if (entry.path().extension() == ".md") all.push_back(read_page(entry.path()));
  }
  return all;
}

/// A tree of links to this one in which a page's files and results may be written.
class Tree {
 public:
  Tree() {
    link_all(source_root(), root());
    fs::remove(root() / "experiments");
    link_all(source_root() / "experiments", root() / "experiments");
    fs::create_directory_symlink(fs::path(DAEMARK_BINARY).parent_path(), root() / "build");
  }
  const fs::path& root() const { return scratch_.path; }

  struct Outcome {
    int status;
    std::string shown;
  };
  /// By a shell in the root of the tree, with both streams in one.
  Outcome run(const std::string& command) const {
    const std::string script = fmt::format(
        "cd '{0}' && export DAEMARK_ROOT='{0}' DAEMARK_RESULTS='{0}/results' "
        "PATH='{0}/build':\"$PATH\" && {{ {1}\n}} 2>&1 </dev/null",
        root().string(), command);
    FILE* shell = popen(script.c_str(), "r");  // NOLINT(cert-env33-c): a shell is what is tested
    std::string shown;
    std::array<char, 4096> buffer{};
    while (std::fgets(buffer.data(), buffer.size(), shell) != nullptr) shown += buffer.data();
    return {WEXITSTATUS(pclose(shell)), shown};
  }

 private:
  static void link_all(const fs::path& from, const fs::path& to) {
    fs::create_directories(to);
    for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
      const std::string name = entry.path().filename().string();
      if (name == "results" || name == ".git" || name.starts_with("build")) continue;
      fs::create_symlink(entry.path(), to / name);
    }
  }
  test::ScratchFolder scratch_;
};

/// "$ command" and what stands below it, up to the next one.
struct Example {
  std::string command, shown;
};

std::vector<Example> examples_of(const PageBlock& block) {
  std::vector<Example> examples;
  bool goes_on = false;
  std::istringstream in(block.text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("$ ")) {
      examples.push_back({line.substr(2) + "\n", ""});
    } else if (!examples.empty()) {
      (goes_on ? examples.back().command : examples.back().shown) += line + "\n";
    }
    goes_on = line.ends_with("\\") && (goes_on || line.starts_with("$ "));
  }
  return examples;
}

/// The parts between lines of "..." stand in `output` in this order, whatever the line breaks.
void expect_shown(const std::string& expected, const std::string& output) {
  const std::string all = in_one_line(output);
  std::size_t from = 0;
  std::string part;
  std::istringstream in(expected + "...\n");
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of(' ') != line.find("...")) {
      part += line + "\n";
      continue;
    }
    const std::string wanted = std::regex_replace(in_one_line(part), std::regex("^ | $"), "");
    const std::size_t at = all.find(wanted, from);
    EXPECT_NE(at, std::string::npos) << "not shown: " << part << "\nbut:\n" << output;
    if (at == std::string::npos) return;
    from = at;
    part.clear();
  }
}

void run_examples(const Page& page, const Tree& tree) {
  for (const PageBlock& block : page.blocks) {
    if (block.language == "json" && !block.file.empty()) {
      // A file of the page's own: one of the tree is a link, and would be written through it.
      ASSERT_FALSE(fs::exists(source_root() / block.file)) << page.path << ": " << block.file;
      test::write_text(tree.root() / block.file, block.text);
    }
    if (block.language == "csv") {
      EXPECT_THAT(read_text(tree.root() / block.file).value_or(""), HasSubstr(block.text));
    }
    for (const Example& example : examples_of(block)) {
      if (!example.command.starts_with("daemark") && !example.command.starts_with("build/daemark"))
        continue;  // of make, git and the shell
      SCOPED_TRACE(page.path + ": " + example.command);
      const Tree::Outcome outcome = tree.run(example.command);
      const bool refused = std::regex_search(example.shown, std::regex(R"((^|\n)daemark \w+: )"));
      EXPECT_EQ(outcome.status != 0, refused) << outcome.status << "\n" << outcome.shown;
      expect_shown(example.shown, outcome.shown);
    }
  }
}

TEST(Pages, CommandsRunAndPrintWhatStandsBelowThem) {
  for (const Page& page : pages()) {
    const bool any =
        std::any_of(page.blocks.begin(), page.blocks.end(),
                    [](const PageBlock& block) { return !examples_of(block).empty(); });
    if (any) run_examples(page, Tree());
  }
}

/// A line with a command is one to run, or stands in a block of "text", which shows a form.
TEST(Pages, NoCommandIsLeftOut) {
  int commands = 0;
  for (const Page& page : pages())
    for (const PageBlock& block : page.blocks) {
      const int here = static_cast<int>(examples_of(block).size());
      commands += here;
      if (block.language == "text" || here > 0) continue;
      EXPECT_EQ(matches(block.text, R"((?:^|\n)((?:build/)?daemark[^\n]*))"),
                std::vector<std::string>{})
          << page.path;
    }
  EXPECT_GE(commands, 10) << "commands are found";
}

TEST(Pages, CodeStandsInTheFileThatIsNamed) {
  int quoted = 0;
  for (const Page& page : pages())
    for (const PageBlock& block : page.blocks) {
      if (block.language != "cpp") continue;
      const auto file = read_text(source_root() / block.file);
      ASSERT_TRUE(file) << page.path << ": " << block.file;
      EXPECT_THAT(*file, HasSubstr(block.text)) << page.path << ": " << block.file;
      ++quoted;
    }
  EXPECT_GE(quoted, 1);
}

TEST(Pages, VerbsOptionsAndTargetsExist) {
  std::map<std::string, std::set<std::string>> options;
  for (const VerbShape& verb : verb_shapes()) {
    options[verb.name] = {"--help", "--tableau"};
    for (const VerbShape::Part& part : verb.parts) options[verb.name].insert(part.name);
  }
  const std::string makefile = read_text(source_root() / "Makefile").value();
  for (const Page& page : pages()) {
    for (const std::string& span : page.spans) {
      SCOPED_TRACE(page.path + ": " + span);
      for (const std::string& target : matches(span, R"(^make ([a-z]+))"))
        EXPECT_THAT(makefile, HasSubstr("\n" + target + ":"));
      for (const std::string& verb :
           matches(span, R"(^(?:build/)?daemark ([a-z][a-z-]*)(?=[ ]|$))")) {
        if (verb == "help" || verb == "certificate") continue;  // how a certificate begins
        ASSERT_TRUE(options.contains(verb));
        for (const std::string& option : matches(span, R"((--[a-z-]+))"))
          EXPECT_TRUE(options[verb].contains(option)) << option;
      }
    }
  }
}

TEST(Pages, FilesThatAreNamedExist) {
  const std::set<std::string> tops = {"base",        "problems", "methods", "analysis",
                                      "experiments", "tests",    "scripts"};
  for (const Page& page : pages()) {
    for (const std::string& link : page.links)
      EXPECT_TRUE(fs::exists(source_root() / fs::path(page.path).parent_path() / link))
          << page.path << ": " << link;
    std::set<std::string> written;
    for (const PageBlock& block : page.blocks) written.insert(block.file);
    for (const std::string& span : page.spans) {
      const bool plain =
          span.find_first_not_of(
              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-") ==
          std::string::npos;
      if (!plain || !tops.contains(span.substr(0, span.find('/'))) ||
          span.find('/') == std::string::npos || written.contains(span))
        continue;
      EXPECT_TRUE(fs::exists(source_root() / span)) << page.path << ": " << span;
    }
  }
}

TEST(Pages, EveryDecisionIsInTheIndex) {
  const fs::path folder = source_root() / "analysis" / "decisions";
  const std::vector<std::string> listed = read_page(folder / "README.md").links;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name == "README.md") continue;
    EXPECT_THAT(listed, testing::Contains(name));
  }
}

/// CITATION.cff names the version; the newest heading of the changelog and --version say the same.
TEST(Pages, OneVersion) {
  const auto stated =
      matches(read_text(source_root() / "CITATION.cff").value(), R"((?:^|\n)version: (\S+))");
  const auto released =
      matches(read_text(source_root() / "CHANGELOG.md").value(), R"((?:^|\n)## \[([0-9.]+)\])");
  ASSERT_EQ(stated.size(), 1u);
  ASSERT_FALSE(released.empty());
  EXPECT_EQ(released.front(), stated.front());
  EXPECT_THAT(Tree().run("daemark --version").shown,
              testing::StartsWith("daemark " + stated.front() + " ("));
}

}  // namespace
}  // namespace daemark
