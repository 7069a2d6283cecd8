// What `daemark reproduce --prune` does.
#pragma once

#include <iosfwd>

namespace daemark {

/// Drops the finished cells under results/ that neither `reproduce` nor `compare` asks for with
/// these sources, and says how much it was. Returns the exit status.
int prune(std::ostream& out, std::ostream& err);

}  // namespace daemark
