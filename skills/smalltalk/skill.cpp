#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/offers.hpp>
#include <parley/session_memory.hpp>
#include <parley/skill.hpp>
#include <parley/speech.hpp>
#include <parley/text.hpp>
#include <parley/utterance_words.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace parley::smalltalk {
namespace {

/// Of so many sessions it is known what was said last.
constexpr std::size_t kMostSessions = 256;
/// How many skills the tour tells of at a time, and how much each may say.
constexpr std::size_t kSkillsAtATime = 3;
constexpr std::size_t kExamplesOfASkill = 2;
/// What is meant by words of a vocabulary, and what is said to it.
constexpr std::array<std::pair<const char*, const char*>, 5> kWithin{{{"praising", "praise"},
                                                                      {"thanking", "thanks"},
                                                                      {"scolding", "sorry"},
                                                                      {"asks_who", "who_are_you"},
                                                                      {"joking", "joke"}}};
/// The same, where hardly anything else is said: what says most about the whole goes first.
constexpr std::array<std::pair<const char*, const char*>, 12> kBeside{{{"wanting_joke", "joke"},
                                                                       {"refusing", "never_mind"},
                                                                       {"nighting", "good_night"},
                                                                       {"parting", "goodbye"},
                                                                       {"comparing", "praise"},
                                                                       {"praising", "praise"},
                                                                       {"thanking", "thanks"},
                                                                       {"thanks_plain", "thanks"},
                                                                       {"scolding", "sorry"},
                                                                       {"booing", "sorry"},
                                                                       {"faring", "how_are_you"},
                                                                       {"asks_who", "who_are_you"}}};
/// So many words beside these say hardly anything; who wants a joke may tell for whom, and a "no" says so
/// only alone.
constexpr std::size_t most_beside(std::string_view dialog) {
  return dialog == "joke" ? 7 : dialog == "never_mind" ? 0 : 2;
}
/// Of fallbacks: behind the requests to others, before what answers anything.
constexpr int kChatPriority = 18;

/// What people say to an assistant beside asking for something: greetings, thanks, who it is and what it can
/// do.
class Smalltalk final : public Skill {
 public:
  static constexpr const char* kAbout = "Greetings, thanks, what was said last, and what can be asked for.";

  void start() override {
    for (const char* name : {"hello", "thanks", "goodbye", "good_night", "how_are_you", "who_are_you",
                             "where_are_you", "never_mind", "praise", "sorry", "joke"})
      on_intent(name, [name = std::string(name)](Turn turn) { return say(std::move(turn), name); });
    on_intent("repeat", &Smalltalk::repeat);
    on_intent("what_can_you_do", &Smalltalk::tour);
    on_converse(&Smalltalk::takes_offer, &Smalltalk::go_on);
    // By their words, in whatever others these stand: "oh cheers, you're a lifesaver you are".
    for (const auto& [vocabulary, dialog] : kWithin)
      on_keywords(std::string(vocabulary) + "_within", keywords().require(vocabulary).exclude("is_else"),
                  [dialog = std::string(dialog)](Turn turn) { return say(std::move(turn), dialog); });
    on_keywords("abilities_within", keywords().require("abilities").exclude("is_else"), &Smalltalk::tour);
    on_fallback(
        kChatPriority,
        [this](const Query& query) { return chat_in(query.utterances.front(), query.lang) != nullptr; },
        [this](Turn turn) { return chat(std::move(turn)); });
    on_event("ovos.utterance.speak", [this](const Message& spoken) {
      last_.note(spoken, spoken.text("utterance"), clock().now());
      if (spoken.context().skill_id != skill_id()) tours_.forget(spoken.session_key());
    });
  }

 private:
  Task<> chat(Turn turn) {
    if (const char* const dialog = chat_in(turn.text(), turn.lang())) turn.speak_dialog(dialog);
    co_return;
  }

  /// What is said to something that is small talk as a whole, though in no words that are listed: "Leonie
  /// would like a joke to pass the time". Null: it is about something else.
  const char* chat_in(const std::string& text, const std::string& lang) const {
    const UtteranceWords said(text, lang, locale());
    if (mentions("is_else", text, lang) || mentions("no_joke", text, lang)) return nullptr;
    for (const auto& [vocabulary, dialog] : kBeside) {
      const auto cue = said.find(vocabulary);
      if (cue && words_beside(said, *cue) <= most_beside(dialog)) return dialog;
    }
    return nullptr;
  }

