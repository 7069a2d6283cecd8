#include "analysis/enclosure/proof_file.hpp"

#include <map>

#include "analysis/reference/reference.hpp"
#include "base/input/fields.hpp"
#include "base/numbers/expression.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"

namespace daemark {
namespace {

struct ProofFile {
  std::vector<ReferenceProof> proofs;
};

const Fields<ProofFile>& fields_of_file() {
  constexpr long most = 1000000000;
  static const auto proof = Fields<ReferenceProof>()
                                .required("problem", &ReferenceProof::problem)
                                .required("t", &ReferenceProof::t)
                                .required("state", &ReferenceProof::state)
                                .required("digits", &ReferenceProof::digits, 0, most)
                                .required("steps", &ReferenceProof::steps, 0, most)
                                .required("order", &ReferenceProof::order, 0, most)
                                .required("bits", &ReferenceProof::bits, 0, most);
  static const auto file =
      Fields<ProofFile>().required("proofs", &ProofFile::proofs, proof, "proof");
  return file;
}

std::filesystem::path file_in(const std::filesystem::path& results) {
  return results / "references" / "proved.json";
}

}  // namespace

std::vector<ReferenceProof> reference_proofs() {
  const std::filesystem::path file = known_result(std::filesystem::path("references/proved.json"));
  if (!std::filesystem::exists(file)) return {};
  return fields_of_file().read(parse_json_file(file.string()), file.filename().string()).proofs;
}

void write_reference_proofs(const std::vector<ReferenceProof>& proofs) {
  std::map<std::pair<std::string, rational>, ReferenceProof> all;
  for (const auto& list : {reference_proofs(), proofs})
    for (const ReferenceProof& proof : list)
      all[{proof.problem, Expression::parse(proof.t, "proved.json").as_rational()}] = proof;
  ProofFile file;
  for (auto& [place, proof] : all) file.proofs.push_back(std::move(proof));
  write_if_changed(file_in(results_root()), fields_of_file().write(file).dump(1) + "\n");
}

std::optional<ReferenceProof> proof_of(const std::string& problem, const std::string& t) {
  for (const ReferenceProof& proof : reference_proofs())
    if (proof.problem == problem && proof.t == t && proof.state == reference_digest(problem, t))
      return proof;
  return std::nullopt;
}

}  // namespace daemark
