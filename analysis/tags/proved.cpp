#include "analysis/tags/proved.hpp"

#include <map>

#include "analysis/exact/proof/catalogue.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/digest.hpp"
#include "base/program/interrupt.hpp"
#include "base/program/once.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "methods/catalogue/coefficients.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

using exact::CatalogueLine;

/// By canonical call, of the results at hand and of those that the program came with; empty where
/// there is no such file, or one that is damaged: then it is as if nothing had been proved.
std::map<std::string, CatalogueLine> committed() {
  std::map<std::string, CatalogueLine> lines;
  for (const std::filesystem::path& folder :
       {known_result("catalogue.json").parent_path(), source_root() / "results"})
    for (const auto read : {exact::read_catalogue, exact::read_library}) try {
        for (CatalogueLine& line : read(folder)) lines.emplace(line.method, std::move(line));
      } catch (const BadInput&) {
      }
  return lines;
}

/// Of everything that proofs are made with.
const std::string& prover_digest() {
  static const std::string known = [] {
    std::string text;
    for (const auto& [path, digest] :
         source_graph().closure({"analysis/exact/proof/catalogue.hpp"}))
      text += digest;
    return digest(text);
  }();
  return known;
}

std::filesystem::path kept_file(const std::string& print) {
  return results_root() / ".cache" / "proved" / (digest(print + prover_digest()) + ".json");
}

CatalogueLine prove(const std::string& canonical, const std::string& print) {
  const std::filesystem::path file = kept_file(print);
  if (std::filesystem::exists(file)) try {
      return exact::read_line(parse_json_file(file.string()));
    } catch (const nlohmann::json::exception&) {  // damaged: proved again
    } catch (const BadInput&) {
    }
  try {
    const Watch watch(prove_seconds);
    const CatalogueLine line = exact::printed_line(exact::verify_method(canonical));
    KeptFailure nothing_lost;
    nothing_lost.guard([&] { write_if_changed(file, exact::json_of(line).dump(1) + "\n"); });
    return line;
  } catch (const Stopped& stopped) {
    if (stopped.cause == StopCause::interrupted) throw;
    CatalogueLine line;
    line.method = canonical, line.verdict = "undecided", line.print = print;
    return line;
  }
}

}  // namespace

const CatalogueLine& proved(const std::string& call) {
  static const std::map<std::string, CatalogueLine> known = committed();
  static OncePerKey<CatalogueLine> lines;
  const std::string canonical = method_registry().bind(call).canonical();
  return *lines.get(canonical, [&] {
    const std::string print = coefficient_digest(canonical, *method_registry().make(canonical));
    const auto found = known.find(canonical);
    return found != known.end() && found->second.print == print ? found->second
                                                                : prove(canonical, print);
  });
}

}  // namespace daemark
