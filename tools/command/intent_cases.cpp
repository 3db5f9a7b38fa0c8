#include "intent_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <parley/language.hpp>
#include <parley/templates.hpp>

#include "lines.hpp"
#include "table.hpp"

namespace parley::command {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string_view stripped(std::string_view text) {
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// Where the next `, name=` begins; a comma alone belongs to the value.
std::size_t next_slot(std::string_view text, std::size_t from) {
  for (auto comma = text.find(',', from); comma != std::string_view::npos;
       comma = text.find(',', comma + 1)) {
    const auto rest = text.substr(comma + 1);
    const auto equals = rest.find('=');
    if (equals != std::string_view::npos && is_slot_name(stripped(rest.substr(0, equals)))) return comma;
  }
  return text.size();
}

/// The reader of one file; what it can't read it tells and leaves out.
class Reader {
 public:
  explicit Reader(std::string_view name) : name_(name) {}

  void line(std::string_view text) {
    ++number_;
    const auto line = stripped(text);
    if (line.empty() || line.front() == '#') return;
    if (line.front() == '@') return directive(stripped(line.substr(1)));
    const auto bar = line.find('|');
    if (bar == std::string_view::npos)
      return problem("expected `skill:intent {slot=value} | what is said`, with `-` for nobody");
    IntentCase one;
    one.line = number_;
    one.lang = lang_;
    one.utterance = stripped(line.substr(bar + 1));
    if (one.utterance.empty()) return problem("nothing is said: expected an utterance behind the `|`");
    if (const auto bad = line_problem(one.utterance)) return problem(*bad);
    if (expectation(stripped(line.substr(0, bar)), one)) read_.cases.push_back(std::move(one));
  }

  IntentCases take() { return std::move(read_); }

 private:
  void problem(std::string_view what) {
    read_.problems.push_back(fmt::format("{}:{}: {}", name_, number_, what));
  }

  void directive(std::string_view text) {
    constexpr std::string_view kLang = "lang";
    const auto tag = text.starts_with(kLang) ? stripped(text.substr(kLang.size())) : std::string_view();
    if (!is_language_tag(tag)) return problem("expected `@ lang TAG`, as in `@ lang de-DE`");
    lang_ = tag;
  }

  bool expectation(std::string_view text, IntentCase& one) {
    const auto brace = text.find('{');
    const auto intent = stripped(text.substr(0, brace));
    if (intent != "-") {
      const auto colon = intent.find(':');
      const bool named = colon != std::string_view::npos && colon > 0 && colon + 1 < intent.size();
      if (!named || intent.find_first_of(kSpace) != std::string_view::npos) {
        problem(
            fmt::format("{} is no intent: expected skill:intent, as in timer.parley:set, or `-` for nobody",
                        in_quotes(intent)));
        return false;
      }
      one.expected.intent = intent;
    }
    if (brace == std::string_view::npos) return true;
    if (!text.ends_with('}')) {
      problem("'{' is never closed: expected {slot=value, slot=value} before the `|`");
      return false;
    }
    one.slots_matter = true;
    return slots(stripped(text.substr(brace + 1, text.size() - brace - 2)), one.expected);
  }

  bool slots(std::string_view text, IntentOutcome& expected) {
    while (!text.empty()) {
      const auto end = next_slot(text, 0);
      const auto pair = text.substr(0, end);
      const auto equals = pair.find('=');
      const auto name = stripped(pair.substr(0, equals));
      if (equals == std::string_view::npos || !is_slot_name(name)) {
        problem(fmt::format("{} is no slot: expected slot=value", in_quotes(stripped(pair))));
        return false;
      }
      expected.slots[std::string(name)] = stripped(pair.substr(equals + 1));
      text = end == text.size() ? std::string_view() : text.substr(end + 1);
    }
    return true;
  }

  std::string name_, lang_;
  std::size_t number_ = 0;
  IntentCases read_;
};

std::string shown(const std::string& intent) {
  return intent.empty() ? "-" : intent;
}

}  // namespace

std::string to_text(const IntentOutcome& outcome) {
  std::string slots;
  for (const auto& [name, value] : outcome.slots)
    slots += fmt::format("{}{}={}", slots.empty() ? "" : ", ", name, value);
  return shown(outcome.intent) + (slots.empty() ? "" : " {" + slots + "}");
}

IntentCases read_intent_cases(std::string_view name, std::string_view text) {
  Reader reader(name);
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    reader.line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.take();
}

std::string IntentTally::add(const IntentCase& one, const IntentOutcome& got) {
  ++cases_;
  const bool right = one.expected.intent == got.intent;
  if (right) ++right_intent_;
  if (!right) ++confusions_[{one.expected.intent, got.intent}];
  if (right && (!one.slots_matter || one.expected.slots == got.slots)) {
    ++good_;
    return {};
  }
  return fmt::format("    expected  {}\n    got       {}\n", to_text(one.expected), to_text(got));
}

std::string IntentTally::report(const Paint& paint) const {
  const auto line = fmt::format("{} case{}: {} as expected", cases_, cases_ == 1 ? "" : "s", good_);
  if (all_good()) return paint.green(line) + "\n";
  std::string out = paint.red(fmt::format("{}, {} with another intent, {} with other slots", line,
                                          cases_ - right_intent_, right_intent_ - good_)) +
                    "\n";
  if (confusions_.empty()) return out;
  std::vector<std::pair<std::size_t, std::pair<std::string, std::string>>> by_count;
  for (const auto& [pair, count] : confusions_) by_count.emplace_back(count, pair);
  std::stable_sort(by_count.begin(), by_count.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  Table table({"EXPECTED", "", "GOT", "TIMES"});
  for (const auto& [count, pair] : by_count)
    table.add({shown(pair.first), "->", shown(pair.second), std::to_string(count)});
  return out + "\n" + table.text(paint);
}

}  // namespace parley::command
