#pragma once

#include <chrono>
#include <optional>
#include <parley/locale.hpp>
#include <parley/text.hpp>
#include <span>
#include <string>
#include <vector>

#include "ellipsis.hpp"
#include "memory.hpp"

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

/// What reading needs to know of the language and the day.
struct Reader {
  Reader(const LocaleResources& words, std::string tag, std::chrono::local_seconds when)
      : common(words), lang(std::move(tag)), now(when) {}
  const LocaleResources& common;  ///< The core's words.
  std::string lang;               ///< BCP-47, of the utterance.
  std::chrono::local_seconds now;
};

/// What an ellipsis may mean after that subject, the likeliest first: a value of a type in place of one of
/// the same type ("five" for "ten" in "ten minutes"), any other in place of a slot that has no type, or
/// behind the subject's utterance. For a question, in place of what follows its last preposition.
std::vector<Rewriting> rewritings(const Subject& subject, const Ellipsis& said, std::string_view text,
                                  const Reader& reader);

/// The utterance with the subject's last value for its pronoun; nothing when the subject has none.
std::optional<std::string> resolved(const Subject& subject, const Pronoun& pronoun,
                                    std::span<const Word> said, std::string_view text, const Reader& reader);

/// The sentence that is meant by a follow-up of a question, or by a pronoun after any subject: what to ask
/// again. Nothing: the utterance is its own.
std::optional<std::string> asked_again(const Subject& subject, std::string_view text, const Reader& reader);

/// The questions that are meant by one that leaves out what it is about ("and the capital?"): with each
/// preposition of `follow_up_topic` and the subject's last value behind it. Empty: it names that itself, is
/// long, or the subject has none.
std::vector<std::string> asked_about_topic(const Subject& subject, std::string_view text,
                                           const Reader& reader);

}  // namespace parley::follow_up
