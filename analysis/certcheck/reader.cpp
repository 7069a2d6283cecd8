#include "analysis/certcheck/reader.hpp"

#include <algorithm>
#include <set>

namespace daemark::certcheck {

namespace {

constexpr std::size_t most_stages = 200;  // of anything: bounds the time of a hostile file

bool digits_only(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return c >= '0' && c <= '9'; });
}

const Json& member(const Json& object, const std::string& key) {
  require(object.is_object() && object.contains(key), key + ": missing");
  return object.at(key);
}

/// The cell [m, m+1]/10^digits with the fewest digits that isolates theta.
void require_shortest_cell(const Row& minimal, const rational& lower, const rational& upper) {
  rational scale = 1;
  for (int digits = 0; digits < 200; ++digits, scale *= 10)
    if (rational(upper - lower) * scale == 1) break;
  const rational index = lower * scale;
  require(rational(upper - lower) * scale == 1 && mp::denominator(index) == 1,
          "field: lower and upper are no decimal cell");
  if (scale == 1) return;
  exact::integer tenth, rest;
  mp::divide_qr(exact::integer(mp::numerator(index)), exact::integer(10), tenth, rest);
  if (rest < 0) tenth -= 1;
  const rational wider(rational(tenth) * 10 / scale), end(rational(tenth + 1) * 10 / scale);
  require(roots_between(minimal, Number(wider), Number(end)) != 1,
          "field: a wider decimal cell isolates theta");
}

}  // namespace

void require(bool holds, const std::string& statement) {
  if (!holds) throw Refused(statement);
}

void require_keys(const Json& object, const std::string& name, const Keys& keys) {
  require(object.is_object(), name + ": no object");
  for (const std::string& key : keys) require(object.contains(key), key + ": missing");
  for (const auto& [key, unused] : object.items()) {
    require(std::find(keys.begin(), keys.end(), key) != keys.end(),
            key.substr(0, 60) + ": unknown key in " + name);
  }
}

bool truth(const Json& object, const std::string& key) {
  require(member(object, key).is_boolean(), key + ": neither true nor false");
  return object.at(key).get<bool>();
}

int whole(const Json& object, const std::string& key) {
  const Json& value = member(object, key);
  require(value.is_number_integer(), key + ": no integer");
  const auto found = value.get<std::int64_t>();
  require(found >= -1000 && found <= 1000, key + ": beyond 1000");
  return static_cast<int>(found);
}

std::string text(const Json& object, const std::string& key) {
  require(member(object, key).is_string(), key + ": no text");
  return object.at(key).get<std::string>();
}

rational fraction_of(const std::string& text, const std::string& name) {
  const std::size_t start = text.starts_with('-') ? 1 : 0, slash = text.find('/');
  const std::string top = text.substr(start, slash == std::string::npos ? slash : slash - start);
  const std::string below = slash == std::string::npos ? "1" : text.substr(slash + 1);
  require(digits_only(top) && digits_only(below) && below.find_first_not_of('0') == 0 &&
              (top == "0" || top[0] != '0'),
          name + ": '" + text.substr(0, 60) + "' is no fraction");
  const rational value{exact::integer(text.substr(0, start) + top), exact::integer(below)};
  require(value.str() == text, name + ": '" + text.substr(0, 60) + "' is not in lowest terms");
  return value;
}

rational fraction(const Json& object, const std::string& key) {
  return fraction_of(text(object, key), key);
}

