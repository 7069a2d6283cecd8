#include "base/text/near.hpp"

#include <algorithm>
#include <cctype>

namespace daemark {
namespace {

constexpr std::size_t longest = 100;  // nobody mistypes more

std::string lower(std::string_view text) {
  std::string out(text.substr(0, longest));
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known) {
  const std::string wanted = lower(typed);
  constexpr std::size_t telling = 3;  // letters a beginning needs to be one
  std::vector<std::string> best;
  int least = std::max(1, static_cast<int>(wanted.size()) / 3);
  for (const std::string& name : known) {
    const std::string other = lower(name);
    int distance = edit_distance(wanted, other);
    if (std::min(wanted.size(), other.size()) >= telling &&
        (other.starts_with(wanted) || wanted.starts_with(other)))
      distance = std::min(distance, 1);
    // Nothing in common is no slip.
    if (distance > least || distance >= static_cast<int>(wanted.size())) continue;
    if (distance < least) best.clear();
    least = distance;
    best.push_back(name);
  }
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(best.size(), most); ++i)
    text += (i == 0 ? "'" : " or '") + best[i] + "'";
  return text.empty() ? "" : " (did you mean " + text + "?)";
}

std::string accepted_names(std::string_view typed, const std::vector<std::string>& known,
                           std::string_view command) {
  constexpr std::size_t longest_list = 160;
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  if (list.size() > longest_list)
    list = "one of " + std::to_string(known.size()) + ", " + std::string(command) + " names them";
  return did_you_mean(typed, known) + "; accepted: " + list;
}

}  // namespace daemark
