// What exact work decided of a method, without doing it again: from the committed catalogue that
// `daemark verify` writes, else from earlier calls on this machine, else proved now.
#pragma once

#include <string>

#include "analysis/exact/proof/catalogue_table.hpp"

namespace daemark {

/// Of a call. A line counts where its print is that of the method at hand. What is proved now takes
/// at most `prove_seconds` of processor time, then it is undecided, and is kept under
/// results/.cache. Throws BadInput for unknown methods.
const exact::CatalogueLine& proved(const std::string& call);

inline constexpr double prove_seconds = 20;

}  // namespace daemark
