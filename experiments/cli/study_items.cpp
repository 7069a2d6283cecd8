#include "experiments/cli/study_items.hpp"

#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/engine/run/records.hpp"

namespace daemark {

StudyItems::StudyItems(const std::string& name) {
  const std::size_t slash = name.find('/');
  const std::string paper = name.substr(0, slash);
  const std::string one = slash == std::string::npos ? "" : name.substr(slash + 1);
  // One's own results first.
  for (const std::filesystem::path& folder : {results_root(), shipped_results()}) {
    if (!items.empty()) break;
    results = folder;
    book = read_book(source_root() / "experiments", paper,
                     one.empty() ? std::set<std::string>{} : std::set{one});
    const Damage damage = read_known(book, results, {});
    for (const ItemSpec& item : book.items) {
      if (!one.empty() && item.id != one) continue;
      if (is_damaged(item, damage)) throw BadInput(damage_lines(damage).front());
      if (is_made(item, results)) items.push_back(&item);
    }
  }
  if (items.empty())
    throw BadInput(name + " has no results yet; accepted: after daemark reproduce " + name);
}

}  // namespace daemark
