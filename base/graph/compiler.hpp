// Codes without a built-in function (compiled.hpp), compiled while the program runs by the C
// compiler of the machine, and kept in a folder for the next run.
//
// A file has the digest of its C text and of the compiler with its version and flags as its name,
// and ends with the digest of its bytes. Before a function is used it has to give the digits of the
// interpreter. After a failure no more is compiled, and the interpreter serves.
#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "base/graph/compiled.hpp"
#include "base/program/once.hpp"

namespace daemark::graph {

/// XDG_CACHE_HOME/daemark/compiled, or ~/.cache/daemark/compiled. Not with the results, which
/// travel between machines and people: what lies there is executed. Throws BadInput where the
/// environment names neither.
std::filesystem::path folder_of_functions();

class CodeCompiler {
 public:
  static constexpr double usual_time_limit = 60;  ///< of one call [s]
  explicit CodeCompiler(double time_limit = usual_time_limit) : time_limit_(time_limit) {}

  /// By any thread; of threads that ask for the same code one compiles. Null: the interpreter
  /// serves.
  Compiled function_of(const Code& code);

  /// Why the interpreter serves; empty: nothing has failed.
  std::string failure() const;

 private:
  Compiled made(const Code& code);
  void find_compiler();
  void compile(const std::string& source, const std::filesystem::path& file) const;
  void fail(const std::string& why);

  double time_limit_;
  std::once_flag found_;
  std::vector<std::string> command_;
  std::string version_;
  OncePerKey<Compiled> functions_;
  std::atomic<bool> failed_ = false;
  mutable std::mutex mutex_;
  std::string failure_;
};

}  // namespace daemark::graph
