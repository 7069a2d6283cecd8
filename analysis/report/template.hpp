// Pages from skeletons: what stands in analysis/report/assets, embedded by the build, with holes
// that JSON fills.
//   {{x}}   a text as it is shown; of an array how many entries it has
//   {{`x}}  the same, `back-quoted` parts as code
//   {{{x}}} HTML                       {{>x}}  the skeleton x.html
//   {{#x}}…{{/x}}   once for each entry of an array, once for another value; not at all for what is
//                   missing, null, false or empty
//   {{?x}}…{{/?x}}  once where {{#x}} would show something
//   {{^x}}…{{/x}}   once where it would not
// Names are those of the innermost entry that has them, {{.}} is the entry itself. Indentation and
// lines that hold nothing but the mark of a section are left out.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace daemark {

using PageData = nlohmann::ordered_json;

/// By file name below the folder.
const std::map<std::string, std::string_view>& assets();
std::string asset(const std::string& name);

/// Throws std::logic_error for a name that is not there and a section without an end.
std::string fill_template(const std::string& name, const PageData& data);

/// Escaped text with `back-quoted` parts as code.
std::string html_text(const std::string& text);

}  // namespace daemark
