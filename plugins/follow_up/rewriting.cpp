#include "rewriting.hpp"

#include <algorithm>
#include <utility>

#include "sentence.hpp"

namespace parley::follow_up {
namespace {

Rewriting exchanged(const Sentence& sentence, const Run& run, const std::string& value,
                    const std::string& slot) {
  Rewriting made;
  made.text = sentence.with(run, value);
  made.slot = slot;
  made.value = value;
  return made;
}

/// How many days from the one that was said: 1 for "the day after".
int day_step(std::span<const Word> said, const Reader& reader) {
  if (reader.common.vocabulary_equals(reader.lang, "follow_up_day_after", said)) return 1;
  return reader.common.vocabulary_equals(reader.lang, "follow_up_day_before", said) ? -1 : 0;
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
  auto slots = slots_of(subject, sentence);
  std::vector<Rewriting> found;
  bool typed = false;
  // "No, at seven": its number may be another one than that of "half past six".
  const auto time = read_value(SlotType::kDate, whole, reader.lang, reader.now);
  const bool is_time = link > 0 && time && time->date().time;
  for (const auto& [name, place] : slots) {
    const auto run = is_time ? sentence.time_within(place) : std::nullopt;
    if (!run) continue;
    typed = true;
    found.push_back(exchanged(sentence, *run, whole, name));
    found.back().typed = true;
  }
  for (const auto& [name, place] : slots) {
    const auto other = said.corrects() ? sentence.in_half_of_day(place, whole) : std::nullopt;
    if (!other) continue;
    typed = true;
    found.push_back(exchanged(sentence, other->first, other->second, name));
    found.back().typed = true;
  }
  const bool has_slots = !slots.empty();
  // What a template names itself may be exchanged as well, where the intent takes that: "today".
  if (sentence.size() > 0) slots.emplace_back("", Run(0, sentence.size()));
  const int days = day_step(said.rest, reader);
  for (const auto& [name, place] : slots) {
    const auto day = days == 0 ? std::nullopt : sentence.days_from(place, days, name.empty());
    if (!day) continue;
    typed = true;
    found.push_back(exchanged(sentence, day->first, day->second, name));
    found.back().typed = true;
  }
  for (const SlotType type : kTypes) {
    if (!sentence.reads_as(type, value)) continue;
    typed = true;
    for (const auto& [name, place] : slots) {
      const bool is_last = name.empty() && !subject.is_question;
      const auto run = sentence.typed_within(place, type, is_last);
      if (!run) continue;
      if (type == SlotType::kDate && sentence.is_completed(*run, value)) {
        found.push_back(exchanged(sentence, *run, sentence.text(*run) + ' ' + value, name));
        found.back().typed = true;
      }
      found.push_back(exchanged(sentence, *run, value, name));
      found.back().typed = true;
    }
  }
  if (!typed && subject.is_question) {
    auto topic = sentence.topic();
    if (topic && link > 0) topic->begin -= sentence.link_before(*topic);
    if (topic) found.push_back(exchanged(sentence, sentence.without_article(*topic, said.rest), whole, ""));
  } else if (!typed) {
    // "And eggs" is what was added, "and to the other one" where to, and "et du beurre" is as "du lait" was.
    if (!slots.empty() && slots.back().first.empty()) slots.pop_back();
    std::stable_sort(slots.begin(), slots.end(), [&](const auto& a, const auto& b) {
      return sentence.fit(a.second, said.rest.first(link)) > sentence.fit(b.second, said.rest.first(link));
    });
    for (const auto& [name, place] : slots)
      if (!sentence.has_type(sentence.text(place)))
        found.push_back(exchanged(sentence, place, value, name));
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

}  // namespace parley::follow_up
