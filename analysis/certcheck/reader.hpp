// Reading a certificate strictly: every object has exactly the keys of its kind, every number is
// written in its one canonical way. What is read another way is refused, naming the field.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/certcheck/algebra.hpp"

namespace daemark::certcheck {

using Json = nlohmann::json;

/// A statement of the certificate that does not hold; the field stands first.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
void require(bool holds, const std::string& statement);

using Keys = std::vector<std::string>;
/// An object with all of `keys` and nothing else.
void require_keys(const Json& object, const std::string& name, const Keys& keys);

bool truth(const Json& object, const std::string& key);
int whole(const Json& object, const std::string& key);
std::string text(const Json& object, const std::string& key);

/// "-3/4" in lowest terms.
rational fraction_of(const std::string& text, const std::string& name);
rational fraction(const Json& object, const std::string& key);

/// A number is a fraction, or an array of at least two, the last not 0: powers of theta.
class Reader {
 public:
  /// Checks the field: integer, primitive and irreducible, theta in the shortest decimal cell that
  /// isolates it.
  explicit Reader(const Json& certificate);
  Number number(const Json& object, const std::string& key) const;
  Row row(const Json& object, const std::string& key) const;
  Row row(const Json& object, const std::string& key, std::size_t size) const;
  Table rows(const Json& object, const std::string& key) const;      ///< of any lengths
  Row polynomial(const Json& object, const std::string& key) const;  ///< leading one not 0
  Table polynomials(const Json& object, const std::string& key) const;
  Table square(const Json& object, const std::string& key, std::size_t size) const;
  /// The field is null or was needed by a number that was read.
  void require_field_needed() const;

 private:
  Number read(const Json& from, const std::string& name) const;
  Row read_row(const Json& from, const std::string& name) const;
  exact::FieldPtr field_;
  mutable bool needed_ = false;
};

/// Exactly the stated value; the last three are what most fields are checked by.
void require_value(const Json& object, const std::string& key, bool derived);
void require_value(const Json& object, const std::string& key, int derived);
void require_value(const Json& object, const std::string& key, const char* derived);

}  // namespace daemark::certcheck
