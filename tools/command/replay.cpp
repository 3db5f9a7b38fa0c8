// What was said once, played against today's configuration and skills.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "host.hpp"
#include "kept.hpp"
#include "lines.hpp"
#include "read_kept.hpp"
#include "runtime/rfc3339.hpp"
#include "store/kept_json.hpp"
#include "store/turn_rows.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

constexpr std::size_t kMaxFile = std::size_t{64} << 20U;
/// Between two turns at most so much time is played; of what is longer the rest is skipped. After the last
/// one so long is waited for what was said later, such as by a timer that rang.
constexpr std::chrono::hours kLongestWait(24);

/// The turns that are played, and which of them are compared.
struct Recording {
  Recording() = default;
  std::vector<TurnRow> turns;  ///< In the order in which they were said.
  std::string only;            ///< The utterance_id of the one that is compared; empty: all are.
};

/// @throws std::runtime_error naming the line that is no turn
std::vector<TurnRow> read_turns(const std::string& file) {
  const std::string text = file == "-" ? read_all(STDIN_FILENO, kMaxFile) : read_all(file, kMaxFile);
  std::vector<TurnRow> turns;
  const auto take = [&turns](const Json& json, const std::string& session) {
    if (!json.is_object() || !json.contains("said")) return false;
    TurnRow turn = turn_from(json);
    if (turn.session_id.empty()) turn.session_id = session.empty() ? "replay" : session;
    turns.push_back(std::move(turn));
    return true;
  };
  std::size_t begin = 0;
  for (std::size_t number = 1; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line(text.data() + begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto json = parse_json(line);
    bool good = static_cast<bool>(json);
    if (good && json->is_object() && json->contains("turns") && json->at("turns").is_array()) {
      for (const auto& one : json->at("turns")) good = good && take(one, json->value("session_id", ""));
    } else {
      good = good && take(*json, "");
    }
    if (!good)
      throw std::runtime_error(fmt::format(
          "{}:{}: this is no turn: expected lines as `parley log --json` or `parley transcript --json` write",
          file, number));
  }
  return turns;
}

Recording of_store(const Setup& setup, const ReplayOptions& options) {
  Recording recording;
  recording.only = options.turn;
  TurnFilter filter;
  filter.session_id = options.session;
  filter.owner = options.owner;
  filter.limit = options.limit;
  recording.turns = read_kept(setup, [&](Database& database) {
    if (!options.turn.empty()) {
      const auto turn = turns::find(database, options.turn);
      if (!turn) return std::vector<TurnRow>();
      filter.session_id = turn->session_id;
      filter.owner = turn->owner;
      filter.before = turn->number + 1;
    }
    return turns::latest(database, filter);
  });
  return recording;
}

Recording recording_of(const Setup& setup, const ReplayOptions& options) {
  Recording recording;
  if (options.file.empty()) {
    recording = of_store(setup, options);
  } else {
    recording.turns = read_turns(options.file);
  }
  std::erase_if(recording.turns, [](const TurnRow& turn) { return turn.said.empty(); });
  std::set<std::string> ids;
  for (TurnRow& turn : recording.turns) {
    while (turn.utterance_id.empty() || !ids.insert(turn.utterance_id).second) turn.utterance_id += "+";
  }
  return recording;
}

std::vector<std::string> texts_of(const TurnRow& turn) {
  std::vector<std::string> texts;
  for (const auto& [text, lang] : turn.answers) texts.push_back(text);
  return texts;
}

/// Says it all again, each turn at its time, and collects what is answered.
class Replay {
 public:
  Replay(Setup setup, const std::vector<TurnRow>& turns)
      : turns_(turns),
        host_(as_then(std::move(setup), turns)),
        speech_(host_.assistant().bus().subscribe("ovos.utterance.speak", [this](const Message& message) {
          said_[message.context().utterance_id].push_back(message.text("utterance"));
        })) {}

  void play() {
    if (turns_.front().time != 0) host_.set_clock(moment(turns_.front()));
    for (const TurnRow& turn : turns_) {
      if (turn.time != 0) wait_until(moment(turn));
      auto& conversation = conversations_[{turn.owner, turn.session_id}];
      if (!conversation) conversation = std::make_unique<Conversation>(host_.assistant(), session_of(turn));
      TurnInput input(turn.said);
      input.lang = turn.lang;
      input.utterance_id = turn.utterance_id;
      host_.say(*conversation, std::move(input));
    }
    hear_the_rest();
  }

  const std::vector<std::string>& now(const TurnRow& turn) { return said_[turn.utterance_id]; }

 private:
  static Setup as_then(Setup setup, const std::vector<TurnRow>& turns) {
    setup.options.jumping_clock = true;
    setup.options.said_then = [&turns](const std::string& text) {
      return std::any_of(turns.begin(), turns.end(), [&text](const TurnRow& turn) {
        return std::any_of(turn.answers.begin(), turn.answers.end(), [&text](const auto& answer) {
          return answer.first.find(text) != std::string::npos;
        });
      });
    };
    return setup;
  }

  static SessionPtr session_of(const TurnRow& turn) {
    if (turn.session_id == "default") return nullptr;  // which the core keeps
    return std::make_shared<const Session>(turn.session_id);
  }

  /// When its handler began: what it said of the time was true then. Here it begins as soon as it is said.
  static std::chrono::system_clock::time_point moment(const TurnRow& turn) {
    return std::chrono::system_clock::time_point(
        std::chrono::milliseconds(turn.started == 0 ? turn.time : turn.started));
  }

  void wait_until(std::chrono::system_clock::time_point when) {
    const auto left = when - host_.assistant().clock().wall();
    if (left.count() <= 0) return;
    host_.wait(std::min<Duration>(left, kLongestWait));
    host_.set_clock(when);
  }

  /// What was said later in a turn, until as much came as then.
  void hear_the_rest() {
    const auto until = host_.assistant().clock().now() + kLongestWait;
    host_.assistant().run_until([&] {
      return host_.assistant().clock().now() >= until ||
             std::all_of(turns_.begin(), turns_.end(),
                         [this](const TurnRow& turn) { return now(turn).size() >= turn.answers.size(); });
    });
  }

  const std::vector<TurnRow>& turns_;
  Host host_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<Conversation>> conversations_;
  std::map<std::string, std::vector<std::string>> said_;  ///< By utterance_id.
  Subscription speech_;                                   // last: ends before what it writes to
};

std::string lines_of(const std::vector<std::string>& texts, const std::string& mark) {
  std::string lines;
  for (const auto& text : texts) lines += fmt::format("  {} {}\n", mark, one_line(text));
  return texts.empty() ? fmt::format("  {} (nothing)\n", mark) : lines;
}

std::string shown(const TurnRow& turn, const std::vector<std::string>& now, const Paint& paint) {
  const auto then = texts_of(turn);
  const std::string head = turn.time == 0 ? turn.session_id : to_rfc3339(turn.time) + "  " + turn.session_id;
  std::string text = fmt::format("{}\n  > {}\n", paint.dim(one_line(head)), one_line(turn.said));
  if (then == now) return text + lines_of(now, "<");
  return text + paint.red(lines_of(then, "then")) + paint.green(lines_of(now, "now "));
}

}  // namespace

