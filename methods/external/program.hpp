// Programs that integrate mechanisms (bindings/PROGRAMS.md): where they are, and what they say of
// themselves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace daemark {

struct ProgramVariant {
  std::string name, steps, settings;  ///< steps: "fixed" or "tolerance"
};

struct ProgramDescription {
  std::string name, version;
  std::vector<ProgramVariant> variants{};
  std::vector<std::string> accepts{};
  bool equations = false;  ///< it opens the problem by its name and needs no bodies
  std::string digest{};    ///< of the file, and of what it says
};

/// results/.local/programs: a folder for each program that was joined, with a file of its name.
std::filesystem::path joined_programs();
std::vector<std::string> joined_names();  ///< sorted
/// The file of a path, or of the name of a joined program. Throws BadInput where there is none that
/// can be run.
std::filesystem::path program_file(const std::string& program);

/// What `PROGRAM --describe` prints, once a file. Throws BadInput where it is not as stated there.
const ProgramDescription& describe_program(const std::string& program);

/// The first or the last 64 KB of a file that a program wrote, which may be large; empty where
/// there is none.
enum class Portion { first, last };
std::string said_in(const std::filesystem::path& file, Portion portion);

}  // namespace daemark