  /// How many words there are beside these that say something; too many where one is a number or asks.
  static std::size_t words_beside(const UtteranceWords& said, WordRun cue) {
    std::size_t beside = 0;
    for (std::size_t at = 0; at < said.size(); ++at) {
      const WordRun word(at, at + 1);
      if (cue.has(at) || is_filler(said, at)) continue;
      const bool is_number = std::any_of(said[at].norm.begin(), said[at].norm.end(),
                                         [](char c) { return c >= '0' && c <= '9'; });
      if (is_number || said.is("questioning", word)) return std::numeric_limits<std::size_t>::max();
      ++beside;
    }
    return beside;
  }

  /// Whether a word is one that says nothing here, or of a phrase of such or of a greeting.
  static bool is_filler(const UtteranceWords& said, std::size_t at) {
    constexpr std::size_t kLongest = 4;
    for (std::size_t from = at + 1 - std::min(at + 1, kLongest); from <= at; ++from) {
      for (std::size_t end = at + 1; end <= std::min(from + kLongest, said.size()); ++end) {
        const WordRun phrase(from, end);
        if (said.is("chat_filler", phrase) || said.is("greeting", phrase)) return true;
      }
    }
    return false;
  }

  static Task<> say(Turn turn, std::string dialog) {
    turn.speak_dialog(dialog);
    co_return;
  }

  Task<> repeat(Turn turn) {
    const std::string* const last = last_.find(turn.session_key(), clock().now());
    if (last == nullptr || last->empty()) co_return turn.speak_dialog("nothing_said");
    turn.speak(*last);
  }

  /// What is still to be told of what can be asked.
  struct Tour {
    std::vector<std::string> pages;
    std::size_t next = 0;
  };

  /// A few skills at a time, for as long as the user wants to hear more.
  Task<> tour(Turn turn) {
    Tour all;
    all.pages = co_await pages_of(turn);
    if (all.pages.empty()) co_return turn.speak_dialog("can_do_little");
    tell(std::move(turn), std::move(all));
  }

  /// Whether there is more is an offer that holds nobody up: whoever is told what can be asked may ask it.
  void tell(Turn turn, Tour some) {
    const Slots examples{{"examples", some.pages[some.next]}};
    const bool is_first = some.next++ == 0;
    if (some.next == some.pages.size())
      return turn.speak_dialog(is_first ? "can_do_all" : "can_do_last", examples);
    tours_.make(std::move(turn), std::move(some), is_first ? "can_do" : "can_do_too", clock().now(),
                examples);
  }

  ConverseAnswer takes_offer(const Query& query) {
    return tours_.open(query, skill_id(), clock().now()) != nullptr &&
           wants_more(query.utterances.front(), query.lang).has_value();
  }

  /// Yes or no, perhaps with a word or two behind it: "yes, go on".
  std::optional<bool> wants_more(const std::string& said, const std::string& lang) const {
    constexpr std::size_t kMostOfAnswer = 3;
    const std::vector<Word> all = words(said, lang);
    if (says("cancel", said, lang)) return false;
    for (std::size_t n = all.size() > kMostOfAnswer ? 0 : all.size(); n > 0; --n) {
      const std::string front(surface(said, std::span(all).first(n)));
      if (says("yes", front, lang)) return true;
      if (says("no", front, lang)) return false;
    }
    return std::nullopt;
  }

  Task<> go_on(Turn turn) {
    auto rest = tours_.take(turn.session_key(), clock().now());
    if (!rest || !wants_more(turn.text(), turn.lang()).value_or(false))
      co_return turn.speak_dialog("just_ask");
    tell(std::move(turn), std::move(*rest));
  }

  /// What the skills that are there say can be asked of them, ready to be spoken.
  Task<std::vector<std::string>> pages_of(Turn turn) {
    const std::string lang = turn.render_lang("can_do");
    Message question = turn.message().forward("parley.examples.list", {{"lang", lang}});
    const auto answer = co_await request(std::move(question), std::chrono::seconds(2));
    std::vector<std::string> pages;
    if (!answer) co_return pages;
    const Json skills = answer->data().value("examples", Json::object());
    std::vector<std::string> said;
    std::size_t told = 0;
    for (const auto& [id, examples] : skills.items()) {
      for (std::size_t i = 0; i < std::min(examples.size(), kExamplesOfASkill); ++i)
        said.push_back(turn.dialog("example", {{"example", examples[i].get<std::string>()}}));
      if (++told % kSkillsAtATime != 0 && told < skills.size()) continue;
      pages.push_back(say_list(said, lang));
      said.clear();
    }
    co_return pages;
  }

  SessionMemory<std::string> last_{kMostSessions};  ///< What was said last.
  Offers<Tour> tours_{kMostSessions};
};

}  // namespace
}  // namespace parley::smalltalk

PARLEY_SKILL(parley::smalltalk::Smalltalk, "smalltalk.parley")
