#include <array>
#include <filesystem>
#include <parley/skill.hpp>

#include "shelf.hpp"

namespace parley::faq {
namespace {

/// Answers questions that somebody wrote down, with the answers they wrote beside them.
class Faq final : public Skill {
 public:
  static constexpr const char* kAbout = "Questions that somebody wrote down, with their answers.";
  static constexpr std::array kSettings{
      Option::text("folder", "",
                   "The folder with the files of questions, one for each language: en-US.yaml; empty: the "
                   "shipped ones."),
      Option::number("threshold", "0.6", 0, 1, "How well a question must fit, from 0 to 1 (word for word)."),
      Option::duration("check_every", "2s", std::chrono::seconds(1), std::chrono::hours(24),
                       "For how long a file is not looked at again, to see whether it has changed.")};

  void start() override {
    take_settings();
    on_fallback(20, &Faq::can_answer, &Faq::answer);
  }
  void on_settings_changed() override { take_settings(); }

 private:
  void take_settings() {
    const std::string& given = settings().text("folder");
    shelf_.emplace(given.empty() ? std::filesystem::path(folder()) / "data" : std::filesystem::path(given));
    threshold_ = settings().number("threshold");
    refresh();
  }

  /// When somebody asks: a timer would wake the machine for nobody, day and night.
  void refresh() {
    look_again_ = clock().now() + settings().duration("check_every");
    auto problems = shelf_->refresh();
    for (const auto& problem : problems) {
      if (problems != told_) log(LogLevel::kWarning, problem);
    }
    told_ = std::move(problems);
  }

  /// The answer to a question; empty when none fits well enough.
  std::string find(const std::string& utterance, std::string_view lang) const {
    const auto questions = shelf_->questions(lang);
    if (!questions) return {};
    const auto hit = questions->best(utterance);
    return hit.score >= threshold_ ? hit.entry->answer : std::string();
  }

  /// Looks at the first candidate, which is the one that is dispatched.
  bool can_answer(const Query& query) {
    if (clock().now() >= look_again_) refresh();
    return !find(query.utterances.front(), query.lang).empty();
  }

  Task<> answer(Turn turn) {
    std::string text = find(turn.text(), turn.lang());
    if (text.empty()) throw std::runtime_error("the question was taken out of its file a moment ago");
    turn.speak(std::move(text));
    co_return;
  }

  std::optional<Shelf> shelf_;
  double threshold_ = 1;
  Clock::Time look_again_;
  std::vector<std::string> told_;  ///< Said before: not again at each look.
};

}  // namespace
}  // namespace parley::faq

PARLEY_SKILL(parley::faq::Faq, "faq.parley")
