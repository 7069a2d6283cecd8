// Sources of other programs as a list of statements, as far as tableaus stated in them need it:
// without comments, with the macros of C replaced where they stand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daemark {

enum class Dialect { c, julia, python };

struct SourceStatement {
  int line = 0;  ///< of its first character, from 1
  /// It stands in a loop or under a condition: what it sets is not known without running it.
  bool conditional = false;
  bool opens_scope = false;  ///< a function begins: what was set before is forgotten
  std::string text;          ///< line breaks are kept: rows of a Julia matrix end there
};

std::vector<SourceStatement> source_statements(std::string_view text, Dialect dialect);

/// Bytes of a name: letters, digits, _, and every byte of a letter beyond ASCII.
bool is_name_byte(char c);

/// Where the text or the bracket that opens at `from` ends: the index of its last byte, or npos.
std::size_t closing(std::string_view text, std::size_t from);

/// The parts between separators that stand in no bracket and no string, without blanks around them;
/// with the separator that ended each, '\0' for the last.
struct SourcePart {
  std::string text;
  char end = '\0';
};
std::vector<SourcePart> split_outside(std::string_view text, std::string_view separators);

/// Without blanks, tabs and line breaks at its ends.
std::string_view without_blanks(std::string_view text);

}  // namespace daemark
