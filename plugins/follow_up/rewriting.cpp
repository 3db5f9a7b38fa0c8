#include "rewriting.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <parley/values.hpp>
#include <utility>

namespace parley::follow_up {
namespace {

constexpr std::array kTypes{SlotType::kNumber, SlotType::kDuration, SlotType::kDate, SlotType::kColor,
                            SlotType::kLanguage};
constexpr std::size_t kLongestRun = 8;
/// What follows the last preposition of a question is a name only if it is so short.
constexpr std::size_t kLongestName = 4;
/// A longer question names what it is about.
constexpr std::size_t kLongestQuestion = 7;

/// Words of the subject's utterance: from the first to behind the last.
struct Run {
  Run(std::size_t from, std::size_t to) : begin(from), end(to) {}
  std::size_t begin, end;
};

/// The subject's utterance taken apart.
class Sentence {
 public:
  Sentence(const Subject& subject, const Reader& reader)
      : subject_(subject), reader_(reader), words_(words(subject.utterance, reader.lang)) {}

  std::span<const Word> part(const Run& run) const {
    return std::span(words_).subspan(run.begin, run.end - run.begin);
  }
  std::string text(const Run& run) const { return std::string(surface(subject_.utterance, part(run))); }
  std::size_t size() const { return words_.size(); }

  /// The sentence with other words for those of the run.
  std::string with(const Run& run, std::string_view instead) const {
    const std::string& whole = subject_.utterance;
    return whole.substr(0, words_[run.begin].begin) + std::string(instead) +
           whole.substr(words_[run.end - 1].end);
  }

  /// Where a slot's value stands; the last place where it does.
  std::optional<Run> place_of(const std::string& value) const {
    const auto wanted = words(value, reader_.lang);
    if (wanted.empty() || wanted.size() > words_.size()) return std::nullopt;
    for (std::size_t at = words_.size() - wanted.size() + 1; at-- > 0;) {
      const bool same =
          std::equal(wanted.begin(), wanted.end(), words_.begin() + static_cast<std::ptrdiff_t>(at),
                     [](const Word& a, const Word& b) { return a.norm == b.norm; });
      if (same) return Run(at, at + wanted.size());
    }
    return std::nullopt;
  }

  bool reads_as(SlotType type, std::string_view value) const {
    return read_value(type, value, reader_.lang, reader_.now).has_value();
  }
  bool has_type(std::string_view value) const {
    return std::any_of(kTypes.begin(), kTypes.end(), [&](SlotType type) { return reads_as(type, value); });
  }

  /// The longest words within the run that say a value of the type, without what adds nothing to it. Of
  /// several the first, in a sentence that is no slot's the last: "what day is it today".
  std::optional<Run> typed_within(const Run& run, SlotType type, bool is_last) const {
    for (std::size_t length = std::min(kLongestRun, run.end - run.begin); length > 0; --length) {
      const std::size_t last = run.end - length;
      for (std::size_t at = run.begin; at <= last; ++at) {
        const std::size_t begin = is_last ? last - (at - run.begin) : at;
        Run found(begin, begin + length);
        const auto value = read_value(type, text(found), reader_.lang, reader_.now);
        if (!value) continue;
        while (found.end - found.begin > 1) {
          const Run less(found.begin + 1, found.end);
          if (read_value(type, text(less), reader_.lang, reader_.now) != value) break;
          found = less;
        }
        return found;
      }
    }
    return std::nullopt;
  }

  /// The time of day that a text as a whole says.
  std::optional<std::chrono::minutes> time_of(std::string_view value) const {
    const auto read = read_value(SlotType::kDate, value, reader_.lang, reader_.now);
    return read ? read->date().time : std::nullopt;
  }

