#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <deque>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <span>
#include <type_traits>

#include "copied.hpp"
#include "dialogue.hpp"
#include "explain.hpp"
#include "host.hpp"
#include "lines.hpp"
#include "orchestrator/orchestrator.hpp"
#include "runtime/http.hpp"
#include "runtime/timers.hpp"
#include "runtime/write_file.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

constexpr std::size_t kMaxScript = std::size_t{16} << 20U;

/// What became of a script as a whole.
struct Tally {
  Tally() = default;
  int turns = 0, different = 0, files = 0, updated = 0;
  bool failed = false;
};

/// What a script gives to skills instead of the network and of chance.
class Given {
 public:
  /// @param name  of the script: files are relative to it
  void begin(const std::string& name) { folder_ = std::filesystem::path(name).parent_path(); }
  void answer(const script::GiveAnswer& given) {
    std::string body =
        given.file.empty() ? std::string() : read_all((folder_ / given.file).string(), kMaxScript);
    answers_->give(given.method, given.url, given.status, std::move(body));
  }
  void draw(const std::vector<std::size_t>& numbers) {
    drawn_->insert(drawn_->end(), numbers.begin(), numbers.end());
  }
  void put_into(AssistantOptions& options) const {
    options.http = answers_;
    options.random = [drawn = drawn_](std::size_t count) {
      if (drawn->empty()) return std::size_t{0};
      const std::size_t number = drawn->front();
      drawn->pop_front();
      return number % count;
    };
  }

 private:
  std::filesystem::path folder_;
  std::shared_ptr<GivenAnswers> answers_ = std::make_shared<GivenAnswers>();
  std::shared_ptr<std::deque<std::size_t>> drawn_ = std::make_shared<std::deque<std::size_t>>();
};

/// Plays one dialogue on an assistant of its own, so that no script sees what another left behind.
class Player {
 public:
  Player(const script::Dialogue& dialogue, Host& host, Given& given, bool explain)
      : dialogue_(dialogue),
        host_(host),
        given_(given),
        explain_(explain),
        speech_(host.assistant().bus().subscribe("ovos.utterance.speak", [this](const Message& message) {
          const bool here = message.session_id() == conversation_->session()->session_id;
          overheard_.push_back((here ? std::string() : fmt::format("[{}] ", message.session_id())) +
                               message.text("utterance"));
        })) {
    for (const auto& topic : script::topics_of(dialogue)) {
      passing_.push_back(host.assistant().bus().subscribe(topic, [this](const Message& message) {
        passed_.emplace_back(message.type(), dump(message.data()));
      }));
    }
  }

  /// What each step brought that something can be expected of, by its index.
  const std::map<std::size_t, script::Outcome>& play() {
    for (index_ = 0; index_ < dialogue_.steps.size(); ++index_) {
      std::visit([this](const auto& action) { act(action); }, dialogue_.steps[index_].action);
    }
    return outcomes_;
  }

  std::string story(std::size_t index, const Paint& paint) const {
    const auto found = traces_.find(index);
    return found == traces_.end() ? std::string() : explain(*found->second, paint);
  }

 private:
  void act(const script::NewSession&) {
    use_session(fmt::format("script-{}", ++sessions_));
    lang_.clear();
  }
  void act(const script::SwitchSession& action) { use_session(action.name); }
  void act(const script::SetLanguage& action) { lang_ = action.tag; }
  void act(const script::GiveAnswer& action) { given_.answer(action); }
  void act(const script::SetRandom& action) { given_.draw(action.numbers); }
  void act(const script::SetClock& action) { host_.set_clock(action.time); }

  void act(const script::SetSession& action) {
    auto fields = parley::to_json(*conversation_->session());
    fields.update(parse_json(action.json).value());
    std::vector<std::string> spoiled;
    conversation_->set_session(std::make_shared<const Session>(session_from_json(fields, spoiled)));
    if (spoiled.empty()) return;
    throw std::runtime_error(
        fmt::format("{}:{}: '@ session': {}", dialogue_.name, step().line, spoiled.front()));
  }

  void act(const script::Wait& action) {
    overheard_.clear();
    host_.wait(action.time);
    script::Outcome outcome;
    outcome.speech = std::exchange(overheard_, {});
    note(std::move(outcome));
  }

  void act(const script::Say& action) {
    TurnInput input(action.utterance);
    input.lang = lang_;
    input.trace = true;  // it tells which entry of the pipeline matched
    const TurnResult result = host_.say(*conversation_, std::move(input));
    if (explain_ && result.trace) traces_[index_] = result.trace;
    note(outcome_of(result));
  }

  void note(script::Outcome outcome) {
    outcome.messages = std::exchange(passed_, {});
    outcomes_[index_] = std::move(outcome);
  }

  void use_session(const std::string& id) {
    auto& conversation = conversations_[id];
    if (!conversation) {
      conversation = std::make_unique<Conversation>(host_.assistant(), std::make_shared<const Session>(id));
    }
    conversation_ = conversation.get();
  }

