#include "analysis/exact/theory/composition.hpp"

#include <fmt/format.h>

#include <numeric>

#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/uncertain.hpp"

namespace daemark::exact {
namespace {

constexpr int highest_degree = 14;

bool vanishes(const Number& x) { return x.is_zero(); }
bool vanishes(const Ball& x) { return x.may_vanish(); }
wide size_of(const Number& x) { return x.to_wide(); }
wide size_of(const Ball& x) { return static_cast<wide>(x.middle()); }

using Word = std::vector<int>;

void append_words(int degree, Word& start, std::vector<Word>& out) {
  if (degree == 0) out.push_back(start);
  for (int k = degree - (degree % 2 == 0 ? 1 : 0); k > 0; k -= 2) {
    start.push_back(k);
    append_words(degree - k, start, out);
    start.pop_back();
  }
}

std::vector<Word> words_of(int degree) {
  std::vector<Word> out;
  Word start;
  append_words(degree, start, out);
  return out;
}

rational inverse_factorial(std::size_t n) {
  rational out = 1;
  for (std::size_t k = 2; k <= n; ++k) out /= static_cast<int>(k);
  return out;
}

/// All γ, by symmetry and Σ γ = 1.
template <class T>
std::vector<T> steps_of(std::vector<T> half) {
  T middle(1);
  for (const T& x : half) middle -= x + x;
  const std::vector<T> back(half.rbegin(), half.rend());
  half.push_back(middle);
  half.insert(half.end(), back.begin(), back.end());
  return half;
}

/// The coefficient of a word in the product less that in exp(h Y₁).
template <class T>
T defect(const std::vector<T>& steps, const Word& word) {
  std::vector<T> found(word.size() + 1, T(0));  // of the word's beginnings
  found[0] = T(1);
  for (const T& step : steps)
    for (std::size_t end = word.size(); end > 0; --end) {
      T power(1);
      for (std::size_t begin = end; begin-- > 0;) {
        for (int k = 0; k < word[begin]; ++k) power *= step;
        found[end] += found[begin] * power * T(inverse_factorial(end - begin));
      }
    }
  if (word.front() == 1 &&
      static_cast<int>(word.size()) == std::accumulate(word.begin(), word.end(), 0))
    found.back() -= T(inverse_factorial(word.size()));
  return found.back();
}

template <class T>
CompositionOrder order_with(const std::vector<T>& steps) {
  CompositionOrder out;
  for (int degree = 1; degree <= highest_degree; ++degree) {
    for (const Word& word : words_of(degree)) {
      const T off = defect(steps, word);
      if (vanishes(off)) continue;
      out.off = size_of(off).str(6, std::ios_base::scientific);
      for (const int k : word)
        out.failing_word += fmt::format("{}Y{}", out.failing_word.empty() ? "" : " ", k);
      return out;
    }
    out.order = degree;
  }
  return out;
}

}  // namespace

CompositionOrder composition_order(const ExactComposition& composition, const std::string& where) {
  const std::vector<const Expression*> all = pointers_to({&composition.half});
  if (!any_uncertain(all)) return order_with(steps_of(import_numbers(all, where)));
  const Digits file = digits_of(all);
  BallVector half;
  for (const Expression* entry : all) half.push_back(ball_of(*entry, file));
  CompositionOrder out = order_with(steps_of(std::move(half)));
  out.exact = false;
  return out;
}

}  // namespace daemark::exact
