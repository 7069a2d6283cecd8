#include "experiments/crate/zip_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zip.h>

#include <memory>

#include "base/program/scratch_folder.hpp"
#include "base/program/write_file.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

constexpr zip_uint64_t most_bytes = 2'000'000'000, most_entries = 100'000;

struct Discarded {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, Discarded>;

/// Whether a path stays in the folder it is unpacked into.
bool stays(const std::string& path) {
  const std::filesystem::path p(path);
  if (path.empty() || p.is_absolute() || path.find('\\') != path.npos ||
      path.find('\0') != path.npos)
    return false;
  for (const auto& part : p)
    if (part == ".." || part == "." || part.empty()) return false;
  return true;
}

bool is_link(zip_t* archive, zip_uint64_t index) {
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  zip_file_get_external_attributes(archive, index, 0, &system, &attributes);
  return system == ZIP_OPSYS_UNIX && S_ISLNK(attributes >> 16U);
}

std::string content_of(zip_t* archive, zip_uint64_t index, zip_uint64_t size,
                       const std::string& where) {
  std::string text(size, '\0');
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> entry(zip_fopen_index(archive, index, 0),
                                                                zip_fclose);
  zip_uint64_t got = 0;
  while (entry && got < size) {
    const zip_int64_t part = zip_fread(entry.get(), text.data() + got, size - got);
    if (part <= 0) break;
    got += static_cast<zip_uint64_t>(part);
  }
  char more = 0;
  if (!entry || got != size || zip_fread(entry.get(), &more, 1) != 0)
    throw BadInput(where + ": damaged; accepted: an archive as `daemark export` writes it");
  return text;
}

}  // namespace

void write_zip(const std::filesystem::path& file, const ZipContent& content) {
  constexpr time_t no_time = 315532800;  // the first that an archive can tell, 1980
  const ScratchFolder scratch;
  const std::string draft = (scratch.path() / "archive.zip").string();
  int failure = 0;
  Archive archive(zip_open(draft.c_str(), ZIP_CREATE | ZIP_EXCL, &failure));
  if (!archive) throw CannotWrite(draft + ": cannot be created; accepted: a folder to write in");
  for (const auto& [path, text] : content) {
    zip_source_t* source = zip_source_buffer(archive.get(), text.data(), text.size(), 0);
    const zip_int64_t index =
        source == nullptr ? -1
                          : zip_file_add(archive.get(), path.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) throw CannotWrite(file.string() + ": " + zip_strerror(archive.get()));
    zip_file_set_mtime(archive.get(), static_cast<zip_uint64_t>(index), no_time, 0);
  }
  if (zip_close(archive.get()) != 0)
    throw CannotWrite(file.string() + ": " + zip_strerror(archive.get()));
  static_cast<void>(archive.release());  // closed
  FileDraft out(file);
  out.write(read_text(draft).value_or(""));
  out.commit();
}

ZipContent read_zip(const std::filesystem::path& file) {
  const std::string name = printable(file.string(), 200);
  int failure = 0;
  const Archive archive(zip_open(file.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &failure));
  if (!archive)
    throw BadInput(name + (std::filesystem::exists(file)
                               ? ": no archive, or a damaged one; accepted: what `daemark export` "
                                 "writes"
                               : ": no such file; accepted: what `daemark export` writes"));
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  if (static_cast<zip_uint64_t>(count) > most_entries)
    throw BadInput(fmt::format("{}: {} entries; accepted: up to {}", name, count, most_entries));
  ZipContent content;
  zip_uint64_t total = 0;
  for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
    zip_stat_t entry;
    if (zip_stat_index(archive.get(), i, 0, &entry) != 0 || entry.name == nullptr)
      throw BadInput(name + ": damaged; accepted: an archive as `daemark export` writes it");
    const std::string path = entry.name;
    const std::string where = name + ", " + printable(path, 200);
    if (path.ends_with('/')) continue;  // a folder
    if (!stays(path) || is_link(archive.get(), i))
      throw BadInput(where + ": leads out of its folder; accepted: plain files below it");
    total += entry.size;
    if (entry.size > most_bytes || total > most_bytes)
      throw BadInput(fmt::format("{}: more than {} bytes; accepted: less", where, most_bytes));
    if (!content.emplace(path, content_of(archive.get(), i, entry.size, where)).second)
      throw BadInput(where + ": stands there twice; accepted: each file once");
  }
  return content;
}

}  // namespace daemark