  static script::Outcome outcome_of(const TurnResult& result) {
    script::Outcome outcome;
    for (const auto& spoken : result.speech) outcome.speech.push_back(spoken.utterance);
    outcome.matched = !result.skill_id.empty();
    outcome.not_understood = outcome.matched && result.status == TurnStatus::kUnmatched;
    outcome.pipeline_id = result.pipeline_id;
    outcome.pipeline_entry = result.pipeline_entry;
    outcome.skill_id = result.skill_id;
    outcome.intent_name = result.intent_name;
    const bool ended_badly = result.status == TurnStatus::kError || result.status == TurnStatus::kCancelled;
    if (ended_badly)
      outcome.error = result.error.empty() ? std::string(to_string(result.status)) : result.error;
    return outcome;
  }

  const script::Step& step() const { return dialogue_.steps[index_]; }

  const script::Dialogue& dialogue_;
  Host& host_;
  Given& given_;
  bool explain_;
  std::size_t index_ = 0;
  int sessions_ = 0;
  std::map<std::string, std::unique_ptr<Conversation>> conversations_;
  Conversation* conversation_ = nullptr;  ///< The one that goes on.
  std::string lang_;
  std::map<std::size_t, script::Outcome> outcomes_;
  std::map<std::size_t, std::shared_ptr<const Json>> traces_;
  std::vector<std::string> overheard_;
  std::vector<script::PassedMessage> passed_;
  // Last: they end before what they write to.
  Subscription speech_;
  std::vector<Subscription> passing_;
};

std::string said_in(const script::Step& step) {
  const auto* const say = std::get_if<script::Say>(&step.action);
  return say != nullptr ? "> " + one_line(say->utterance) : "@ wait";
}

std::string difference_text(const std::string& name, const script::Difference& difference,
                            const Paint& paint) {
  const std::string place = paint.dim(fmt::format("{}:{}: {}", name, difference.line, difference.subject));
  const auto shown = [](const std::string& text) {
    return text.empty() ? std::string("(nothing)") : one_line(text);
  };
  return fmt::format("    {}\n      {}\n      {}\n", place,
                     paint.green("expected  " + shown(difference.expected)),
                     paint.red("got       " + shown(difference.got)));
}

/// What went wrong, with the script's name unless that says it itself.
std::string with_name(const std::string& name, const std::string& problem) {
  return problem.starts_with(name) ? problem : fmt::format("{}: {}", name, problem);
}

class ScriptCommand {
 public:
  ScriptCommand(const GlobalOptions& global, const ScriptOptions& options)
      : options_(options), setup_(load_setup(global)), paint_(wants_colour(STDOUT_FILENO)) {
    setup_.options.jumping_clock = true;
    setup_.options.logs_in_memory = true;
    if (setup_.config.location.tz.empty()) setup_.config.location.tz = "UTC";  // wherever it is played
  }

  void run(const std::string& name, const std::string& text) {
    const auto parsed = script::parse_dialogue(text, name);
    for (const auto& fault : parsed.faults)
      complain(fmt::format("{}:{}: {}", name, fault.line, fault.message));
    if (!parsed.faults.empty()) {
      tally_.failed = true;
      return;
    }
    ++tally_.files;
    const script::Dialogue& dialogue = parsed.dialogue;
    if (copies_ && !gives_before_start(dialogue) && is_started()) return play_in_copy(dialogue, text);
    started_.reset();  // plugins are loaded once in a process
    Given given;
    Host host(setup_for(dialogue, given));
    play(dialogue, text, host, given);
  }

  Tally& tally() noexcept { return tally_; }

  std::string summary() const {
    const std::string files = fmt::format("{} file{}", tally_.files, tally_.files == 1 ? "" : "s");
    if (tally_.different == 0) {
      return fmt::format("{}: {} turn{} as expected\n", files, tally_.turns, tally_.turns == 1 ? "" : "s");
    }
    const std::string written = options_.update ? fmt::format("; {} updated", tally_.updated) : std::string();
    return fmt::format("{}: {} of {} turn{} not as expected{}\n", files, tally_.different, tally_.turns,
                       tally_.turns == 1 ? "" : "s", written);
  }

 private:
  /// Answers that are given before anything is said hold while skills start.
  static bool gives_before_start(const script::Dialogue& dialogue) {
    for (const auto& step : dialogue.steps) {
      if (std::holds_alternative<script::Say>(step.action)) return false;
      if (std::holds_alternative<script::GiveAnswer>(step.action)) return true;
    }
    return false;
  }

  Setup setup_for(const script::Dialogue& dialogue, Given& given) const {
    Setup setup = setup_;
    given.begin(dialogue.name);
    for (const auto& step : dialogue.steps) {
      if (std::holds_alternative<script::Say>(step.action)) break;
      if (const auto* answer = std::get_if<script::GiveAnswer>(&step.action)) given.answer(*answer);
    }
    given.put_into(setup.options);
    return only_languages(std::move(setup), languages_of(dialogue, setup_.config.language));
  }

