// The fixed parts of the report: style sheet, script and what each verdict word means.
#pragma once

#include <string>

namespace daemark {

extern const char* const kReportStyle;
extern const char* const kReportScript;

struct VerdictText {
  const char* sign;     ///< beside the word, so that colour never carries the meaning alone
  const char* colour;   ///< class: good, fair, odd, bad, none
  const char* meaning;  ///< one sentence
};

/// Of one of verdict_names.
const VerdictText& verdict_text(const std::string& verdict);

}  // namespace daemark
