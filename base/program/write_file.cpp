#include "base/program/write_file.hpp"

#include <fstream>
#include <sstream>
#include <system_error>

#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

bool holds(const std::filesystem::path& file, std::string_view text) {
  std::error_code error;
  if (std::filesystem::file_size(file, error) != text.size() || error) return false;
  return read_text(file) == text;
}

}  // namespace

std::optional<std::string> read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool write_if_changed(const std::filesystem::path& file, std::string_view text) {
  if (holds(file, text)) return false;
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  std::filesystem::path draft = file;
  draft += ".part";
  {
    std::ofstream out(draft, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) throw BadInput("cannot write " + file.string() + ": a writable folder is needed");
  }
  std::filesystem::rename(draft, file, error);
  if (error) {
    throw BadInput("cannot write " + file.string() + ": " + error.message());
  }
  return true;
}

}  // namespace daemark
