#include "methods/catalogue/source_statements.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace daemark {
namespace {

using std::string;
using std::string_view;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// What a comment or a text of documentation is: it ends at `close`, "\n" is kept.
struct Comment {
  string_view open, close;
};

std::vector<Comment> comments_of(Dialect dialect) {
  if (dialect == Dialect::c) return {{"/*", "*/"}, {"//", "\n"}};
  if (dialect == Dialect::julia) return {{"#=", "=#"}, {"#", "\n"}, {"\"\"\"", "\"\"\""}};
  return {{"#", "\n"}, {"\"\"\"", "\"\"\""}, {"'''", "'''"}};
}

/// The end of the string that begins at `from`: its closing quote, or the end of the line.
std::size_t string_end(string_view text, std::size_t from) {
  std::size_t at = from + 1;
  while (at < text.size() && text[at] != text[from] && text[at] != '\n')
    at += 1 + (text[at] == '\\');
  return std::min(at, text.size() - 1);
}

/// Comments become blanks; the lines stay.
string without_comments(string_view text, Dialect dialect) {
  string out(text);
  const std::vector<Comment> comments = comments_of(dialect);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto begins = [&](const Comment& c) { return text.substr(at).starts_with(c.open); };
    const auto found = std::find_if(comments.begin(), comments.end(), begins);
    if (found != comments.end()) {
      const std::size_t after = at + found->open.size();
      std::size_t end = text.find(found->close, after);
      if (end == text.npos) end = text.size();
      if (found->close != "\n") end = std::min(text.size(), end + found->close.size());
      for (std::size_t i = at; i < end; ++i)
        if (out[i] != '\n') out[i] = ' ';
      at = end - 1;
    } else if (text[at] == '"' || (text[at] == '\'' && dialect != Dialect::julia)) {
      at = string_end(text, at);
    }
  }
  return out;
}

using Macros = std::map<string, string, std::less<>>;

string expanded(string_view text, const Macros& macros, std::set<string, std::less<>>& active) {
  string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_name_byte(text[end])) ++end;
    const string_view word = text.substr(at, end - at);
    const auto macro = word.empty() ? macros.end() : macros.find(word);
    if (macro != macros.end() && !active.contains(word) && out.size() < 1000000) {
      const auto mark = active.insert(string(word)).first;
      out += expanded(macro->second, macros, active);
      active.erase(mark);
    } else {
      out += word.empty() ? text.substr(at, 1) : word;
    }
    at = std::max(end, at + 1);
  }
  return out;
}

/// Macros without arguments replaced as the preprocessor does; what stands under #if 0 is dropped,
/// of other conditions both branches stay.
string preprocessed(string_view text) {
  Macros macros;
  std::set<string, std::less<>> active;
  std::vector<bool> dropped;  // one for each open #if
  string out, directive;
  for (const SourcePart& part : split_outside(text, "\n")) {
    const bool begins = part.text.starts_with('#');
    const auto drops = [&] { return std::count(dropped.begin(), dropped.end(), true) > 0; };
    if (!begins && directive.empty()) {
      if (!drops()) out += expanded(part.text, macros, active);
      out += '\n';
      continue;
    }
    out += '\n';
    directive += part.text;
    if (directive.ends_with('\\')) {
      directive.back() = ' ';
      continue;
    }
    const string line(without_blanks(string_view(directive).substr(1)));
    directive.clear();
    const string_view rest = without_blanks(string_view(line).substr(
        line.find_first_of(" \t(") == line.npos ? line.size() : line.find_first_of(" \t(")));
    if (line.starts_with("if")) dropped.push_back(line.starts_with("if ") && rest == "0");
    if (line.starts_with("else") && !dropped.empty()) dropped.back() = false;
    if (line.starts_with("endif") && !dropped.empty()) dropped.pop_back();
    if (drops()) continue;
    std::size_t end = 0;
    while (end < rest.size() && is_name_byte(rest[end])) ++end;
    const string name(rest.substr(0, end));
    if (line.starts_with("undef")) macros.erase(name);
    if (line.starts_with("define") && !rest.substr(end).starts_with('('))
      macros[name] = without_blanks(rest.substr(end));
  }
  return out;
}

string_view first_word(string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_name_byte(text[end])) ++end;
  return text.substr(0, end);
}

bool is_condition(string_view word) {
  static const std::set<string_view> words = {"if",    "for",    "while", "else", "elseif",
                                              "elif",  "switch", "do",    "try",  "with",
                                              "catch", "except", "let",   "case"};
  return words.contains(word);
}

class Splitter {
 public:
  Splitter(string_view text, Dialect dialect) : text_(text), dialect_(dialect) {}

