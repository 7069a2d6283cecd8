#include "analysis/report/template.hpp"

#include <algorithm>
#include <mutex>
#include <regex>
#include <stdexcept>
#include <vector>

#include "analysis/report/figure_plan.hpp"

namespace daemark {
namespace {

const std::string& skeleton(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  const std::lock_guard lock(mutex);
  const auto [found, first] = known.try_emplace(name);
  if (first) {
    static const std::regex indent("\n +"), alone("(^|\n)(\\{\\{[#?/^][^{}]*\\}\\})(?=\n)");
    found->second = std::regex_replace(asset(name + ".html"), indent, "\n");
    found->second = std::regex_replace(found->second, alone, "$2");
  }
  return found->second;
}

using Scope = std::vector<const PageData*>;

const PageData* find(const Scope& scope, const std::string& name) {
  if (name == ".") return scope.back();
  for (auto data = scope.rbegin(); data != scope.rend(); ++data)
    if ((*data)->is_object() && (*data)->contains(name)) return &(**data)[name];
  return nullptr;
}

bool is_there(const PageData* value) {
  if (value == nullptr || value->is_null() || *value == false) return false;
  return value->is_string() ? !value->get_ref<const std::string&>().empty() : !value->empty();
}

std::string text_of(const Scope& scope, const std::string& name) {
  const PageData* value = find(scope, name);
  if (value == nullptr) throw std::logic_error("nothing fills {{" + name + "}}");
  if (value->is_array()) return std::to_string(value->size());
  return value->is_string() ? value->get<std::string>() : value->dump();
}

std::string fill(std::string_view text, Scope& scope);

/// What stands between a mark and its end, as often as it is due.
std::string section(std::string_view inner, char kind, const PageData* value, Scope& scope) {
  if (is_there(value) == (kind == '^')) return "";
  if (kind != '#') return fill(inner, scope);
  std::string out;
  const auto once = [&](const PageData& entry) {
    scope.push_back(&entry);
    out += fill(inner, scope);
    scope.pop_back();
  };
  if (!value->is_array())
    once(*value);
  else
    for (const PageData& entry : *value) once(entry);
  return out;
}

std::string fill(std::string_view text, Scope& scope) {
  std::string out;
  for (std::size_t at; (at = text.find("{{")) != std::string_view::npos;) {
    out += text.substr(0, at);
    const char kind = text[at + 2];
    const bool marked = std::string_view("{#?^`>").find(kind) != std::string_view::npos;
    const std::string_view close = kind == '{' ? "}}}" : "}}";
    const std::size_t begin = at + (marked ? 3 : 2), end = text.find(close, begin);
    const std::string name(text.substr(begin, end - begin));
    text.remove_prefix(end + close.size());
    if (kind == '#' || kind == '?' || kind == '^') {
      const std::string mark = (kind == '?' ? "{{/?" : "{{/") + name + "}}";
      const std::size_t stop = text.find(mark);
      if (stop == std::string_view::npos) throw std::logic_error("no " + mark);
      out += section(text.substr(0, stop), kind, find(scope, name), scope);
      text.remove_prefix(stop + mark.size());
    } else if (kind == '>') {
      out += fill(skeleton(name), scope);
    } else {
      const std::string value = text_of(scope, name);
      out += kind == '{' ? value : kind == '`' ? html_text(value) : escape_xml(value);
    }
  }
  return out.append(text);
}

}  // namespace

std::string asset(const std::string& name) { return std::string(assets().at(name)); }

std::string fill_template(const std::string& name, const PageData& data) {
  Scope scope{&data};
  return fill(skeleton(name), scope);
}

std::string html_text(const std::string& text) {
  std::string out;
  bool code = false;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t quote = std::min(text.find('`', from), text.size());
    const bool closes = code || text.find('`', quote + 1) != std::string::npos;
    out += escape_xml(text.substr(from, quote - from));
    if (quote == text.size()) break;
    out += !closes ? "`" : code ? "</code>" : "<code>";
    code = closes && !code;
    from = quote + 1;
  }
  return out;
}

}  // namespace daemark
