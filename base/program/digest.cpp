#include "base/program/digest.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace daemark {
namespace {

using Word = std::uint32_t;

// The first 32 bits of the fractions of the cube roots of the first 64 primes.
constexpr std::array<Word, 64> constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr std::size_t block_bytes = 64;

using Hash = std::array<Word, 8>;

void add_block(Hash& hash, const unsigned char* block) {
  std::array<Word, 64> w;
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] = Word(block[4 * i]) << 24 | Word(block[4 * i + 1]) << 16 | Word(block[4 * i + 2]) << 8 |
           Word(block[4 * i + 3]);
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const Word x = w[i - 15], y = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3) + w[i - 7] +
           (std::rotr(y, 17) ^ std::rotr(y, 19) ^ y >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t i = 0; i < 64; ++i) {
    const Word t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                    ((e & f) ^ (~e & g)) + constants[i] + w[i];
    const Word t2 =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const Hash added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] += added[i];
}

}  // namespace

std::string digest(std::string_view text) {
  Hash hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t left = text.size();
  for (; left >= block_bytes; left -= block_bytes, bytes += block_bytes) add_block(hash, bytes);
  // The rest, a one bit, zeros, and the length in bits in the last eight bytes.
  std::array<unsigned char, 2 * block_bytes> tail = {};
  for (std::size_t i = 0; i < left; ++i) tail[i] = bytes[i];
  tail[left] = 0x80;
  const std::size_t tail_bytes = left + 9 <= block_bytes ? block_bytes : 2 * block_bytes;
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  for (std::size_t i = 0; i < 8; ++i)
    tail[tail_bytes - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  for (std::size_t at = 0; at < tail_bytes; at += block_bytes) add_block(hash, tail.data() + at);
  std::string out;
  for (const Word word : hash)
    for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[word >> shift & 15];
  return out;
}

namespace {

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }
std::string without_ending(const std::string& path) { return path.substr(0, path.rfind('.')); }

bool is_unit(const std::string& path) { return path.ends_with(".cpp") || path.ends_with(".c"); }

}  // namespace

SourceGraph::SourceGraph(const std::vector<SourceFile>& files) {
  for (const SourceFile& file : files) nodes_[file.path] = {file.digest, {}};
  const auto implements = [this](const std::string& header, const std::string& unit) {
    const auto found = nodes_.find(header);
    if (found != nodes_.end()) found->second.uses.push_back(unit);
    return found != nodes_.end();
  };
  for (const SourceFile& file : files) {
    for (const std::string& used : file.includes)
      if (nodes_.contains(used)) nodes_[file.path].uses.push_back(used);
    if (!is_unit(file.path)) continue;
    const std::string stem = without_ending(file.path);
    const bool own = implements(stem + ".hpp", file.path) || implements(stem + ".h", file.path);
    if (own || file.registers || file.includes.empty()) continue;
    const auto is_near = [&](const std::string& used) {
      return folder_of(used) == folder_of(file.path);
    };
    if (file.own_first && is_near(file.includes.front())) {
      implements(file.includes.front(), file.path);
      continue;
    }
    for (const std::string& used : file.includes)
      if (is_near(used)) implements(used, file.path);
  }
}

std::string SourceGraph::digest_of(const std::string& path) const {
  const auto found = nodes_.find(path);
  return found == nodes_.end() ? "" : found->second.digest;
}

std::map<std::string, std::string> SourceGraph::closure(
    const std::vector<std::string>& roots, const std::set<std::string>& left_out) const {
  std::map<std::string, std::string> found;
  std::vector<std::string> open = roots;
  for (const std::string& root : roots)
    if (!nodes_.contains(root)) throw std::logic_error("no source of this program: " + root);
  const std::set<std::string> begin(open.begin(), open.end());
  while (!open.empty()) {
    const std::string path = std::move(open.back());
    open.pop_back();
    if (left_out.contains(path) && !begin.contains(path)) continue;
    const Node& node = nodes_.at(path);
    if (!found.emplace(path, node.digest).second) continue;
    open.insert(open.end(), node.uses.begin(), node.uses.end());
  }
  return found;
}

const SourceGraph& source_graph() {
  static const SourceGraph graph(source_files());
  return graph;
}

}  // namespace daemark