  std::vector<SourceStatement> run() {
    for (std::size_t at = 0; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '"' || (c == '\'' && dialect_ != Dialect::julia)) {
        at = string_end(text_, at);
      } else if (dialect_ == Dialect::c) {
        brace(at);
      } else if (c == '(' || c == '[' || c == '{') {
        const std::size_t end = closing(text_, at);
        if (end != text_.npos) at = end;
      } else if ((c == '\n' && !continues(at)) || (c == ';' && dialect_ == Dialect::julia)) {
        finish(at);
      }
    }
    finish(text_.size());
    return std::move(out_);
  }

 private:
  /// The end of a line ends no statement behind an operator or a backslash.
  bool continues(std::size_t at) const {
    const string_view before = without_blanks(text_.substr(start_, at - start_));
    return !before.empty() && string_view("+-*/=,\\").find(before.back()) != string_view::npos;
  }

  /// In C a brace after "=" begins a list, others begin and end blocks.
  void brace(std::size_t& at) {
    const char c = text_[at];
    if (c == ';') finish(at);
    if (c == '{') {
      const string_view before = without_blanks(text_.substr(start_, at - start_));
      if (before.ends_with('=')) {
        const std::size_t end = closing(text_, at);
        if (end != text_.npos) at = end;
        return;
      }
      const bool conditional = is_condition(first_word(before));
      finish(at);
      blocks_.push_back(conditional);
    }
    if (c == '}') {
      finish(at);
      if (!blocks_.empty()) blocks_.pop_back();
      scope_ = scope_ || blocks_.empty();
    }
  }

  void finish(std::size_t end) {
    const string_view raw = text_.substr(start_, end - start_);
    string_view body = without_blanks(raw);
    while (dialect_ == Dialect::c && body.starts_with(')'))  // of a macro around a block
      body = without_blanks(body.substr(1));
    const std::size_t lead =
        body.empty() ? raw.size() : static_cast<std::size_t>(body.data() - raw.data());
    SourceStatement statement;
    line_ += static_cast<int>(std::count(raw.begin(), raw.begin() + static_cast<long>(lead), '\n'));
    statement.line = line_;
    const string_view rest =
        text_.substr(start_ + lead, std::min(end + 1, text_.size()) - start_ - lead);
    line_ += static_cast<int>(std::count(rest.begin(), rest.end(), '\n'));
    start_ = std::min(end + 1, text_.size());
    if (body.empty()) return;
    const string_view word = first_word(body);
    statement.text = body;
    statement.opens_scope = std::exchange(scope_, false) || word == "function" || word == "def";
    const std::size_t indent = lead - (raw.substr(0, lead).rfind('\n') + 1);
    statement.conditional = conditional(word, indent) || is_condition(word);
    out_.push_back(std::move(statement));
  }

  /// Keeps the open blocks of Julia (by "end") and Python (by indentation).
  bool conditional(string_view word, std::size_t indent) {
    if (dialect_ == Dialect::python) {
      while (!indents_.empty() && indent <= indents_.back()) indents_.pop_back();
      if (is_condition(word)) indents_.push_back(indent);
      return !indents_.empty();
    }
    static const std::set<string_view> blocks = {"function", "struct", "module",  "begin",
                                                 "macro",    "quote",  "mutable", "baremodule"};
    const bool inside = std::count(blocks_.begin(), blocks_.end(), true) > 0;
    if (dialect_ == Dialect::julia) {
      const bool continued = word == "else" || word == "elseif" || word == "catch";
      if ((is_condition(word) && !continued) || blocks.contains(word))
        blocks_.push_back(is_condition(word));
      if (word == "end" && !blocks_.empty()) blocks_.pop_back();
    }
    return inside;
  }

  string_view text_;
  Dialect dialect_;
  std::vector<SourceStatement> out_;
  std::size_t start_ = 0;
  int line_ = 1;
  bool scope_ = false;
  std::vector<bool> blocks_;  // whether each is a loop or a condition
  std::vector<std::size_t> indents_;
};

}  // namespace

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::size_t closing(string_view text, std::size_t from) {
  int depth = 0;
  for (std::size_t at = from; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') at = string_end(text, at);
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return at;
  }
  return text.npos;
}

std::vector<SourcePart> split_outside(string_view text, string_view separators) {
  std::vector<SourcePart> parts;
  std::size_t start = 0;
  const bool lines = separators == "\n";
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (!lines && (c == '"' || c == '\'')) at = string_end(text, at);
    if (!lines && (c == '(' || c == '[' || c == '{')) {
      const std::size_t end = closing(text, at);
      if (end != text.npos) at = end;
    } else if (separators.find(c) != separators.npos) {
      parts.push_back({string(without_blanks(text.substr(start, at - start))), c});
      start = at + 1;
    }
  }
  parts.push_back({string(without_blanks(text.substr(start))), '\0'});
  return parts;
}

string_view without_blanks(string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<SourceStatement> source_statements(string_view text, Dialect dialect) {
  string plain = without_comments(text, dialect);
  if (dialect == Dialect::c) plain = preprocessed(plain);
  if (dialect == Dialect::python)
    for (std::size_t at = 0; at + 1 < plain.size(); ++at)
      if (plain[at] == '\\' && plain[at + 1] == '\n') plain[at] = ' ';
  if (dialect == Dialect::julia)  // "./" divides entry by entry, as every operator does here
    for (std::size_t at = 0; at + 1 < plain.size(); ++at)
      if (plain[at] == '.' && string_view("*/+-^").find(plain[at + 1]) != string_view::npos)
        plain[at] = ' ';
  return Splitter(plain, dialect).run();
}

}  // namespace daemark
