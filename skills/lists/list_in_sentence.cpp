#include "list_in_sentence.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::lists {

ListInSentence::ListInSentence(const SentenceWords& words, const WishWords& by,
                               const std::vector<std::string>& names, const std::string& lang)
    : words_(words), by_(by), names_(names, lang) {
  if (words.empty()) return;
  is_same = find_same();
  has_word = is_same || find_by_word() || find_by_meaning();
  if (!has_word && !find_by_name()) place = Part(words.size(), words.size());
}

bool ListInSentence::find_same() {
  place = words_.find(by_.same, words_.all());
  if (place.empty()) return false;
  read_in_front();
  return true;
}

bool ListInSentence::find_by_word() {
  for (std::size_t at = words_.size(); at-- > 0;)
    if (is_list_at(at)) return true;
  return false;
}

/// "On the shopping", "what do we have to buy".
bool ListInSentence::find_by_meaning() {
  for (const auto& [set, which] : {std::pair(&by_.todo, "todo"), std::pair(&by_.shopping, "shopping")}) {
    place = words_.find(*set, words_.all());
    if (place.empty()) continue;
    key = which;
    return true;
  }
  place = words_.find(by_.buy, words_.all());
  const bool is_all = !place.empty() && words_.bare({0, place.begin}).empty() &&
                      words_.bare({place.end, words_.size()}).empty();
  if (is_all) key = "shopping";
  return is_all;
}

/// "How many things are on spare parts", "read me the camping one": the name of a list that there is,
/// without the word for one, but with what leads to a list.
bool ListInSentence::find_by_name() {
  for (std::size_t at = 0; at < words_.size(); ++at) {
    const std::size_t length = words_.at_phrase(names_, at);
    if (length == 0) continue;
    const Part reads = words_.find(by_.reads, {words_.clause_begin(at), words_.size()});
    const bool is_read = !reads.empty() && words_.clause_of(reads.begin) == words_.clause_of(at);
    if (!is_led_to(by_.on, at) && !is_read) continue;
    name = place = {at, at + length};
    if (const Part on = words_.before(by_.on, at); !on.empty()) place.begin = on.begin;
    while (place.begin > 0 && words_.at_phrase(by_.before, place.begin - 1) > 0) --place.begin;
    return true;
  }
  return false;
}

Part ListInSentence::named_elsewhere() const {
  for (std::size_t at = 0; at < words_.size(); ++at) {
    const std::size_t length = has(at) ? 0 : words_.at_phrase(names_, at);
    if (length > 0 && (is_led_to(by_.on, at) || is_led_to(by_.after, at))) return {at, at + length};
  }
  return {};
}

void ListInSentence::take_there() {
  if (const Part there = words_.find(by_.there, words_.all()); !there.empty()) place = there;
}

std::size_t ListInSentence::ending_of(std::size_t at) const {
  for (const std::string& one : by_.endings)
    if (words_[at].norm.ends_with(one)) return one.size();
  return 0;
}

/// How many words before the word for a list are a name that lists have: "to do".
std::size_t ListInSentence::known_before(std::size_t at) const {
  for (std::size_t n = std::min(kLongestName, at); n > 0; --n)
    if (is_known({at - n, at})) return n;
  return 0;
}

bool ListInSentence::is_known(Part part) const {
  return words_.is(by_.known, part) || words_.is(names_, part);
}

/// "A lista escola tem quantas coisas": words of a name that no list has, behind the word for one and before
/// the verb of a question; 0: none.
std::size_t ListInSentence::unknown_at(std::size_t at) const {
  if (!occurs(by_.count) && !occurs(by_.what)) return 0;
  for (std::size_t n = 0; n < kLongestName && at + n < words_.size(); ++n) {
    if (words_.at_phrase(by_.whether, at + n) > 0) return n;
    for (const PhraseSet* const cue : {&by_.noise, &by_.pronoun, &by_.what, &by_.count, &by_.add, &by_.lacks})
      if (words_.at_phrase(*cue, at + n) > 0) return 0;
  }
  return 0;
}

