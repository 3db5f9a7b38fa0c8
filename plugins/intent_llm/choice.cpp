#include "choice.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/json.hpp>
#include <parley/language.hpp>
#include <parley/phrases.hpp>
#include <parley/text.hpp>
#include <parley/values.hpp>
#include <span>
#include <stdexcept>
#include <utility>

#include "phrases_of.hpp"

namespace parley::intent_llm {
namespace {

constexpr std::size_t kLongestValue = 512;  // bytes
/// Longer parts of an utterance say no number, duration or date.
constexpr std::size_t kLongestTyped = 12;  // words

/// Why a choice does not count.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string quoted(const std::string& text) {
  return '"' + text.substr(0, kLongestValue) + '"';
}

/// Where words stand among others.
struct Part {
  Part(std::size_t from, std::size_t to) : begin(from), end(to) {}
  std::size_t begin, end;
};

std::optional<Part> find_words(std::span<const Word> among, std::span<const Word> wanted) {
  if (wanted.empty()) return std::nullopt;
  const auto at = std::search(among.begin(), among.end(), wanted.begin(), wanted.end(),
                              [](const Word& a, const Word& b) { return a.norm == b.norm; });
  if (at == among.end()) return std::nullopt;
  const auto begin = static_cast<std::size_t>(at - among.begin());
  return Part(begin, begin + wanted.size());
}

/// One function that the model calls.
class Call {
 public:
  Call(const Json& call, const Offer& offer) : offer_(offer) {
    const auto function = call.find("function");
    if (function == call.end() || !function->is_object()) throw Refused("a call without a function");
    const auto name = function->find("name");
    const auto written = function->find("arguments");
    if (name == function->end() || !name->is_string()) throw Refused("a call without a name");
    tool_ = find_tool(name->get_ref<const std::string&>());
    if (written == function->end() || !written->is_string()) throw Refused("its arguments are no text");
    auto read = parse_json(written->get_ref<const std::string&>());
    if (!read || !read->is_object()) throw Refused("its arguments are no JSON object");
    arguments_ = std::move(*read);
    for (const auto& [key, value] : arguments_.items()) check(key, value);
  }

  const Tool& tool() const noexcept { return *tool_; }

  /// What is given for an argument; nothing: null, blank, or left out.
  std::optional<std::string> value(const std::string& argument) const {
    const auto found = arguments_.find(argument);
    if (found == arguments_.end() || found->is_null()) return std::nullopt;
    const auto& text = found->get_ref<const std::string&>();
    if (words(text, offer_.lang).empty()) return std::nullopt;
    return text;
  }

 private:
  const Tool* find_tool(const std::string& name) const {
    const auto found = std::find_if(offer_.tools.begin(), offer_.tools.end(),
                                    [&name](const Tool& one) { return one.name == name; });
    if (found == offer_.tools.end()) throw Refused("there is no function " + quoted(name));
    return &*found;
  }

  void check(const std::string& key, const Json& value) const {
    const bool is_known =
        key == kQuote || std::any_of(tool_->arguments.begin(), tool_->arguments.end(),
                                     [&key](const Argument& one) { return one.name == key; });
    if (!is_known) throw Refused("the function has no argument " + quoted(key));
    if (!value.is_null() && !value.is_string()) throw Refused("its argument " + quoted(key) + " is no text");
    if (value.is_string() && value.get_ref<const std::string&>().size() > kLongestValue)
      throw Refused("its argument " + quoted(key) + " is too long");
  }

  const Offer& offer_;
  const Tool* tool_ = nullptr;
  Json arguments_;
};

/// Holds calls against what was offered and what the user said.
class Judge {
 public:
  Judge(const Offer& offer, const std::vector<std::string>& earlier, std::chrono::local_seconds wall)
      : offer_(offer), earlier_(earlier), wall_(wall), said_(words(offer.utterance, offer.lang)) {}

  /// @param alone  no other call is made, so that the whole utterance is its own
  void take(const Call& call, bool alone, Choice& choice) {
    const Tool& tool = call.tool();
    const Part part = quote_of(call);
    Slots own;
    for (const Argument& slot : tool.arguments) {
      const auto given = call.value(slot.name);
      if (given) own.emplace(slot.name, words_for(tool, slot, *given));
      if (!given && slot.needed) throw Refused("it leaves out " + quoted(slot.name));
    }
    check_groups(tool, own);
    const auto place = std::span(said_).subspan(part.begin, part.end - part.begin);
    const IntentRegistration& intent = *tool.intent;
    const bool same = same_language(intent.lang, offer_.lang);  // then spelled as the turn spells it
    Match match(intent.skill_id, intent.intent_name, same ? offer_.lang : intent.lang,
                alone ? offer_.utterance : std::string(surface(offer_.utterance, place)));
    match.slots = own;
    match.slots.insert(tool.from_context.begin(), tool.from_context.end());
    choice.parts.push_back(std::move(match));
    choice.own_slots.push_back(std::move(own));
  }

