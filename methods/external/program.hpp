// Programs that integrate mechanisms (bindings/PROGRAMS.md): their files and descriptions.
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

/// results/.local/programs: a folder for each joined program, containing a file of its name.
std::filesystem::path joined_programs();
std::vector<std::string> joined_names();  ///< sorted
/// The file of a program given by path or by the name of a joined one. Throws BadInput if there is
/// no executable file.
std::filesystem::path program_file(const std::string& program);

/// The output of `PROGRAM --describe`, read once for each file. Throws BadInput if it is malformed.
const ProgramDescription& describe_program(const std::string& program);

/// The first or the last 64 KB of a file that a program wrote, which may be large; empty where
/// there is none.
enum class Portion { first, last };
std::string said_in(const std::filesystem::path& file, Portion portion);

}  // namespace daemark
