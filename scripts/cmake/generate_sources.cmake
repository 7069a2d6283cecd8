# cmake -D ROOT=<source tree> -D OUTPUT=<folder> -P generate_sources.cmake
#
# Reads the files named in OUTPUT/inputs.txt (paths relative to ROOT), refuses includes that
# rooms.txt (or the file ROOMS) does not allow, and writes registry_problems.cpp,
# registry_methods.cpp, registry_cells.cpp, registry_verbs.cpp and source_digests.cpp into OUTPUT.
#
# Registration: methods/**/NAME.cpp (outside the folder of the registry) that defines
# `void register_NAME(MethodRegistry& ...)` in namespace daemark is called by
# register_all_methods; problems/**/NAME.cpp likewise with ProblemRegistry,
# experiments/cells/kinds/NAME.cpp with CellKinds, experiments/cli/**/NAME.cpp with Verbs.
cmake_minimum_required(VERSION 3.25)
file(STRINGS ${OUTPUT}/inputs.txt inputs)

# What each directory may include, from rooms.txt; it names only directories above it, so there is no
# circle.
if(NOT DEFINED ROOMS)
  set(ROOMS ${CMAKE_CURRENT_LIST_DIR}/rooms.txt)
endif()
file(STRINGS ${ROOMS} room_lines REGEX "^[a-z]")
set(rooms)
set(faults "")
foreach(line IN LISTS room_lines)
  string(REGEX MATCH "^([a-z_/]+):(.*)$" line "${line}")
  set(room ${CMAKE_MATCH_1})
  string(REGEX MATCHALL "[a-z_/]+" uses "${CMAKE_MATCH_2}")
  foreach(use IN LISTS uses)
    if(NOT use IN_LIST rooms)
      string(APPEND faults "\n  rooms.txt: ${room} names ${use}, which is not above it")
    endif()
  endforeach()
  if(room MATCHES "^base/")
    set(uses_of_${room} ${room} ${uses})
  else()
    set(uses_of_${room} ${room} ${uses} ${base_rooms})
  endif()
  list(APPEND rooms ${room})
  if(room MATCHES "^base/")
    list(APPEND base_rooms ${room})
  endif()
endforeach()

set(problem_entries)
set(method_entries)
set(cell_entries)
set(verb_entries)
set(digest_rows "")

# The include lines of a file; `own`: those of files of this tree, separated by blanks.
function(read_includes path)
  file(STRINGS ${ROOT}/${path} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[\"<]")
  cmake_path(GET path PARENT_PATH room)
  if(NOT room IN_LIST rooms)
    string(APPEND faults "\n  ${path}: its directory is not listed in scripts/cmake/rooms.txt")
  endif()
  set(own "")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "[\"<]((base|problems|methods|analysis|bindings|experiments|tests)/[^\">]*)[\">]")
      continue()
    endif()
    string(APPEND own " ${CMAKE_MATCH_1}")
    cmake_path(GET CMAKE_MATCH_1 PARENT_PATH used)
    if(NOT used IN_LIST uses_of_${room})
      string(APPEND faults "\n  ${path}: ${line}   (${room} may not use ${used}: rooms.txt)")
    endif()
  endforeach()
  list(POP_FRONT lines first)
  set(own_first false)
  if(first MATCHES "[\"<](base|problems|methods|analysis|bindings|experiments)/")
    set(own_first true)
  endif()
  string(STRIP "${own}" own)
  set(own "${own}" PARENT_SCOPE)
  set(own_first ${own_first} PARENT_SCOPE)
  set(faults "${faults}" PARENT_SCOPE)
endfunction()

function(find_entry path registry list)
  cmake_path(GET path STEM stem)
  file(READ ${ROOT}/${path} text)
  set(space "[ \t\r\n]")
  string(REGEX MATCHALL
         "(^|\n)void${space}+register_[A-Za-z0-9_]+${space}*\\(${space}*${registry}${space}*&[^,)]*\\)"
         found "${text}")
  set(names)
  foreach(match IN LISTS found)
    string(REGEX REPLACE ".*register_([A-Za-z0-9_]+)${space}*\\(.*" "\\1" name "${match}")
    list(APPEND names ${name})
  endforeach()
  if(stem IN_LIST names)
    if(stem IN_LIST ${list})
      string(APPEND faults "\n  ${path}: a second file named ${stem}.cpp registers itself")
    endif()
    list(APPEND ${list} ${stem})
    set(source_of_${registry}_${stem} ${path} PARENT_SCOPE)
  elseif(names)
    string(APPEND faults "\n  ${path}: defines register_${names}(${registry}&), which is "
           "never called; name the function after the file: register_${stem}")
  endif()
  if(names)
    set(registers true PARENT_SCOPE)
  endif()
  set(${list} ${${list}} PARENT_SCOPE)
  set(faults "${faults}" PARENT_SCOPE)
