#include "rewriting.hpp"

#include <algorithm>
#include <cmath>
#include <parley/numbers.hpp>
#include <utility>

#include "sentence.hpp"

namespace parley::follow_up {
namespace {

constexpr double kHours = 24, kMinutes = 60;
constexpr double kShortMinute = 10;  ///< "Seven five" is no time.

/// The hour and minute of two numbers, "seven thirty"; else as it is.
std::string as_clock(const std::string& value, const Reader& reader) {
  const std::vector<Word> said = words(value, reader.lang);
  for (std::size_t count = 1; count < said.size(); ++count) {
    const auto hour = leading_number(std::span(said).first(count), reader.lang);
    const auto minute = leading_number(std::span(said).subspan(count), reader.lang);
    const bool is_clock = hour && hour->words == count && hour->value < kHours && minute &&
                          minute->words + count == said.size() && minute->value >= kShortMinute &&
                          minute->value < kMinutes;
    if (is_clock)
      return std::to_string(std::lround(hour->value)) + ':' + std::to_string(std::lround(minute->value));
  }
  return value;
}

bool names_day(const std::string& text, const Reader& reader) {
  Subject said;
  said.utterance = text;
  const Sentence sentence(said, reader);
  return sentence.day_within(Run(0, sentence.size())).has_value();
}

/// How many days from the one that was said: 1 for "the day after".
int day_step(std::span<const Word> said, const Reader& reader) {
  if (reader.common.vocabulary_equals(reader.lang, "follow_up_day_after", said)) return 1;
  return reader.common.vocabulary_equals(reader.lang, "follow_up_day_before", said) ? -1 : 0;
}

/// What one ellipsis may mean in one sentence.
class Rewriter {
 public:
  Rewriter(const Subject& subject, const Ellipsis& said, std::string_view text, const Reader& reader)
      : subject_(subject),
        said_(said),
        reader_(reader),
        sentence_(subject, reader),
        slots_(slots_of(subject, sentence_)),
        link_(link_at(said.rest, reader.common, reader.lang)) {
    const std::string verbatim(surface(text, said.rest.subspan(link_)));
    const bool has_time = std::any_of(slots_.begin(), slots_.end(), [&](const auto& slot) {
      return sentence_.time_within(slot.second).has_value();
    });
    value_ = has_time ? as_clock(verbatim, reader) : verbatim;
    is_clock_ = value_ != verbatim;
    is_number_ = !is_clock_ && sentence_.reads_as(SlotType::kNumber, value_);
    whole_ = link_ == 0 ? value_ : std::string(surface(text, said.rest.first(link_))) + ' ' + value_;
  }

  std::vector<Rewriting> all() {
    const bool has_slots = !slots_.empty();
    exchange_times();
    exchange_hours();
    if (said_.corrects()) exchange_half_of_day();
    exchange_days();
    // What a template names itself may be exchanged as well, where the intent takes that: "today".
    if (sentence_.size() > 0) slots_.emplace_back("", Run(0, sentence_.size()));
    step_days();
    exchange_types();
    if (!is_typed_ && subject_.is_question) {
      exchange_topic();
    } else if (!is_typed_) {
      exchange_words();
    }
    if (!subject_.is_question && (link_ > 0 || !has_slots) && !said_.corrects()) add();
    return std::move(found_);
  }

 private:
  void exchange(const Run& run, const std::string& value, const std::string& slot) {
    Rewriting made;
    made.text = sentence_.with(run, value);
    made.slot = slot;
    made.value = value;
    found_.push_back(std::move(made));
  }
  void exchange_typed(const Run& run, const std::string& value, const std::string& slot) {
    exchange(run, value, slot);
    found_.back().typed = is_typed_ = true;
  }

  /// "No, at seven": its number may be another one than that of "half past six".
  void exchange_times() {
    const auto time = read_value(SlotType::kDate, whole_, reader_.lang, reader_.now);
    const bool is_said = time && time->date().time && (link_ > 0 || !is_number_) &&
                         !sentence_.reads_as(SlotType::kDuration, value_) && !names_day(whole_, reader_);
    if (!is_clock_ && !is_said) return;
    for (const auto& [name, place] : slots_) {
      auto run = sentence_.time_within(place);
      if (!run) continue;
      if (link_ == 0) run->begin += link_at(sentence_.part(*run), reader_.common, reader_.lang);
      exchange_typed(*run, whole_, name);
    }
  }

  /// "No, seven" of "half past six", whose minutes go as well; of a lone "six" it is a number like others.
  void exchange_hours() {
    const auto number = read_value(SlotType::kNumber, value_, reader_.lang, reader_.now);
    const double hour = number ? number->number() : -1;
    if (!is_number_ || link_ > 0 || hour < 0 || hour >= kHours || hour != std::floor(hour)) return;
    for (const auto& [name, place] : slots_) {
      auto run = sentence_.time_within(place);
      const auto said = sentence_.typed_within(place, SlotType::kNumber, false);
      if (!run || is_span(*run) || (said && (said->begin < run->begin || said->end > run->end))) continue;
      run->begin += link_at(sentence_.part(*run), reader_.common, reader_.lang);
      const std::size_t from = run->begin - sentence_.link_before(*run);
      const std::string link = sentence_.text(Run(from, run->begin));
      while (run->end - run->begin > 1 && is_same_hour(Run(from, run->end - 1), Run(from, run->end)))
        --run->end;
      if (said && run->end - run->begin < 2) continue;
      const bool is_time = sentence_.time_of(link + ' ' + value_).has_value();
      exchange_typed(*run, is_time ? value_ : std::to_string(std::lround(hour)) + ":00", name);
    }
  }
  /// "At six" and "at six PM".
  bool is_same_hour(const Run& one, const Run& other) const {
    const auto first = sentence_.time_of(sentence_.text(one)),
               second = sentence_.time_of(sentence_.text(other));
    return first && second && (*first - *second) % std::chrono::hours(12) == std::chrono::minutes(0);
  }
  /// "Ten minutes": the time is another one when it is said later.
  bool is_span(const Run& time) const {
    const std::string text = sentence_.text(time);
    return sentence_.time_of(text) != sentence_.time_of(text, std::chrono::minutes(1));
  }

