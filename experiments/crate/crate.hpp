// Results packed as an RO-Crate: a zip file of records, tables, figures, inputs and provenance.
// Locks: the exact versions of everything that makes a result; two of them show why two results may
// differ.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/program/write_file.hpp"

namespace daemark {

/// Content by path in the archive, '/' between folders.
using ZipContent = std::map<std::string, std::string>;

/// Replaces `file`. Throws CannotWrite.
void write_zip(const std::filesystem::path& file, const ZipContent& content);

/// Throws BadInput, naming file and entry: not there, no archive, damaged, an entry twice, one that
/// would leave its folder (absolute, "..", a link), more than 2 GB in all or 100,000 entries.
ZipContent read_zip(const std::filesystem::path& file);

struct CrateContent {
  ZipContent files;  ///< with the metadata
  int items = 0, cells = 0;
};

/// Of the items in `selection` ("li2019", "li2019/table1"; empty: all) and of those that their
/// claims refer to, as they stand in `results`, and of results/atlas where the selection says
/// "atlas" or is empty. Throws BadInput for what does not exist and items that are not made.
CrateContent crate_of(const std::vector<std::string>& selection,
                      const std::filesystem::path& experiments,
                      const std::filesystem::path& results);

/// Unpacks a crate into `folder`. Throws BadInput for what is none, files that are not listed or
/// missing, and wrong checksums. Returns its items, "li2019/table1".
std::vector<std::string> unpack_crate(const std::filesystem::path& file,
                                      const std::filesystem::path& folder);

/// A crate unpacked for as long as this stands. Throws as unpack_crate does.
class OpenCrate {
 public:
  explicit OpenCrate(const std::filesystem::path& file) : name_(file.filename().string()) {
    unpack_crate(file, folder_->path());
  }
  const std::string& name() const { return name_; }
  std::filesystem::path results() const { return folder_->path() / "results"; }

 private:
  std::string name_;
  std::unique_ptr<ScratchFolder> folder_ = std::make_unique<ScratchFolder>();
};

/// Of this program on this machine. Packages are those of scripts/dependencies.sh as the package
/// manager knows them; none where it does not say.
nlohmann::ordered_json lock_of_this();

/// From a file that `daemark lock` wrote, or from a crate. Throws BadInput.
nlohmann::ordered_json read_lock(const std::string& file);

/// "compiler: GNU 12.2.0 | GNU 13.2.0", a line for each entry that differs; sources are counted and
/// the first few named.
std::vector<std::string> lock_difference(const nlohmann::ordered_json& a,
                                         const nlohmann::ordered_json& b);

}  // namespace daemark
