#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "analysis/certcheck/check.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/paths.hpp"
#include "tests/audit/audit.hpp"
#include "tests/support/tamper.hpp"

namespace daemark::audit {
namespace {

namespace fs = std::filesystem;
using certcheck::digest_of;
using certcheck::refusal_of;
using nlohmann::json;

std::map<std::string, json> committed() {
  std::map<std::string, json> out;
  for (const auto& entry : fs::directory_iterator(source_root() / "results/certificates"))
    if (entry.path().extension() == ".json")
      out[entry.path().filename().string()] = parse_json_file(entry.path().string());
  return out;
}

json tableau_of(const json& certificate) {
  const fs::path file =
      source_root() / "methods/tableaus" / (certificate.at("id").get<std::string>() + ".json");
  return fs::exists(file) ? parse_json_file(file.string()) : json();
}

bool is_order(const Tampered& forged) {
  return forged.place.find("order") != std::string::npos && forged.change.size() == 2;  // +1, -1
}

}  // namespace

Outcome certificates() {
  Outcome out;
  for (const auto& [name, certificate] : committed()) {
    ++out.compared;
    if (const auto why = refusal_of(certificate, tableau_of(certificate)))
      out.differences.push_back(name + ": " + *why);
  }
  return out;
}

Outcome tampering(Day& day) {
  Outcome out;
  for (const auto& [name, certificate] : committed()) {
    std::vector<Tampered> digit, sign, order;
    for (Tampered& forged : tampered(certificate)) {
      if (forged.change.ends_with("digit"))
        digit.push_back(std::move(forged));
      else if (forged.change == "sign")
        sign.push_back(std::move(forged));
      else if (is_order(forged))
        order.push_back(std::move(forged));
    }
    for (const auto* kind : {&digit, &sign, &order}) {
      if (kind->empty()) ++out.skipped;
      for (Tampered forged : drawn(*kind, 1, day)) {
        ++out.compared;
        if (forged.place != "/digest") forged.value["digest"] = digest_of(forged.value);
        if (!refusal_of(forged.value, tableau_of(certificate)))
          out.differences.push_back(
              fmt::format("{}{}: {} is accepted", name, forged.place, forged.change));
      }
    }
  }
  return out;
}

}  // namespace daemark::audit
