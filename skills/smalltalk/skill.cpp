#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <parley/session_memory.hpp>
#include <parley/skill.hpp>
#include <parley/speech.hpp>
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
    // By their words, in whatever others these stand: "oh cheers, you're a lifesaver you are".
    for (const auto& [vocabulary, dialog] : kWithin)
      on_keywords(std::string(vocabulary) + "_within", keywords().require(vocabulary).exclude("is_else"),
                  [dialog = std::string(dialog)](Turn turn) { return say(std::move(turn), dialog); });
    on_keywords("abilities_within", keywords().require("abilities").exclude("is_else"), &Smalltalk::tour);
    on_event("ovos.utterance.speak",
             [this](const Message& spoken) { last_.note(spoken, spoken.text("utterance"), clock().now()); });
  }

 private:
  static Task<> say(Turn turn, std::string dialog) {
    turn.speak_dialog(dialog);
    co_return;
  }

  Task<> repeat(Turn turn) {
    const std::string* const last = last_.find(turn.session_key(), clock().now());
    if (last == nullptr || last->empty()) co_return turn.speak_dialog("nothing_said");
    turn.speak(*last);
  }

  /// A few skills at a time, for as long as the user wants to hear more.
  Task<> tour(Turn turn) {
    const std::vector<std::string> pages = co_await pages_of(turn);
    if (pages.empty()) co_return turn.speak_dialog("can_do_little");
    AskOptions options;
    options.retries = 0;
    for (std::size_t page = 0; page + 1 < pages.size(); ++page) {
      const Slots examples{{"examples", pages[page]}};
      const std::string dialog = page == 0 ? "can_do" : "can_do_too";
      const Confirmation more = co_await turn.confirm(dialog, examples, options);
      if (more.end() == AskEnd::kReplaced) co_return;
      if (more.end() == AskEnd::kNotUnderstood) {
        turn.not_understood();
        co_return turn.speak_dialog("not_that");
      }
      if (!more.yes()) co_return turn.speak_dialog("just_ask");
    }
    turn.speak_dialog(pages.size() == 1 ? "can_do_all" : "can_do_last", {{"examples", pages.back()}});
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
};

}  // namespace
}  // namespace parley::smalltalk

PARLEY_SKILL(parley::smalltalk::Smalltalk, "smalltalk.parley")
