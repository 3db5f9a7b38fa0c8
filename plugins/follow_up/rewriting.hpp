#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ellipsis.hpp"
#include "memory.hpp"
#include "reader.hpp"

namespace parley::follow_up {

/// The subject's utterance with something else in it.
struct Rewriting {
  Rewriting() = default;
  std::string text;    ///< The whole sentence: "what time is it in London".
  std::string slot;    ///< Whose value was exchanged; empty: nobody knows, or something was added.
  std::string value;   ///< What is in it now.
  bool typed = false;  ///< A number, duration, date, color or language in place of another.
  bool added = false;  ///< The subject's utterance, and more behind it.
};

/// What an ellipsis may mean after that subject, the likeliest first: a value of a type in place of one of
/// the same type ("five" for "ten" in "ten minutes"), any other in place of a slot that has no type, or
/// behind the subject's utterance. For a question, in place of what follows its last preposition.
std::vector<Rewriting> rewritings(const Subject& subject, const Ellipsis& said, std::string_view text,
                                  const Reader& reader);

}  // namespace parley::follow_up
