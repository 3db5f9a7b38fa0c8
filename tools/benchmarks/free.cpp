#include "free.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <parley/session.hpp>
#include <parley/trace.hpp>
#include <stdexcept>

#include "app/conversation.hpp"
#include "free_sentences.hpp"
#include "lines.hpp"
#include "prepared.hpp"
#include "runtime/timers.hpp"
#include "table.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

constexpr std::size_t kLargest = std::size_t{16} << 20U;
constexpr const char* kSaysItDoesNotKnow = "unknown.parley";  // the skill that comes last
constexpr double kRightAim = 0.9, kWrongAim = 0.02;

/// What became of so many sentences.
struct Counts {
  Counts() = default;
  std::array<std::size_t, 3> of{};  ///< By FreeVerdict.
  std::size_t all() const noexcept { return of[0] + of[1] + of[2]; }
  double share(FreeVerdict verdict) const {
    return all() == 0 ? 0 : static_cast<double>(count(verdict)) / static_cast<double>(all());
  }
  std::size_t count(FreeVerdict verdict) const { return of.at(static_cast<std::size_t>(verdict)); }
};

/// Says sentences to one assistant, whose clock stands still but for what it is set to.
class Speaker {
 public:
  explicit Speaker(Assistant& assistant) : assistant_(assistant) {}

  TurnResult say(const FreeSentence& one) {
    if (!one.goes_on || !conversation_) begin(one);
    if (one.time && !one.goes_on) assistant_.jumping_clock()->set_wall(*one.time);
    TurnInput input(one.utterance);
    input.lang = one.lang;
    input.trace = true;  // says who answered a question that many were asked
    const auto result = std::make_shared<std::optional<TurnResult>>();
    conversation_->say(std::move(input), [result](TurnResult turn) { *result = std::move(turn); });
    if (!assistant_.run_until([&] { return result->has_value(); }))
      throw std::runtime_error(fmt::format("\"{}\" was never settled: nothing is left to do", one.utterance));
    return std::move(**result);
  }

 private:
  void begin(const FreeSentence& one) {
    Session session(fmt::format("free-{}", ++sessions_));
    if (!one.session.empty()) {
      auto fields = parley::to_json(session);
      fields.update(parse_json(one.session).value());
      std::vector<std::string> spoiled;
      session = session_from_json(fields, spoiled);
      if (!spoiled.empty()) throw std::runtime_error("@ session: " + spoiled.front());
    }
    conversation_ =
        std::make_unique<Conversation>(assistant_, std::make_shared<const Session>(std::move(session)));
  }

  Assistant& assistant_;
  std::unique_ptr<Conversation> conversation_;
  int sessions_ = 0;
};

std::string who(const std::string& skill_id) {
  return skill_id.empty() ? "nobody" : skill_id;
}

/// Who answered. Of a question that was put to many skills: the one whose answer was spoken.
std::string answered_by(const TurnResult& turn) {
  constexpr std::string_view kQuestion = ":common_query";
  if (!turn.trace || turn.intent_name != kQuestion.substr(1)) return turn.skill_id;
  std::string skill_id = turn.skill_id;
  for (const Json& step : turn.trace->at("steps")) {
    const std::string subject = step.at("subject");
    if (step.at("kind") == to_string(TraceKind::kCandidate) && subject.ends_with(kQuestion))
      skill_id = subject.substr(0, subject.size() - kQuestion.size());
  }
  return skill_id;
}

std::string wanted(const FreeSentence& one) {
  return who(one.skill_id) + (one.speech ? " /" + one.speech_text + "/" : "");
}

