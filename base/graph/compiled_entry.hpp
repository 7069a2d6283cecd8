// The table of compiled functions as generated files write it; without includes, as they have many
// lines of their own.
#pragma once

namespace daemark::graph {

/// A code in double: reads inputs and constants from x, writes the groups; null where one is not
/// wanted.
using Compiled = void (*)(const double* x, double* const* groups);

struct CompiledEntry {
  const char* digest;  ///< of structure(): the constants are arguments
  Compiled function;
};

}  // namespace daemark::graph
