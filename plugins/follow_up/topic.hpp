#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "memory.hpp"
#include "reader.hpp"

namespace parley::follow_up {

/// The sentence that is meant by a follow-up of a question, or by a pronoun at the end after any subject:
/// what to ask again. Nothing: the utterance is its own.
std::optional<std::string> asked_again(const Subject& subject, std::string_view text, const Reader& reader);

/// The questions that are meant by one that leaves out what it is about ("and the capital?"): with each
/// preposition of `follow_up_topic` and what the subject was about behind it. Empty: it names that itself, is
/// long, or the subject is about nothing.
std::vector<std::string> asked_about_topic(const Subject& subject, std::string_view text,
                                           const Reader& reader);

/// The questions that are meant by one that only stands for what the subject was about: a pronoun in its
/// midst (`follow_up_within`: "is it in the EU"), a possessive (`follow_up_its`: "what's its currency"),
/// nothing at all where the language leaves the pronoun out (`follow_up_verb`: "está en la UE"), or a noun
/// that is nobody's ("what's the population"). Likeliest first; empty: it is about something of its own.
/// They are guesses: what is taken word for word as it was said means that.
std::vector<std::string> asked_of_topic(const Subject& subject, std::string_view text, const Reader& reader);

}  // namespace parley::follow_up
