#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace parley::countries {

/// An answer as it is spoken, and how sure it is by Appendix B of common query.
struct Reply {
  std::string text;
  double confidence;
  std::string about = {};  ///< The code of the country that the answer names; empty: none, or several.
};

/// What was spoken of lately: a question may leave it out ("which is bigger?", "and Spain or Italy?").
struct Subject {
  Subject() = default;
  static constexpr std::size_t kMost = 2;

  void note(const std::string& code) {
    std::erase(countries, code);
    countries.push_back(code);
    if (countries.size() > kMost) countries.erase(countries.begin());
  }

  std::vector<std::string> countries;  ///< Codes, at most kMost, the latest last.
  std::string question;                ///< What was asked of one of them last: "and Poland?".
  std::string comparison;              ///< The question that compared them last; empty: none did.
};

}  // namespace parley::countries
