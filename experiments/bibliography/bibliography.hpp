// Full references behind keys such as "hairer1996": one file, bibliography.json, for methods,
// problems, papers and errata. A text cites by a key in brackets: "[hairer1996], Table IV.6.5".
#pragma once

#include <map>
#include <string>
#include <vector>

namespace daemark {

struct Reference {
  std::vector<std::string> authors;  ///< "Family, Given"
  std::string title;
  std::string in;  ///< journal with volume and pages, or edition and publisher
  int year = 0;
  std::string doi, note;  ///< "" where there is none

  std::string short_text() const;  ///< "Hairer & Wanner 1996"
  std::string text() const;        ///< "E. Hairer, G. Wanner: Title. In, 1996, doi:... Note"
};

/// By key, read once. Throws BadInput, with the place, where the file is malformed.
const std::map<std::string, Reference>& bibliography();

/// Keys in brackets, in the order of the text, each once; known or not.
std::vector<std::string> cited_keys(const std::string& text);

/// The text with known keys in brackets replaced by their short form; others stay.
std::string with_citations(const std::string& text);

/// The full references of the known keys that the text cites.
std::vector<std::string> full_references(const std::string& text);

/// "[key], where", which the functions above take; "" where there is neither.
std::string citation(const std::string& key, const std::string& where);

}  // namespace daemark
