#include "topic.hpp"

#include <algorithm>
#include <parley/text.hpp>
#include <span>

#include "ellipsis.hpp"
#include "rewriting.hpp"
#include "sentence.hpp"

namespace parley::follow_up {
namespace {

/// In words: of more it is no name but what somebody told.
constexpr std::size_t kLongestTopic = 5;
/// A longer question names what it is about.
constexpr std::size_t kLongestQuestion = 7;  // words
constexpr std::size_t kLongestOfTopic = 9;   // "does it have a border with the Czech Republic"
constexpr std::size_t kLongestPossessive = 2;
constexpr std::size_t kLongestVerb = 2;
/// "The population", "the official language".
constexpr std::size_t kLongestNoun = 2;

/// "Which of them is bigger" is about no one thing.
bool is_of_several(std::string_view topic, const Reader& reader) {
  return reader.common.vocabulary_occurs(reader.lang, "follow_up_several", words(topic, reader.lang));
}

/// What one utterance says it is about.
std::optional<std::string> own_topic_of(const Subject& subject, const Reader& reader) {
  const Sentence sentence(subject, reader);
  if (subject.is_question) {
    const auto topic = sentence.topic();
    // Of numbers what is asked about is the result, which only the skill knows.
    if (!topic) return std::nullopt;
    std::string text = sentence.text(*topic);
    if (sentence.has_type(text) || is_of_several(text, reader)) return std::nullopt;
    return text;
  }
  for (const auto& [name, place] : slots_of(subject, sentence))
    if (!sentence.has_type(sentence.text(place))) return sentence.text(place);
  return std::nullopt;
}

bool names(std::span<const Word> said, const std::string& topic, const Reader& reader) {
  const auto named = words(topic, reader.lang);
  const auto same = [](const Word& a, const Word& b) { return a.norm == b.norm; };
  return std::search(said.begin(), said.end(), named.begin(), named.end(), same) != said.end();
}

/// The value that was named last: what "it" and "there" stand for. What a row of questions began with, as
/// long as each of them names it: "is Austria in the EU" is still about Austria.
std::optional<std::string> topic_of(const Subject& subject, const Reader& reader) {
  std::vector<Subject> row;
  for (const std::string& question : subject.earlier) {
    row.push_back(subject);
    row.back().utterance = question;
  }
  row.push_back(subject);
  for (auto first = row.begin(); first + 1 < row.end(); ++first) {
    auto topic = own_topic_of(*first, reader);
    const auto is_named = [&](const Subject& one) {
      return names(words(one.utterance, reader.lang), *topic, reader);
    };
    if (topic && std::all_of(first + 1, row.end(), is_named)) return topic;
  }
  return own_topic_of(subject, reader);
}

/// Without what joins it to what was said before.
std::span<const Word> without_and(std::span<const Word> said, const Reader& reader) {
  while (said.size() > 1 && reader.common.vocabulary_equals(reader.lang, "follow_up_and", said.first(1)))
    said = said.subspan(1);
  return said;
}

std::optional<std::string> resolved(const Subject& subject, const Pronoun& pronoun,
                                    std::span<const Word> said, std::string_view text, const Reader& reader) {
  auto value = topic_of(subject, reader);
  if (!value || words(*value, reader.lang).size() > kLongestTopic) return std::nullopt;
  if (pronoun.is_place)
    value = reader.common.render("follow_up_there", reader.lang, {{"place", *value}}).text;
  std::string whole(text.substr(0, said[pronoun.begin].begin));
  whole += *value;
  return whole.append(text.substr(said[pronoun.end - 1].end));
}

/// A question and what it leaves out.
class Question {
 public:
  Question(std::string_view text, const std::string& topic, const Reader& reader, bool is_joined)
      : topic_(topic),
        reader_(reader),
        text_(text),
        words_(words(text, reader.lang)),
        is_joined_(is_joined) {}

  /// With each preposition and the topic, before what may stand behind a name ("look like").
  std::vector<std::string> about_topic() const {
    std::vector<std::string> meant;
    const auto* const prepositions = reader_.common.vocabulary(reader_.lang, "follow_up_topic");
    if (prepositions == nullptr) return meant;
    const std::size_t end = words_.size() - end_at(words_, reader_.common, reader_.lang);
    for (const std::string& preposition : *prepositions)
      meant.push_back(with(end, end, preposition + ' ' + topic_));
    return meant;
  }

