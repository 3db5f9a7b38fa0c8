#pragma once

#include <string>

namespace parley::countries {

/// An answer as it is spoken, and how sure it is by Appendix B of common query.
struct Reply {
  std::string text;
  double confidence;
};

}  // namespace parley::countries