  /// "No, in the morning".
  void exchange_half_of_day() {
    for (const auto& [name, place] : slots_)
      if (const auto other = sentence_.in_half_of_day(place, whole_))
        exchange_typed(other->first, other->second, name);
  }

  /// "No, on Friday": at the time that was said for tomorrow.
  void exchange_days() {
    const auto day = read_value(SlotType::kDate, value_, reader_.lang, reader_.now);
    if (!day || day->date().time || is_number_) return;
    for (const auto& [name, place] : slots_) {
      const auto run = sentence_.day_within(place);
      if (run && sentence_.time_within(place)) exchange_typed(*run, value_, name);
    }
  }

  /// "And the day after".
  void step_days() {
    const int days = day_step(said_.rest, reader_);
    if (days == 0) return;
    for (const auto& [name, place] : slots_)
      if (const auto day = sentence_.days_from(place, days, name.empty()))
        exchange_typed(day->first, day->second, name);
  }

  void exchange_types() {
    for (const SlotType type : kTypes) {
      if (!sentence_.reads_as(type, value_)) continue;
      is_typed_ = true;
      for (const auto& [name, place] : slots_) {
        const auto run = sentence_.typed_within(place, type, name.empty() && !subject_.is_question);
        if (!run) continue;
        if (type == SlotType::kDate && sentence_.is_completed(*run, value_))
          exchange_typed(*run, sentence_.text(*run) + ' ' + value_, name);
        exchange_typed(*run, value_, name);
      }
    }
  }

  void exchange_topic() {
    auto topic = sentence_.topic();
    if (!topic) return;
    if (link_ > 0) topic->begin -= sentence_.link_before(*topic);
    exchange(sentence_.without_article(*topic, said_.rest), whole_, "");
  }

  /// "And eggs" is what was added, "and to the other one" where to, and "et du beurre" is as "du lait" was.
  void exchange_words() {
    if (!slots_.empty() && slots_.back().first.empty()) slots_.pop_back();
    std::stable_sort(slots_.begin(), slots_.end(), [&](const auto& a, const auto& b) {
      return sentence_.fit(a.second, said_.rest.first(link_)) >
             sentence_.fit(b.second, said_.rest.first(link_));
    });
    for (const auto& [name, place] : slots_)
      if (!sentence_.has_type(sentence_.text(place)))
        exchange(place, with_time_of(place).value_or(value_), name);
  }
  /// "And at nine to water the flowers" behind "tomorrow at eight to call mum": on that day as well.
  std::optional<std::string> with_time_of(const Run& place) const {
    Subject said;
    said.utterance = whole_;
    const Sentence rest(said, reader_);
    const Run all(0, rest.size());
    if (!sentence_.time_within(place) || !rest.time_within(all)) return std::nullopt;
    const auto day = sentence_.day_within(place);
    return day && !rest.day_within(all) ? sentence_.text(*day) + ' ' + whole_ : whole_;
  }

  void add() {
    Rewriting longer;
    longer.text = subject_.utterance;
    while (!longer.text.empty() &&
           std::string_view(" ?!.,").find(longer.text.back()) != std::string_view::npos)
      longer.text.pop_back();
    longer.text += ' ' + whole_;
    longer.value = value_;
    longer.added = true;
    found_.push_back(std::move(longer));
  }

  const Subject& subject_;
  const Ellipsis& said_;
  const Reader& reader_;
  const Sentence sentence_;
  std::vector<std::pair<std::string, Run>> slots_;
  const std::size_t link_;  ///< Words of the preposition before the value.
  std::string value_;
  std::string whole_;      ///< With the preposition.
  bool is_clock_ = false;  ///< "Seven thirty".
  bool is_number_ = false;
  bool is_typed_ = false;
  std::vector<Rewriting> found_;
};

/// "Set a timer" – "for how long?" – "ten minutes" – "make that eleven": as if it had been said at once.
std::vector<Rewriting> of_answers(const Subject& subject, const Ellipsis& said, std::string_view text,
                                  const Reader& reader) {
  if (subject.answers.empty()) return {};
  Subject whole = subject;
  whole.utterance.append(" ").append(whole.answers);
  whole.slots.insert_or_assign("answers", std::exchange(whole.answers, {}));
  auto found = Rewriter(whole, said, text, reader).all();
  std::erase_if(found, [](const Rewriting& one) { return !one.typed; });
  return found;
}

}  // namespace

std::vector<Rewriting> rewritings(const Subject& subject, const Ellipsis& said, std::string_view text,
                                  const Reader& reader) {
  if (auto found = of_answers(subject, said, text, reader); !found.empty()) return found;
  return Rewriter(subject, said, text, reader).all();
}

}  // namespace parley::follow_up
