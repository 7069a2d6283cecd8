// Malformed calls of the programs, numbered; each is the same on every machine.
#pragma once

#include <filesystem>

#include "tests/audit/child.hpp"
#include "tests/audit/mutation.hpp"

namespace daemark::audit {

/// The files the calls read, and the directory they write to.
class FuzzGround {
 public:
  explicit FuzzGround(std::filesystem::path folder);
  /// The call of number `index`; its files are rewritten.
  ChildCall call(std::uint64_t index);
  static const char* kind_of(std::uint64_t index);

 private:
  using Words = std::vector<std::string>;
  struct Kind {
    const char* name;
    Words (FuzzGround::*words)(Day&);
  };
  static const Kind kinds[7];
  Words words(Day& day);
  Words expression(Day& day);
  Words tableau(Day& day);
  Words experiment(Day& day);
  Words reference(Day& day);
  Words record(Day& day);
  Words certificate(Day& day);
  Words integration(const std::string& verb, Day& day);
  std::string put(const std::string& name, const std::string& text);

  std::filesystem::path folder_, results_, root_;
  std::string program_, checker_;
  std::vector<std::string> methods_, problems_, formulations_, settings_, items_;
  std::vector<std::filesystem::path> tableaus_, references_, certificates_;
};

}  // namespace daemark::audit