class Marks {
 public:
  /// @return what to tell of it; empty: it is right
  std::string add(const std::string& file, const FreeSentence& one, const TurnResult& turn) {
    const bool declined = turn.status == TurnStatus::kUnmatched || turn.skill_id == kSaysItDoesNotKnow;
    const std::string skill_id = answered_by(turn);
    const FreeVerdict verdict = judge(one, skill_id, turn.speech_text(), declined);
    for (Counts* counts : {&by_skill_[{who(one.skill_id), one.lang}], &all_})
      ++counts->of.at(static_cast<std::size_t>(verdict));
    if (verdict == FreeVerdict::kRight) return {};
    const std::string what = verdict == FreeVerdict::kDeclined ? "declined" : "wrong";
    std::string text =
        fmt::format("{}:{}: {}: {}\n    expected  {}\n", file, one.line, what, one.utterance, wanted(one));
    if (verdict == FreeVerdict::kWrong)
      text += fmt::format("    got       {}:{}  \"{}\"{}\n", who(skill_id), turn.intent_name,
                          command::one_line(turn.speech_text()),
                          turn.error.empty() ? "" : "  failed: " + command::one_line(turn.error));
    return text;
  }

  std::string table() const {
    command::Table table({"SKILL", "LANGUAGE", "SENTENCES", "RIGHT", "DECLINED", "WRONG"});
    const auto add = [&table](const std::string& skill, const std::string& lang, const Counts& counts) {
      table.add({skill, lang, std::to_string(counts.all()), std::to_string(counts.count(FreeVerdict::kRight)),
                 std::to_string(counts.count(FreeVerdict::kDeclined)),
                 std::to_string(counts.count(FreeVerdict::kWrong))});
    };
    for (const auto& [key, counts] : by_skill_) add(key.first, key.second, counts);
    add("all", "", all_);
    return table.text(command::Paint(command::wants_colour(STDOUT_FILENO)));
  }

  void report(Report& report) const {
    for (const auto& [key, counts] : by_skill_) {
      const std::string name = "free." + key.first + (key.second.empty() ? "" : "." + key.second);
      report.add(Figure(name + ".right", counts.share(FreeVerdict::kRight), ""));
    }
    Figure right("free.right", all_.share(FreeVerdict::kRight), "");
    right.target = Target::at_least(kRightAim, "what the templates have words for");
    report.add(right);
    Figure wrong("free.wrong", all_.share(FreeVerdict::kWrong), "");
    wrong.target = Target::at_most(kWrongAim, "sentences that resemble another intent");
    report.add(wrong);
  }

 private:
  std::map<std::pair<std::string, std::string>, Counts> by_skill_;  ///< By skill and language.
  Counts all_;
};

// Where only whether it runs is asked.
constexpr std::size_t kFilesTried = 2;
constexpr std::ptrdiff_t kTried = 10;  ///< Of a file.

std::vector<std::string> files_of(const Options& options) {
  if (!options.sentences.empty()) return options.sentences;
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::recursive_directory_iterator(PARLEY_FREE_SENTENCES)) {
    if (file.path().extension() == ".txt") files.push_back(file.path().string());
  }
  std::sort(files.begin(), files.end());
  if (options.is_trial()) files.resize(std::min(files.size(), kFilesTried));
  return files;
}

std::vector<FreeSentence> read(const std::string& file) {
  FreeSentences found = read_free_sentences(file, command::read_all(file, kLargest));
  if (found.problems.empty() && !found.sentences.empty()) return std::move(found.sentences);
  std::string problems = found.problems.empty() ? file + ": there is no sentence in it" : "";
  for (const auto& problem : found.problems) problems += (problems.empty() ? "" : "\n") + problem;
  throw std::runtime_error(problems);
}

}  // namespace

void free_bench(const Options& options, Report& report) {
  Marks marks;
  for (const auto& file : files_of(options)) {
    auto sentences = read(file);
    if (options.is_trial())
      sentences.erase(sentences.begin() + std::min<std::ptrdiff_t>(kTried, std::ssize(sentences)),
                      sentences.end());
    const std::string name = std::filesystem::path(file).filename().string();
    const Waiting waiting(name);
    const auto assistant = make_timeless_assistant();
    start_at_once(*assistant);
    Speaker speaker(*assistant);
    for (const FreeSentence& one : sentences) {
      const TurnResult turn = speaker.say(one);
      if (one.counts) report.tell(marks.add(name, one, turn));
    }
  }
  report.tell("\n" + marks.table() + "\n");
  marks.report(report);
}

}  // namespace parley::bench