int replay(const GlobalOptions& global, const ReplayOptions& options) {
  const auto named = [](const std::string& text) { return text.empty() ? 0 : 1; };
  if (named(options.session) + named(options.turn) + named(options.file) != 1) {
    complain("say what to replay, one of: --session ID, --turn ID, or a FILE of turns");
    return kFailed;
  }
  Setup setup = load_setup(global);
  const Recording recording = recording_of(setup, options);
  if (recording.turns.empty()) {
    complain("there is no such turn: `parley log` lists what was kept");
    return kFailed;
  }
  Replay again(std::move(setup), recording.turns);
  again.play();
  std::size_t compared = 0;
  std::size_t different = 0;
  const Paint paint(wants_colour(STDOUT_FILENO));
  for (const TurnRow& turn : recording.turns) {
    if (!recording.only.empty() && turn.utterance_id != recording.only) continue;
    const auto& now = again.now(turn);
    const bool differs = texts_of(turn) != now;
    ++compared;
    different += differs ? 1U : 0U;
    if (options.json) {
      print(dump({{"utterance_id", turn.utterance_id},
                  {"session_id", turn.session_id},
                  {"said", turn.said},
                  {"then", texts_of(turn)},
                  {"now", now},
                  {"differs", differs}}) +
            "\n");
    } else {
      print(shown(turn, now, paint));
    }
  }
  if (!options.json)
    print(different == 0 ? fmt::format("{} turn{}: the same as then\n", compared, compared == 1 ? "" : "s")
                         : fmt::format("{} of {} turn{} answered differently than then\n", different,
                                       compared, compared == 1 ? "" : "s"));
  return different == 0 ? kGood : kDiffers;
}

}  // namespace parley::command
