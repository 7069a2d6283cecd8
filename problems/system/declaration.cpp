#include "problems/system/declaration.hpp"

namespace daemark {

Exact::Exact(const char* text) : value(Expression::parse(text, "mechanism").eval<wide>()) {}

}  // namespace daemark
