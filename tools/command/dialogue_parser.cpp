#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "dialogue.hpp"
#include "dialogue_messages.hpp"
#include "language/unicode.hpp"
#include "parley/json.hpp"
#include "parley/language.hpp"
#include "parley/message.hpp"
#include "runtime/http.hpp"
#include "settings/values.hpp"
#include "terminal.hpp"

namespace parley::script {
namespace {

constexpr std::string_view kDirectives =
    "stage, skill, intent, unmatched, silent, error, message, lang, session, clock, random or wait";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::optional<int> number(std::string_view text, std::size_t at, std::size_t length) {
  if (at + length > text.size()) return std::nullopt;
  int value = 0;
  const char* const end = text.data() + at + length;
  const auto [stopped, error] = std::from_chars(text.data() + at, end, value);
  return error == std::errc() && stopped == end && value >= 0 ? std::optional(value) : std::nullopt;
}

class Reader {
 public:
  Reader(std::string_view text, std::string name) {
    out_.dialogue.name = std::move(name);
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    out_.dialogue.crlf = text.find("\r\n") != std::string_view::npos;
    split(text);
    out_.dialogue.steps.emplace_back(NewSession(), 1);
  }

  ParsedDialogue run() {
    for (line_ = 1; line_ <= out_.dialogue.lines.size(); ++line_) read(out_.dialogue.lines[line_ - 1]);
    return std::move(out_);
  }

 private:
  void split(std::string_view text) {
    while (!text.empty()) {
      const auto end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      out_.dialogue.lines.emplace_back(line);
    }
  }

  void fault(std::string text) { out_.faults.emplace_back(line_, std::move(text)); }

  void read(std::string_view line) {
    if (const auto bad = unicode::first_invalid(line); bad != std::string_view::npos) {
      return fault(fmt::format("byte {} is not UTF-8", bad + 1));
    }
    if (line.find('\0') != std::string_view::npos) return fault("holds a NUL character");
    line = trimmed(line);
    if (line.empty()) {
      session_ended_ = spoken_;
      return;
    }
    const std::string_view rest = trimmed(line.substr(1));
    switch (line.front()) {
      case '#':
        return;
      case '>':
        return read_utterance(rest);
      case '<':
        return read_answer(rest);
      case '@':
        return read_directive(rest);
      case '~':
        return read_given(rest);
      default:
        fault(fmt::format("expected a line that starts with '#', '>', '<', '@' or '~', got {}",
                          command::in_quotes(line)));
    }
  }

  void read_utterance(std::string_view text) {
    if (text.empty()) return fault("'>' needs an utterance after it");
    spoken_ = true;
    add(Say(std::string(text)));
    open_ = true;
  }

  void read_answer(std::string_view text) {
    if (text.empty()) return fault("'<' needs the expected answer after it: a text, or '*' for any");
    const auto pattern = SpokenPattern::parse(text);
    if (!pattern)
      return fault(
          fmt::format("the expected answer, column {}: {}", pattern.error().column, pattern.error().message));
    expect(Claim::kSays, std::string(text), "<");
  }

  void expect(Claim claim, std::string text, std::string_view what) {
    if (!open_ || session_ended_) {
      return fault(
          fmt::format("'{}' says what is expected of a turn: it needs a '>' or '@ wait' before it", what));
    }
    const bool waits = std::holds_alternative<Wait>(out_.dialogue.steps.back().action);
    if (waits && claim != Claim::kSays && claim != Claim::kSilent && claim != Claim::kMessage) {
      return fault(fmt::format(
          "'{}' says nothing about '@ wait': after it only '<', '@ silent' and '@ message' do", what));
    }
    out_.dialogue.steps.back().expected.emplace_back(claim, std::move(text), line_);
  }

  void read_directive(std::string_view text) {
    const auto space = text.find_first_of(" \t");
    const std::string_view name = text.substr(0, space);
    const std::string value(space == std::string_view::npos ? std::string_view()
                                                            : trimmed(text.substr(space)));
    if (name == "lang" || name == "session" || name == "clock" || name == "random" || name == "wait")
      return read_setting(name, value);
    read_claim(name, value);
  }

  void read_claim(std::string_view name, const std::string& value) {
    if (name == "unmatched" || name == "silent") {
      if (!value.empty())
        return fault(fmt::format("'@ {}' takes nothing after it, got {}", name, command::in_quotes(value)));
      return expect(name == "silent" ? Claim::kSilent : Claim::kUnmatched, {}, fmt::format("@ {}", name));
    }
    if (name == "error") return read_error(value);
    if (name == "message") {
      if (const auto problem = message_problem(value)) return fault(*problem);
      return expect(Claim::kMessage, value, "@ message");
    }
    const bool known = name == "stage" || name == "skill" || name == "intent";
    if (!known) return unknown_directive(name);
    if (value.empty()) return fault(fmt::format("'@ {}' needs a name after it", name));
    const Claim claim = name == "stage" ? Claim::kStage : name == "skill" ? Claim::kSkill : Claim::kIntent;
    expect(claim, value, fmt::format("@ {}", name));
  }

  void read_error(const std::string& value) {
    if (const auto pattern = SpokenPattern::parse(value); !pattern) {
      return fault(
          fmt::format("the expected error, column {}: {}", pattern.error().column, pattern.error().message));
    }
    expect(Claim::kError, value, "@ error");
  }

  void unknown_directive(std::string_view name) {
    const auto near = nearest(name, {"stage", "skill", "intent", "unmatched", "silent", "error", "message",
                                     "lang", "session", "clock", "random", "wait"});
    const std::string hint = near ? fmt::format("; did you mean '{}'?", *near) : std::string();
    fault(fmt::format("unknown directive {}: expected {}{}", command::in_quotes(name), kDirectives, hint));
  }