/// Whether such a phrase stands before a word, but for an article.
bool ListInSentence::is_led_to(const PhraseSet& by, std::size_t at) const {
  for (std::size_t n = 1; n <= std::min(kLongestName, at); ++n) {
    if (const std::size_t length = words_.at_phrase(by, at - n); length > 0)
      return length == n || words_.at_phrase(by_.before, at - n + length) > 0;
  }
  return false;
}

/// "The christmas gifts list": what stands between an article and the word is a name. Nothing: no article.
std::optional<std::size_t> ListInSentence::name_before(std::size_t at) const {
  for (std::size_t n = 0; n <= kLongestName && n < at; ++n)
    if (words_.at_phrase(by_.before, at - n - 1) > 0) return n;
  // "Christmas gifts list, a scarf for Rosie".
  if (at > 0 && at <= kLongestName && at + 1 == words_.clause_end(0)) return at;
  return std::nullopt;
}

bool ListInSentence::is_list_at(std::size_t at) {
  const std::size_t ending = ending_of(at);
  if (ending == 0) return false;
  const bool is_compound = ending < words_[at].norm.size();
  const Part name_until_now = std::exchange(name, Part(at, is_compound ? at + 1 : at));
  const Part place_until_now = std::exchange(place, Part(at, at + 1));
  bool is_plain = is_compound;
  if (!is_compound) {
    if (const std::size_t known = known_before(at); known > 0) {
      name.begin = place.begin = at - known;
      is_plain = true;
    } else if (const auto length = name_before(at)) {
      name.begin = place.begin = at - *length;
      is_plain = true;
    }
  }
  if (!is_compound && name.empty()) read_behind(at, is_plain);
  if (!is_plain) {
    name = name_until_now;
    place = place_until_now;
    return false;
  }
  read_in_front();
  return true;
}

/// "Lista nova chamada casa", which is no "list another bottle".
bool ListInSentence::is_new_behind(std::size_t at) const {
  if (at + 1 >= words_.clause_end(at)) return true;
  const auto leads_on = [&](const PhraseSet* set) { return words_.at_phrase(*set, at + 1) > 0; };
  return std::ranges::any_of(std::array{&by_.called, &by_.conjunction, &by_.with, &by_.after}, leads_on);
}

/// "Lista de la compra", "list for the supermarket", "Liste Urlaub", "lista nova".
void ListInSentence::read_behind(std::size_t at, bool& is_plain) {
  std::size_t next = at + 1;
  const auto is_same_clause = [&] {
    return next < words_.size() && words_.clause_of(next) == words_.clause_of(at);
  };
  if (is_same_clause() && words_.at_phrase(by_.one, next) > 0 && is_new_behind(next)) {
    place.end = ++next;
    is_plain = true;
  }
  if (!is_same_clause()) return;
  const std::size_t links = words_.at_phrase(by_.after, next);
  next += links;
  std::size_t end = next;
  for (std::size_t n = std::min(kLongestName, words_.size() - next); n > 0 && end == next; --n)
    if (is_known({next, next + n})) end = next + n;
  if (end == next && links == 0) end += unknown_at(next);
  if (end == next && links > 0 && next < words_.size() && words_.at_phrase(by_.noise, next) == 0)
    end = next + 1;
  if (end == next) return;
  name = Part(next, end);
  place.end = end;
  is_plain = is_plain || links > 0;
}

/// "Put that on the list": what stands before a preposition is none of the list's words.
void ListInSentence::read_in_front() {
  bool has_preposition = false;
  while (place.begin > 0 && words_.at_phrase(by_.before, place.begin - 1) > 0) {
    const bool is_article = words_.is(by_.pronoun, {place.begin - 1, place.begin});
    if (has_preposition && is_article) break;
    has_preposition = !is_article;
    --place.begin;
  }
}

}  // namespace parley::lists