  std::vector<std::string> of_topic() const {
    for (std::size_t length = kLongestPossessive; length > 0; --length)
      for (std::size_t at = 0; at + length <= words_.size(); ++at)
        if (is("follow_up_its", at, length)) return without_possessive(at, at + length).about_topic();
    for (std::size_t at = 0; at < words_.size(); ++at) {
      if (!is("follow_up_within", at, 1)) continue;
      std::vector<std::string> meant(1, with(at, at + 1, topic_));
      // "Est-elle dans l'UE": a name stands before the verb.
      if (at == 1 && is("follow_up_verb", 0, 1)) meant.push_back(topic_ + ' ' + with(1, 2, ""));
      return meant;
    }
    if (const auto at = left_out_at()) return {with(*at, *at, topic_)};
    return has_bare_noun() ? about_topic() : std::vector<std::string>();
  }

 private:
  bool is(std::string_view vocabulary, std::size_t at, std::size_t length) const {
    return reader_.common.vocabulary_equals(reader_.lang, vocabulary, std::span(words_).subspan(at, length));
  }

  /// The question with that in place of some of its words, or between them.
  std::string with(std::size_t begin, std::size_t end, std::string_view instead) const {
    std::string whole = begin > 0 ? text_.substr(0, words_[begin - 1].end) : std::string();
    const std::string rest = end < words_.size() ? text_.substr(words_[end].begin) : std::string();
    for (const std::string_view part : {instead, std::string_view(rest)}) {
      if (!whole.empty() && !part.empty()) whole += ' ';
      whole += part;
    }
    return whole;
  }

  Question without_possessive(std::size_t begin, std::size_t end) const {
    // Of several articles nobody knows which: what is asked is understood without.
    const auto* const articles = reader_.common.vocabulary(reader_.lang, "follow_up_article");
    const bool is_one = articles != nullptr && articles->size() == 1;
    return {with(begin, end, is_one ? articles->front() : std::string()), topic_, reader_, is_joined_};
  }

  /// Before which word a pronoun would stand, where the language has one only for emphasis: before a verb
  /// with a preposition ("está en la UE"), behind one at the end ("en qué continente está").
  std::optional<std::size_t> left_out_at() const {
    if (is("follow_up_verb", words_.size() - 1, 1)) return words_.size();
    for (std::size_t length = kLongestVerb; length > 0; --length) {
      if (length >= words_.size() || !is("follow_up_verb", 0, length)) continue;
      if (link_at(std::span(words_).subspan(length), reader_.common, reader_.lang) > 0) return 0;
    }
    return std::nullopt;
  }

  /// Whether it ends with an article and a noun, of nothing and nowhere.
  bool has_bare_noun() const {
    const std::size_t end = words_.size() - end_at(words_, reader_.common, reader_.lang);
    std::size_t at = end;
    while (at > 0 && !is("follow_up_article", at - 1, 1)) --at;
    if (at == 0 || (at == 1 && !is_joined_) || at == end || end - at > kLongestNoun) return false;
    for (std::size_t word = at < 2 ? at : at - 2; word < end; ++word)
      if (word + 1 != at &&
          link_at(std::span(words_).subspan(word, end - word), reader_.common, reader_.lang) > 0)
        return false;
    return true;
  }

  const std::string& topic_;
  const Reader& reader_;
  std::string text_;
  std::vector<Word> words_;
  bool is_joined_;  ///< By an "and" to what was said before.
};

/// Nothing: it is long, names what the subject was about, or that was nothing.
std::vector<std::string> asked(const Subject& subject, std::string_view text, const Reader& reader,
                               std::size_t longest, std::vector<std::string> (Question::*meant)() const) {
  const std::vector<Word> all = words(text, reader.lang);
  const auto said = without_and(all, reader);
  if (said.empty() || said.size() > longest) return {};
  const auto topic = topic_of(subject, reader);
  if (!topic || names(said, *topic, reader)) return {};
  const Question question(surface(text, said), *topic, reader, said.size() < all.size());
  return (question.*meant)();
}

}  // namespace

std::optional<std::string> asked_again(const Subject& subject, std::string_view text, const Reader& reader) {
  const std::vector<Word> said = words(text, reader.lang);
  if (const auto ellipsis = ellipsis_in(said, reader.common, reader.lang); ellipsis && subject.is_question) {
    const auto found = rewritings(subject, *ellipsis, text, reader);
    if (found.empty()) return std::nullopt;
    return found.front().text;
  }
  const auto pronoun = pronoun_in(said, reader.common, reader.lang);
  if (!pronoun) return std::nullopt;
  auto whole = resolved(subject, *pronoun, said, text, reader);
  if (!whole) return std::nullopt;
  const std::vector<Word> all = words(*whole, reader.lang);
  return whole->substr(without_and(all, reader).front().begin);
}

std::vector<std::string> asked_about_topic(const Subject& subject, std::string_view text,
                                           const Reader& reader) {
  return asked(subject, text, reader, kLongestQuestion, &Question::about_topic);
}

std::vector<std::string> asked_of_topic(const Subject& subject, std::string_view text, const Reader& reader) {
  return asked(subject, text, reader, kLongestOfTopic, &Question::of_topic);
}

}  // namespace parley::follow_up