  void read_setting(std::string_view name, const std::string& value) {
    if (name == "lang") return read_language(value);
    if (name == "session") return read_session(value);
    if (name == "random") return read_random(value);
    if (name == "clock") {
      const auto time = parse_time(value);
      if (!time)
        return fault(fmt::format("'@ clock' needs a time like 2026-01-03T12:00:00Z, got {}",
                                 command::in_quotes(value)));
      return add(SetClock(*time));
    }
    const auto span = parse_duration(value);
    if (!span || span->count() <= 0 || *span > std::chrono::hours(24 * 366)) {
      return fault(fmt::format("'@ wait' needs a time like 500ms, 10s or 5min, at most 366d, got {}",
                               command::in_quotes(value)));
    }
    add(Wait(*span));
    open_ = true;
  }

  void read_random(const std::string& value) {
    std::vector<std::size_t> numbers;
    std::string_view rest = value;
    while (!rest.empty()) {
      const auto end = rest.find(' ');
      const auto one = number(rest, 0, end == std::string_view::npos ? rest.size() : end);
      if (!one) break;
      numbers.push_back(static_cast<std::size_t>(*one));
      rest = end == std::string_view::npos ? std::string_view() : trimmed(rest.substr(end));
    }
    if (numbers.empty() || !rest.empty()) {
      return fault(fmt::format("'@ random' needs the numbers that are drawn next, like 48 65, got {}",
                               command::in_quotes(value)));
    }
    add(SetRandom(std::move(numbers)));
  }

  /// `GET https://… → 200 FILE`
  void read_given(std::string_view text) {
    const auto next = [&text] {
      const auto end = std::min(text.find_first_of(" \t"), text.size());
      const std::string word(text.substr(0, end));
      text = trimmed(text.substr(end));
      return word;
    };
    const std::string method = next();
    const std::string url = next();
    const std::string arrow = next();
    const std::string status = next();
    const auto code = number(status, 0, status.size());
    const bool sound = (arrow == "→" || arrow == "->") && code && *code >= 100 && *code <= 599;
    if (sound) {
      if (const auto problem = problem_of(HttpRequest(method, url)); !problem.empty())
        return fault("'~': " + problem);
      return add(GiveAnswer(method, url, *code, std::string(text)));
    }
    fault(fmt::format("'~' says what a server answers: '~ GET https://… → 200 FILE', got {}",
                      command::in_quotes(fmt::format("{} {} {} {}", method, url, arrow, status))));
  }

  void read_language(const std::string& value) {
    if (!is_language_tag(value))
      return fault(fmt::format("'@ lang' needs a tag like de-DE, got {}", command::in_quotes(value)));
    add(SetLanguage(value));
  }

  void read_session(const std::string& value) {
    if (is_identifier(value)) return add(SwitchSession(value));
    const auto json = parse_json(value);
    if (!json && value.starts_with('{')) return fault("'@ session': " + json.error().message);
    if (!json || !json->is_object()) {
      return fault(fmt::format(
          R"('@ session' needs a name or a JSON object like {{"location": {{"tz": "Asia/Tokyo"}}}}, got {})",
          command::in_quotes(value)));
    }
    if (json->contains("session_id"))
      return fault("'@ session' can't set session_id: every session of a script has its own");
    add(SetSession(value));
  }

  /// Starts the session a blank line announced, with what was set before the first utterance.
  void add(Step::Action action) {
    auto& steps = out_.dialogue.steps;
    if (session_ended_) {
      session_ended_ = false;
      steps.emplace_back(NewSession(), line_);
      steps.insert(steps.end(), preamble_.begin(), preamble_.end());
    }
    open_ = false;
    steps.emplace_back(std::move(action), line_);
    const auto& added = steps.back().action;
    const bool keeps =
        std::holds_alternative<SetLanguage>(added) || std::holds_alternative<SetSession>(added);
    if (!spoken_ && keeps) preamble_.push_back(steps.back());
  }

  ParsedDialogue out_;
  std::vector<Step> preamble_;
  std::size_t line_ = 0;
  bool spoken_ = false;         ///< There has been an utterance.
  bool session_ended_ = false;  ///< A blank line came after one.
  bool open_ = false;           ///< The last step can take expectations.
};

}  // namespace

std::optional<std::chrono::system_clock::time_point> parse_time(std::string_view text) {
  namespace chrono = std::chrono;
  if (text.size() != 20) return std::nullopt;
  std::string shape(text);
  for (char& c : shape) {
    if (c >= '0' && c <= '9') c = '0';
  }
  if (shape != "0000-00-00T00:00:00Z") return std::nullopt;
  const chrono::year_month_day date(chrono::year(*number(text, 0, 4)),
                                    chrono::month(static_cast<unsigned>(*number(text, 5, 2))),
                                    chrono::day(static_cast<unsigned>(*number(text, 8, 2))));
  const int hour = *number(text, 11, 2);
  const int minute = *number(text, 14, 2);
  const int second = *number(text, 17, 2);
  // Beyond these years a count of nanoseconds does not fit.
  const bool year_fits = date.year() >= chrono::year(1700) && date.year() <= chrono::year(2200);
  if (!date.ok() || !year_fits || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return chrono::sys_days(date) + chrono::hours(hour) + chrono::minutes(minute) + chrono::seconds(second);
}

ParsedDialogue parse_dialogue(std::string_view text, std::string name) {
  return Reader(text, std::move(name)).run();
}

}  // namespace parley::script