Reader::Reader(const Json& certificate) {
  const Json& field = member(certificate, "field");
  if (field.is_null()) return;
  require_keys(field, "field", {"minimal", "lower", "upper"});
  require(field.at("minimal").is_array() && field.at("minimal").size() <= most_stages,
          "minimal: no list of integers");
  std::vector<rational> minimal;
  exact::integer divisor = 0;
  for (const Json& c : field.at("minimal")) {
    require(c.is_string(), "minimal: no list of integers");
    minimal.push_back(fraction_of(c.get<std::string>(), "minimal"));
    require(mp::denominator(minimal.back()) == 1, "minimal: no list of integers");
    divisor = mp::gcd(divisor, exact::integer(mp::numerator(minimal.back())));
  }
  require(!minimal.empty() && divisor == 1 && minimal.back() > 0, "minimal: not primitive");
  const rational lower = fraction(field, "lower"), upper = fraction(field, "upper");
  try {  // refuses anything but an irreducible polynomial with one root in the interval
    field_ = exact::Field::make(minimal, lower, upper);
  } catch (const std::exception& problem) {
    throw Refused(std::string("field: ") + problem.what());
  }
  const Row polynomial(minimal.begin(), minimal.end());
  require(roots_between(polynomial, Number(lower), Number(upper)) == 1,
          "field: the interval holds not one root of minimal");
  require_shortest_cell(polynomial, lower, upper);
}

Number Reader::read(const Json& from, const std::string& name) const {
  if (from.is_string()) return Number(fraction_of(from.get<std::string>(), name));
  require(from.is_array() && from.size() > 1 && field_ != nullptr &&
              static_cast<int>(from.size()) <= field_->degree(),
          name + ": no number of the field");
  std::vector<rational> c;
  for (const Json& x : from) {
    require(x.is_string(), name + ": no number of the field");
    c.push_back(fraction_of(x.get<std::string>(), name));
  }
  require(c.back() != 0, name + ": a number with a last coefficient 0");
  needed_ = true;
  return Number(c, field_);
}

Row Reader::read_row(const Json& from, const std::string& name) const {
  require(from.is_array() && from.size() <= 2 * most_stages, name + ": no list of numbers");
  Row out;
  for (const Json& x : from) out.push_back(read(x, name));
  return out;
}

Number Reader::number(const Json& object, const std::string& key) const {
  return read(member(object, key), key);
}

Row Reader::row(const Json& object, const std::string& key) const {
  return read_row(member(object, key), key);
}

Table Reader::rows(const Json& object, const std::string& key) const {
  const Json& from = member(object, key);
  require(from.is_array() && from.size() <= 2 * most_stages, key + ": no list of rows");
  Table out;
  for (const Json& row : from) out.push_back(read_row(row, key));
  return out;
}

Row Reader::row(const Json& object, const std::string& key, std::size_t size) const {
  Row out = row(object, key);
  require(out.size() == size, key + ": has not " + std::to_string(size) + " entries");
  return out;
}

Row Reader::polynomial(const Json& object, const std::string& key) const {
  Row out = row(object, key);
  require(out.empty() || !out.back().is_zero(), key + ": padded with zeros");
  return out;
}

Table Reader::polynomials(const Json& object, const std::string& key) const {
  const Json& from = member(object, key);
  require(from.is_array() && from.size() <= 2 * most_stages, key + ": no list of polynomials");
  Table out;
  for (const Json& x : from) {
    out.push_back(read_row(x, key));
    require(out.back().empty() || !out.back().back().is_zero(), key + ": padded with zeros");
  }
  return out;
}

Table Reader::square(const Json& object, const std::string& key, std::size_t size) const {
  const Json& from = member(object, key);
  require(from.is_array() && from.size() == size && size > 0 && size <= most_stages,
          key + ": is not square, or not of the size of the others");
  Table out;
  for (const Json& x : from) {
    out.push_back(read_row(x, key));
    require(out.back().size() == size, key + ": is not square");
  }
  return out;
}

void Reader::require_field_needed() const {
  require(field_ == nullptr || needed_, "field: no number needs it");
}

void require_value(const Json& object, const std::string& key, bool derived) {
  require(truth(object, key) == derived,
          key + ": derived " + std::string(derived ? "true" : "false"));
}

void require_value(const Json& object, const std::string& key, int derived) {
  require(whole(object, key) == derived, key + ": derived " + std::to_string(derived));
}

void require_value(const Json& object, const std::string& key, const char* derived) {
  require(text(object, key) == derived, key + ": derived " + std::string(derived));
}

}  // namespace daemark::certcheck
