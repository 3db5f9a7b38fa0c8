#pragma once

#include <cstdint>
#include <optional>
#include <parley/locale.hpp>
#include <parley/text.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace parley::follow_up {

/// How an utterance says that it leaves out what was said before.
enum class Form : std::uint8_t {
  kAnd,      ///< "And in London?", "eggs too".
  kAbout,    ///< "What about Paris?"
  kNo,       ///< "No, five": a weak sign, since much begins with a no.
  kCorrect,  ///< "Make that fifteen", "I meant Berlin".
};

/// An utterance that is nothing but another value for something said before.
struct Ellipsis {
  Ellipsis(Form how, std::span<const Word> what) : form(how), rest(what) {}
  bool corrects() const noexcept { return form == Form::kNo || form == Form::kCorrect; }
  Form form;
  std::span<const Word> rest;  ///< The value, with a preposition of its own if it has one; never empty.
};

/// The value is at most so many words.
inline constexpr std::size_t kMostWords = 8;

/// Reads the words of `follow_up_and`, `_about`, `_no` and `_correct` at the beginning, `_instead` and `_too`
/// at the end. What begins like a sentence of its own (`_never`) is none, a bare "no" neither.
/// @param common  the core's words
/// @param lang    BCP-47
std::optional<Ellipsis> ellipsis_in(std::span<const Word> said, const LocaleResources& common,
                                    const std::string& lang);

/// How many words at one end, the first or the last ones, are a phrase of the core's vocabulary, the longest
/// there is; 0: none.
std::size_t phrase_at(std::span<const Word> said, bool front, const LocaleResources& common,
                      const std::string& lang, std::string_view vocabulary);

/// How many words at the beginning are a preposition of `follow_up_link`.
std::size_t link_at(std::span<const Word> said, const LocaleResources& common, const std::string& lang);

/// How many words at the end are a phrase of `follow_up_it_end`.
std::size_t end_at(std::span<const Word> said, const LocaleResources& common, const std::string& lang);

/// Words that stand for a place or a thing of which something was said ("how many people live there?").
struct Pronoun {
  Pronoun(std::size_t from, std::size_t to, bool place) : begin(from), end(to), is_place(place) {}
  std::size_t begin, end;  ///< Places among the words.
  bool is_place;
};

/// The last of `follow_up_there` or `follow_up_it` at the utterance's end, the latter also before a phrase of
/// `follow_up_it_end` ("what does it mean"), unless a phrase of
/// `follow_up_not` ends there too ("what time is it", "are there").
std::optional<Pronoun> pronoun_in(std::span<const Word> said, const LocaleResources& common,
                                  const std::string& lang);

}  // namespace parley::follow_up