  /// The fewest words within the run that say a time of day, with the preposition that goes with them.
  std::optional<Run> time_within(const Run& run) const {
    const auto time_in = [&](const Run& part) { return time_of(text(part)); };
    for (std::size_t length = 1; length <= std::min(kLongestRun, run.end - run.begin); ++length) {
      for (std::size_t at = run.begin; at + length <= run.end; ++at) {
        Run found(at, at + length);
        const auto time = time_in(found);
        const bool is_unit = length == 1 && reads_as(SlotType::kDuration, text(found));  // "heures"
        if (!time || is_unit) continue;
        // "Six" of "à six heures" says as much, but the rest of it means the same.
        const std::size_t least = found.end;
        while (found.end < run.end && time_in(Run(found.begin, found.end + 1)) == time) ++found.end;
        while (found.end > least &&
               link_at(part(Run(found.end - 1, found.end)), reader_.common, reader_.lang) > 0)
          --found.end;
        const std::size_t link = found.begin > run.begin ? link_before(found) : 0;
        if (link > 0 && time_in(Run(found.begin - link, found.end)) == time) found.begin -= link;
        return found;
      }
    }
    return std::nullopt;
  }

  /// The time of day within the run in the half of the day that `part` names: "7 in the morning" for "7 PM"
  /// and "in the morning".
  std::optional<std::pair<Run, std::string>> in_half_of_day(const Run& run, const std::string& part) const {
    if (has_type(part)) return std::nullopt;
    auto there = time_within(run);
    std::optional<std::chrono::minutes> time;
    if (there) {
      // Of "7:30 PM" the first word says a time, too.
      for (std::size_t end = run.end; end > there->end; --end)
        if (time_of(text(Run(there->begin, end)))) there->end = end;
      time = time_of(text(*there));
    } else if ((there = typed_within(run, SlotType::kNumber, false))) {  // "an alarm for 7"
      time = std::chrono::hours(
          std::lround(read_value(SlotType::kNumber, text(*there), reader_.lang, reader_.now)->number()));
    }
    for (std::size_t end = there ? there->begin + 1 : 0; time && end <= there->end; ++end) {
      std::string value = text(Run(there->begin, end)) + ' ' + part;
      const auto named = time_of(value);
      if (named && (*named - *time) % std::chrono::hours(12) == std::chrono::minutes(0))
        return std::pair(*there, std::move(value));
    }
    return std::nullopt;
  }

  /// How well a value with that preposition fits in place of the run: the same stands before it or begins it.
  int fit(const Run& run, std::span<const Word> link) const {
    const auto same = [](const Word& a, const Word& b) { return a.norm == b.norm; };
    const auto begins = [&](std::size_t at) {
      const auto there = part(Run(at, words_.size()));
      return there.size() >= link.size() && std::equal(link.begin(), link.end(), there.begin(), same);
    };
    if (!link.empty() && ((run.begin >= link.size() && begins(run.begin - link.size())) || begins(run.begin)))
      return 2;
    return is_linked(run) == !link.empty() ? 1 : 0;
  }

  /// Whether that behind a date is a date with it, and another one alone: "Easter", "next year".
  bool is_completed(const Run& run, const std::string& value) const {
    const auto read = [&](const std::string& date) {
      return read_value(SlotType::kDate, date, reader_.lang, reader_.now);
    };
    const auto both = read(text(run) + ' ' + value);
    return both && both != read(value);
  }

  /// Prepositions that end where the run begins: how many words.
  std::size_t link_before(const Run& run) const {
    for (std::size_t n = std::min<std::size_t>(2, run.begin); n > 0; --n)
      if (link_at(part(Run(run.begin - n, run.end)), reader_.common, reader_.lang) == n) return n;
    return 0;
  }

  /// The run with the article before it, where the value that takes its place has one of its own.
  Run without_article(Run run, std::span<const Word> value) const {
    const bool is_double = run.begin > 0 && is_article(value.front()) && is_article(words_[run.begin - 1]);
    if (is_double) --run.begin;
    return run;
  }

  /// Whether a preposition stands before the run, an article or so between them.
  bool is_linked(const Run& run) const {
    for (std::size_t n = std::min<std::size_t>(3, run.begin); n > 0; --n)
      if (link_at(part(Run(run.begin - n, run.begin)), reader_.common, reader_.lang) > 0) return true;
    return false;
  }