 private:
  /// Each call has words of its own in the utterance: what the user did not ask for has none.
  Part quote_of(const Call& call) {
    const auto quote = call.value(kQuote);
    if (!quote) throw Refused("it quotes nothing that was said");
    const auto part = find_words(said_, words(*quote, offer_.lang));
    if (!part) throw Refused("nobody said " + quoted(*quote));
    for (const Part& other : parts_)
      if (part->begin < other.end && other.begin < part->end)
        throw Refused("two functions for the same words " + quoted(*quote));
    parts_.push_back(*part);
    return *part;
  }

  /// The slot's value in the user's own words (T-0), or a listed one.
  std::string words_for(const Tool& tool, const Argument& slot, const std::string& given) const {
    const std::vector<Word> wanted = words(given, offer_.lang);
    forbid(tool, slot, wanted);
    if (const auto listed = listed_value(slot, wanted)) return *listed;
    if (slot.closed) throw Refused(quoted(given) + " is no value of " + quoted(slot.name));
    if (slot.type != SlotType::kNone && !read_value(slot.type, given, offer_.lang, wall_))
      throw Refused(quoted(given) + " is no " + std::string(to_string(slot.type)));
    if (const auto part = find_words(said_, wanted))
      return std::string(surface(offer_.utterance, std::span(said_).subspan(part->begin, wanted.size())));
    if (auto same = words_of_value(slot.type, given)) return *same;
    for (const std::string& before : earlier_) {
      const std::vector<Word> heard = words(before, offer_.lang);
      if (const auto part = find_words(heard, wanted))
        return std::string(surface(before, std::span(heard).subspan(part->begin, wanted.size())));
    }
    throw Refused("nobody said " + quoted(given) + " for " + quoted(slot.name));
  }

  /// T-6
  void forbid(const Tool& tool, const Argument& slot, std::span<const Word> wanted) const {
    const auto* const sentences = std::get_if<TemplateIntent>(&tool.intent->pattern);
    if (sentences == nullptr) return;
    const auto values = sentences->slot_blacklist.find(slot.name);
    if (values == sentences->slot_blacklist.end()) return;
    if (PhraseSet(phrases_of(values->second), offer_.lang).equals(wanted))
      throw Refused("its slot " + quoted(slot.name) + " must not have that value");
  }

  std::optional<std::string> listed_value(const Argument& slot, std::span<const Word> wanted) const {
    for (const std::string& value : slot.listed) {
      const std::vector<Word> listed = words(value, offer_.lang);
      if (listed.size() == wanted.size() && find_words(listed, wanted)) return value;
    }
    return std::nullopt;
  }

  /// The words of the utterance that say the same: "a quarter of an hour" where the model writes "15
  /// minutes".
  std::optional<std::string> words_of_value(SlotType type, const std::string& given) const {
    if (type == SlotType::kNone) return std::nullopt;
    const auto value = read_value(type, given, offer_.lang, wall_);
    for (std::size_t length = std::min(said_.size(), kLongestTyped); length > 0; --length) {
      for (std::size_t at = 0; at + length <= said_.size(); ++at) {
        std::string part(surface(offer_.utterance, std::span(said_).subspan(at, length)));
        if (read_value(type, part, offer_.lang, wall_) == value) return part;
      }
    }
    return std::nullopt;
  }

  /// one of each group.
  static void check_groups(const Tool& tool, const Slots& given) {
    const auto* const keywords = std::get_if<KeywordIntent>(&tool.intent->pattern);
    if (keywords == nullptr) return;
    for (const auto& group : keywords->one_of) {
      const bool has_one = std::any_of(
          group.begin(), group.end(), [&](const KeywordVocabulary& one) { return given.contains(one.name); });
      if (!has_one && !group.empty()) throw Refused("it leaves out " + quoted(group.front().name));
    }
  }

  const Offer& offer_;
  const std::vector<std::string>& earlier_;
  const std::chrono::local_seconds wall_;
  const std::vector<Word> said_;
  std::vector<Part> parts_;  ///< Of the utterance, that are spoken for.
};

}  // namespace

Choice choice_of(const Json& message, const Offer& offer, const std::vector<std::string>& earlier,
                 std::chrono::local_seconds wall) {
  Choice choice;
  const auto calls = message.find("tool_calls");
  if (calls == message.end() || calls->is_null() || calls->empty()) return choice;
  try {
    if (!calls->is_array() || calls->size() > Match::kMostParts)
      throw Refused("it calls no list of up to " + std::to_string(Match::kMostParts) + " functions");
    Judge judge(offer, earlier, wall);
    for (const Json& one : *calls) {
      choice.skill_id.clear();
      const Call call(one, offer);
      choice.skill_id = call.tool().intent->skill_id;
      choice.intent_name = call.tool().intent->intent_name;
      judge.take(call, calls->size() == 1, choice);
    }
  } catch (const Refused& why) {
    choice.parts.clear();
    choice.refused = why.what();
  }
  return choice;
}

}  // namespace parley::intent_llm