  /// Of all that is said in it; what a session is given may say anything of its language.
  static std::vector<std::string> languages_of(const script::Dialogue& dialogue, const LanguageConfig& all) {
    std::vector<std::string> tags{""};
    for (const auto& step : dialogue.steps) {
      if (std::holds_alternative<script::SetSession>(step.action)) return all.enabled;
      if (const auto* language = std::get_if<script::SetLanguage>(&step.action))
        tags.push_back(language->tag);
    }
    return tags;
  }

  /// Starting takes longer than most scripts: of several, each is played by a copy of a process that has
  /// started and learnt its languages.
  bool is_started() {
    if (started_) return copies_;
    Setup setup = setup_;
    given_.put_into(setup.options);
    started_ = std::make_unique<Host>(std::move(setup));
    copies_ = can_be_copied();  // how it is configured: the next would be no other
    if (copies_) learn_languages();
    return copies_;
  }

  /// What comes soon after a start comes here, once, and not in every copy; the clock shows the start again.
  void learn_languages() {
    const auto shown = started_->assistant().jumping_clock()->wall();
    started_->wait(std::chrono::seconds(1));
    started_->set_clock(shown);
  }

  void play_in_copy(const script::Dialogue& dialogue, const std::string& text) {
    auto& loop = started_->assistant().loop();
    Tally told;
    const auto work = [&] {
      loop.notify_fork(boost::asio::io_context::fork_child);
      tally_ = Tally();
      try {
        given_.begin(dialogue.name);
        play(dialogue, text, *started_, given_);
      } catch (const std::exception& error) {
        complain(with_name(dialogue.name, error.what()));
        tally_.failed = true;
      }
      told = tally_;
    };
    loop.notify_fork(boost::asio::io_context::fork_prepare);
    const auto failure = run_in_copy(work, std::as_writable_bytes(std::span(&told, 1)));
    loop.notify_fork(boost::asio::io_context::fork_parent);
    if (failure) {
      complain(fmt::format("{}: the process that played it ended with {}", dialogue.name, *failure));
      tally_.failed = true;
      return;
    }
    tally_.turns += told.turns;
    tally_.different += told.different;
    tally_.updated += told.updated;
    tally_.failed = tally_.failed || told.failed;
  }

  void play(const script::Dialogue& dialogue, const std::string& text, Host& host, Given& given) {
    Player player(dialogue, host, given, options_.explain);
    const auto& outcomes = player.play();
    for (const auto& [index, outcome] : outcomes) judge(dialogue, index, outcome, player);
    if (options_.update) write_update(dialogue, outcomes, text);
  }

  void judge(const script::Dialogue& dialogue, std::size_t index, const script::Outcome& outcome,
             const Player& player) {
    const auto& step = dialogue.steps[index];
    ++tally_.turns;
    const auto differences = script::compare(step, outcome);
    if (differences.empty()) return;
    ++tally_.different;
    std::string out = fmt::format("{}:{}: {}\n", dialogue.name, step.line, paint_.bold(said_in(step)));
    for (const auto& difference : differences) out += difference_text(dialogue.name, difference, paint_);
    print(out + player.story(index, paint_));
  }

  void write_update(const script::Dialogue& dialogue, const std::map<std::size_t, script::Outcome>& outcomes,
                    const std::string& before) {
    const std::string after = script::updated(dialogue, outcomes);
    if (after == before || after == before + "\n") return;
    write_file(dialogue.name, after);
    ++tally_.updated;
    print(fmt::format("{}: updated\n", dialogue.name));
  }

  const ScriptOptions& options_;
  Setup setup_;
  Paint paint_;
  Tally tally_;
  bool copies_ = options_.files.size() > 1;  ///< Whether copies play, as far as that is known.
  Given given_;                              ///< To those that copies play.
  std::unique_ptr<Host> started_;
};

/// The text of a script; complains and gives nothing when it can't be read.
std::optional<std::string> read_script(const std::string& name) {
  try {
    return read_all(name, kMaxScript);
  } catch (const std::exception& error) {
    complain(error.what());
    return std::nullopt;
  }
}

}  // namespace

int script(const GlobalOptions& global, const ScriptOptions& options) {
  const bool from_stdin = options.files.empty() || options.files == std::vector<std::string>{"-"};
  if (from_stdin && options.update) {
    complain("--update needs files to write to; stdin has none");
    return kFailed;
  }
  if (options.files.empty() && is_terminal(STDIN_FILENO)) {
    complain("no script. Try: parley script FILE");
    return kFailed;
  }
  ScriptCommand command(global, options);
  if (from_stdin) {
    command.run("stdin", read_all(STDIN_FILENO, kMaxScript));
  } else {
    for (const auto& file : options.files) {
      const auto text = read_script(file);
      if (text) command.run(file, *text);
      if (!text) command.tally().failed = true;
    }
  }
  const Tally& tally = command.tally();
  if (tally.files > 0) print(command.summary());
  if (tally.failed) return kFailed;
  return tally.different > 0 && !options.update ? kDiffers : kGood;
}

}  // namespace parley::command