  /// What a question is about, as far as its words tell: what follows its last preposition, else the last
  /// word, without what may stand behind a name ("what does frugal mean").
  std::optional<Run> topic() const {
    const std::size_t end = words_.size() - end_at(words_, reader_.common, reader_.lang);
    for (std::size_t at = end; at-- > 1;) {
      const std::size_t n = link_at(part(Run(at, end)), reader_.common, reader_.lang);
      if (n == 0) continue;
      const std::size_t begin = at + n;
      if (begin < end && end - begin <= kLongestName) return Run(begin, end);
      return std::nullopt;
    }
    if (words_.size() < 3 || end == 0) return std::nullopt;
    return Run(end - 1, end);
  }

 private:
  bool is_article(const Word& word) const {
    return reader_.common.vocabulary_equals(reader_.lang, "follow_up_article", std::span(&word, 1));
  }

  const Subject& subject_;
  const Reader& reader_;
  std::vector<Word> words_;
};

struct Slot {
  Slot(std::string id, Run where) : name(std::move(id)), run(where) {}
  std::string name;
  Run run;
};

/// The slots whose values are in the utterance, the last one first.
std::vector<Slot> slots_of(const Subject& subject, const Sentence& sentence) {
  std::vector<Slot> slots;
  for (const auto& [name, value] : subject.slots)
    if (const auto run = sentence.place_of(value)) slots.emplace_back(name, *run);
  std::sort(slots.begin(), slots.end(),
            [](const Slot& a, const Slot& b) { return a.run.begin > b.run.begin; });
  return slots;
}

/// The value that was named last: what "it" and "there" stand for.
std::optional<std::string> topic_of(const Subject& subject, const Sentence& sentence) {
  if (subject.is_question) {
    const auto topic = sentence.topic();
    // Of numbers what is asked about is the result, which only the skill knows.
    if (!topic || sentence.has_type(sentence.text(*topic))) return std::nullopt;
    return sentence.text(*topic);
  }
  for (const Slot& slot : slots_of(subject, sentence))
    if (!sentence.has_type(sentence.text(slot.run))) return sentence.text(slot.run);
  return std::nullopt;
}

/// Without what joins it to what was said before.
std::span<const Word> without_and(std::span<const Word> said, const Reader& reader) {
  while (said.size() > 1 && reader.common.vocabulary_equals(reader.lang, "follow_up_and", said.first(1)))
    said = said.subspan(1);
  return said;
}

Rewriting exchanged(const Sentence& sentence, const Run& run, const std::string& value,
                    const std::string& slot) {
  Rewriting made;
  made.text = sentence.with(run, value);
  made.slot = slot;
  made.value = value;
  return made;
}

/// "Set a timer" – "for how long?" – "ten minutes" – "make that eleven": as if it had been said at once.
std::vector<Rewriting> of_answers(const Subject& subject, const Ellipsis& said, std::string_view text,
                                  const Reader& reader) {
  if (subject.answers.empty()) return {};
  Subject whole = subject;
  whole.utterance.append(" ").append(whole.answers);
  whole.slots.insert_or_assign("answers", std::exchange(whole.answers, {}));
  auto found = rewritings(whole, said, text, reader);
  std::erase_if(found, [](const Rewriting& one) { return !one.typed; });
  return found;
}

}  // namespace

std::vector<Rewriting> rewritings(const Subject& subject, const Ellipsis& said, std::string_view text,
                                  const Reader& reader) {
  if (auto found = of_answers(subject, said, text, reader); !found.empty()) return found;
  const Sentence sentence(subject, reader);
  const std::size_t link = link_at(said.rest, reader.common, reader.lang);
  const std::string value(surface(text, said.rest.subspan(link)));
  const std::string whole(surface(text, said.rest));
  std::vector<Slot> slots = slots_of(subject, sentence);
  std::vector<Rewriting> found;
  bool typed = false;
  // "No, at seven": its number may be another one than that of "half past six".
  const auto time = read_value(SlotType::kDate, whole, reader.lang, reader.now);
  const bool is_time = link > 0 && time && time->date().time;
  for (const Slot& slot : slots) {
    const auto run = is_time ? sentence.time_within(slot.run) : std::nullopt;
    if (!run) continue;
    typed = true;
    found.push_back(exchanged(sentence, *run, whole, slot.name));
    found.back().typed = true;
  }
  for (const Slot& slot : slots) {
    const auto other = said.corrects() ? sentence.in_half_of_day(slot.run, whole) : std::nullopt;
    if (!other) continue;
    typed = true;
    found.push_back(exchanged(sentence, other->first, other->second, slot.name));
    found.back().typed = true;
  }
  const bool has_slots = !slots.empty();
  // What a template names itself may be exchanged as well, where the intent takes that: "today".
  if (sentence.size() > 0) slots.emplace_back("", Run(0, sentence.size()));
  for (const SlotType type : kTypes) {
    if (!sentence.reads_as(type, value)) continue;
    typed = true;
    for (const Slot& slot : slots) {
      const bool is_last = slot.name.empty() && !subject.is_question;
      const auto run = sentence.typed_within(slot.run, type, is_last);
      if (!run) continue;
      if (type == SlotType::kDate && sentence.is_completed(*run, value)) {
        found.push_back(exchanged(sentence, *run, sentence.text(*run) + ' ' + value, slot.name));
        found.back().typed = true;
      }
      found.push_back(exchanged(sentence, *run, value, slot.name));
      found.back().typed = true;
    }
  }
  if (!typed && subject.is_question) {
    auto topic = sentence.topic();
    if (topic && link > 0) topic->begin -= sentence.link_before(*topic);
    if (topic) found.push_back(exchanged(sentence, sentence.without_article(*topic, said.rest), whole, ""));
  } else if (!typed) {
    // "And eggs" is what was added, "and to the other one" where to, and "et du beurre" is as "du lait" was.
    if (!slots.empty() && slots.back().name.empty()) slots.pop_back();
    std::stable_sort(slots.begin(), slots.end(), [&](const Slot& a, const Slot& b) {
      return sentence.fit(a.run, said.rest.first(link)) > sentence.fit(b.run, said.rest.first(link));
    });
    for (const Slot& slot : slots)
      if (!sentence.has_type(sentence.text(slot.run)))
        found.push_back(exchanged(sentence, slot.run, value, slot.name));
  }
  if (!subject.is_question && (link > 0 || !has_slots) && !said.corrects()) {
    Rewriting longer;
    longer.text = subject.utterance;
    while (!longer.text.empty() &&
           std::string_view(" ?!.,").find(longer.text.back()) != std::string_view::npos)
      longer.text.pop_back();
    longer.text += ' ' + whole;
    longer.value = value;
    longer.added = true;
    found.push_back(std::move(longer));
  }
  return found;
}

std::optional<std::string> resolved(const Subject& subject, const Pronoun& pronoun,
                                    std::span<const Word> said, std::string_view text, const Reader& reader) {
  auto value = topic_of(subject, Sentence(subject, reader));
  if (!value) return std::nullopt;
  if (pronoun.is_place)
    value = reader.common.render("follow_up_there", reader.lang, {{"place", *value}}).text;
  std::string whole(text.substr(0, said[pronoun.begin].begin));
  whole += *value;
  return whole.append(text.substr(said[pronoun.end - 1].end));
}

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
  const std::vector<Word> all = words(text, reader.lang);
  const auto said = without_and(all, reader);
  const auto* const prepositions = reader.common.vocabulary(reader.lang, "follow_up_topic");
  const auto topic = topic_of(subject, Sentence(subject, reader));
  if (said.empty() || said.size() > kLongestQuestion || !topic || prepositions == nullptr) return {};
  const std::string question(surface(text, said));
  const auto named = words(*topic, reader.lang);
  const auto same = [](const Word& a, const Word& b) { return a.norm == b.norm; };
  if (std::search(said.begin(), said.end(), named.begin(), named.end(), same) != said.end()) return {};
  std::vector<std::string> meant;
  for (const std::string& preposition : *prepositions)
    meant.push_back(question + ' ' + preposition + ' ' + *topic);
  return meant;
}

}  // namespace parley::follow_up
