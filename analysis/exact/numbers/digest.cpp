// FIPS 180-4, section 6.2. The round constants are the first 32 bits of the fractional parts of the
// cube roots (the start values: square roots) of the first primes, so they are computed as such.
#include "analysis/exact/numbers/digest.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "analysis/exact/numbers/number.hpp"

namespace daemark::exact {

namespace {

using Word = std::uint32_t;

/// floor(2^32 x^(1/degree)) mod 2^32.
Word fraction_of_root(long x, int degree) {
  const integer target = integer(x) << (32 * degree);
  integer low = 0, high = integer(1) << 40;
  while (high - low > 1) {
    const integer middle = (low + high) / 2;
    (mp::pow(middle, static_cast<unsigned>(degree)) <= target ? low : high) = middle;
  }
  return static_cast<Word>(integer(low % (integer(1) << 32)));
}

struct Constants {
  std::array<Word, 64> round;
  std::array<Word, 8> start;

  Constants() {
    std::size_t found = 0;
    for (long x = 2; found < round.size(); ++x) {
      bool prime = true;
      for (long d = 2; d * d <= x; ++d) prime = prime && x % d != 0;
      if (!prime) continue;
      if (found < start.size()) start[found] = fraction_of_root(x, 2);
      round[found++] = fraction_of_root(x, 3);
    }
  }
};

void absorb(std::array<Word, 8>& state, const std::string& block, const Constants& constants) {
  std::array<Word, 64> w;
  for (std::size_t i = 0; i < 64; ++i) {
    if (i < 16) {
      w[i] = 0;
      for (std::size_t j = 0; j < 4; ++j) {
        w[i] = w[i] << 8 | static_cast<unsigned char>(block[4 * i + j]);
      }
      continue;
    }
    const Word a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const Word first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                       ((e & f) ^ (~e & g)) + constants.round[i] + w[i];
    const Word second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const std::array<Word, 8> moved{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += moved[i];
}

}  // namespace

std::string sha256(const std::string& text) {
  static const Constants constants;
  std::string padded = text + '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(text.size());
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift & 0xff);
  std::array<Word, 8> state = constants.start;
  for (std::size_t at = 0; at < padded.size(); at += 64) {
    absorb(state, padded.substr(at, 64), constants);
  }
  std::string out;
  for (const Word word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[word >> shift & 15];
  }
  return out;
}

}  // namespace daemark::exact