endfunction()

foreach(path IN LISTS inputs)
  # Comment lines change no result and are left out of the digest. Comments after code stay: a regular
  # expression cannot distinguish them from // in a string.
  file(READ ${ROOT}/${path} text)
  if(NOT path MATCHES "\\.json$")
    string(REGEX REPLACE "\n[ \t]*//[^\n]*" "" text "\n${text}")
  endif()
  string(SHA256 digest "${text}")
  string(SUBSTRING ${digest} 0 16 digest)
  set(own "")
  set(own_first false)
  set(registers false)
  if(NOT path MATCHES "\\.json$")
    read_includes(${path})
  endif()
  if(path MATCHES "^methods/.*\\.cpp$" AND NOT path MATCHES "^methods/catalogue/")
    find_entry(${path} MethodRegistry method_entries)
  elseif(path MATCHES "^problems/.*\\.cpp$" AND NOT path MATCHES "^problems/system/")
    find_entry(${path} ProblemRegistry problem_entries)
  elseif(path MATCHES "^experiments/cells/kinds/.*\\.cpp$")
    find_entry(${path} CellKinds cell_entries)
  elseif(path MATCHES "^experiments/cli/.*\\.cpp$")
    find_entry(${path} Verbs verb_entries)
  endif()
  string(APPEND digest_rows
         "    {\"${path}\", \"${digest}\", \"${own}\", ${own_first}, ${registers}},\n")
endforeach()
if(faults)
  message(FATAL_ERROR "The source tree breaks a rule:${faults}")
endif()

# file(CONFIGURE) does not touch a file whose text is unchanged.
function(write_registry path header registry all names)
  list(SORT names)
  set(declarations "")
  set(calls "")
  foreach(name IN LISTS names)
    string(APPEND declarations "void register_${name}(${registry}&);\n")
    string(APPEND calls "  registry.from(\"${source_of_${registry}_${name}}\"), register_${name}(registry);\n")
  endforeach()
  file(CONFIGURE OUTPUT ${path} @ONLY CONTENT "// Generated by scripts/cmake/generate_sources.cmake.
#include \"${header}\"

namespace daemark {

${declarations}
void ${all}([[maybe_unused]] ${registry}& registry) {
${calls}}

}  // namespace daemark
")
endfunction()
write_registry(${OUTPUT}/registry_problems.cpp problems/system/registry.hpp ProblemRegistry
               register_all_problems "${problem_entries}")
write_registry(${OUTPUT}/registry_methods.cpp methods/catalogue/registry.hpp MethodRegistry
               register_all_methods "${method_entries}")
write_registry(${OUTPUT}/registry_cells.cpp experiments/cells/support/cell_kind.hpp CellKinds
               register_all_cell_kinds "${cell_entries}")
write_registry(${OUTPUT}/registry_verbs.cpp experiments/cli/verb.hpp Verbs register_all_verbs
               "${verb_entries}")
file(CONFIGURE OUTPUT ${OUTPUT}/source_digests.cpp @ONLY CONTENT
"// Generated by scripts/cmake/generate_sources.cmake.
#include \"base/program/digest.hpp\"

#include <sstream>

namespace daemark {
namespace {

struct Row {
  const char *path, *digest, *includes;
  bool own_first, registers;
};
constexpr Row kRows[] = {
${digest_rows}};

}  // namespace

const std::vector<SourceFile>& source_files() {
  static const std::vector<SourceFile> table = [] {
    std::vector<SourceFile> files;
    for (const Row& row : kRows) {
      files.push_back({row.path, row.digest, {}, row.own_first, row.registers});
      std::istringstream words(row.includes);
      for (std::string word; words >> word;) files.back().includes.push_back(word);
    }
    return files;
  }();
  return table;
}

}  // namespace daemark
")
