// What is wrong with the coefficients of a method, said wherever it is used.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace daemark {

/// Row sums that differ from c, weights that do not sum to 1, no zero-stability, a claimed order
/// its coefficients do not have: of a method from a tableau file, to the accuracy of its digits
/// where they are decimals; also of the method inside another.
std::vector<std::string> method_defects(const std::string& call);

/// One line a defect: "daemark VERB: warning: METHOD: ...".
void warn_of_defects(const std::string& verb, const std::vector<std::string>& calls,
                     std::ostream& err);

}  // namespace daemark
