#include "free_sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>

#include "dialogue.hpp"
#include "lines.hpp"
#include "terminal.hpp"

namespace parley::bench {
namespace {

/// std::regex knows bytes, and "[aá]" would be one of three: "(?:a|á)". A set that is none of letters alone
/// stays as it is.
std::string of_bytes(std::string_view pattern) {
  std::string out;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t end = pattern[at] == '[' ? pattern.find(']', at) : std::string_view::npos;
    const auto letters = end == std::string_view::npos ? "" : pattern.substr(at + 1, end - at - 1);
    const bool any_wide = std::ranges::any_of(letters, [](char c) { return (c & 0x80) != 0; });
    if (!any_wide || letters.find_first_of("\\^-") != std::string_view::npos) {
      out += pattern[at++];
      continue;
    }
    out += "(?:";
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const bool goes_on = (letters[i] & 0xC0) == 0x80;
      if (i > 0 && !goes_on) out += '|';
      out += letters[i];
    }
    out += ')';
    at = end + 1;
  }
  return out;
}

using Json = nlohmann::json;

constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// The reader of one file; what it can't read it tells and leaves out.
class SentenceReader {
 public:
  explicit SentenceReader(std::string_view name) : name_(name) {}

  void line(std::string_view text) {
    ++number_;
    const auto line = trimmed(text);
    if (line.empty() || line.front() == '#') return;
    if (line.front() == '@') return directive(trimmed(line.substr(1)));
    FreeSentence one = now_;
    one.line = number_;
    const auto bar = expectation(line, one);
    if (!bar) return;
    one.utterance = trimmed(line.substr(*bar + 1));
    if (one.utterance.empty()) return problem("nothing is said: expected a sentence behind the `|`");
    if (const auto bad = command::line_problem(one.utterance)) return problem(*bad);
    one.goes_on = talks_on_ || prepared_;
    talks_on_ = in_conversation_;
    prepared_ = !one.counts;
    read_.sentences.push_back(std::move(one));
  }

  FreeSentences take() { return std::move(read_); }

 private:
  void problem(std::string_view what) {
    read_.problems.push_back(fmt::format("{}:{}: {}", name_, number_, what));
  }

  void directive(std::string_view text) {
    const auto space = std::min(text.find_first_of(kBlank), text.size());
    const auto what = text.substr(0, space);
    const auto value = trimmed(text.substr(space));
    if (what == "lang") return language(value);
    if (what == "session") return session(value);
    if (what == "clock") return clock(value);
    if (what != "conversation" && what != "alone")
      return problem(fmt::format("'@ {}' is none of @ lang, @ clock, @ session, @ conversation and @ alone",
                                 command::one_line(what)));
    in_conversation_ = what == "conversation";
    talks_on_ = prepared_ = false;
  }

  void language(std::string_view tag) {
    if (!is_language_tag(tag)) return problem("expected `@ lang TAG`, as in `@ lang de-DE`");
    now_.lang = tag;
  }
  void session(std::string_view json) {
    if (!Json::parse(json, nullptr, false).is_object())
      return problem("expected `@ session {…}`, as in `@ session {\"location\": {\"tz\": \"Asia/Tokyo\"}}`");
    now_.session = json;
  }
  void clock(std::string_view time) {
    now_.time = script::parse_time(time);
    if (!now_.time) problem("expected `@ clock TIME`, as in `@ clock 2026-12-24T18:00:00Z`");
  }

  /// @return where the `|` before the sentence is
  std::optional<std::size_t> expectation(std::string_view line, FreeSentence& one) {
    const auto end = line.find_first_of(" \t|");
    const auto who = line.substr(0, end);
    const auto next = end == std::string_view::npos ? end : line.find_first_not_of(kBlank, end);
    if (who.empty() || next == std::string_view::npos || (line[next] != '|' && line[next] != '/')) {
      problem("expected `skill_id /pattern/ | what is said`, with `-` for nobody and `+` for who cares");
      return std::nullopt;
    }
    one.counts = who != "+";
    if (one.counts && who != "-") one.skill_id = who;
    if (line[next] == '|') return next;
    const auto close = closing(line, next + 1);
    if (close == std::string_view::npos) {
      problem("the pattern never ends: expected `/ |` behind it");
      return std::nullopt;
    }
    one.speech_text = line.substr(next + 1, close - next - 1);
    try {
      one.speech.emplace(of_bytes(one.speech_text), std::regex::ECMAScript | std::regex::icase);
    } catch (const std::regex_error& error) {
      problem(fmt::format("/{}/ is no regular expression: {}", one.speech_text, error.what()));
      return std::nullopt;
    }
    return line.find('|', close);
  }

  /// The slash that ends a pattern has the bar behind it.
  static std::size_t closing(std::string_view line, std::size_t from) {
    for (auto slash = line.find('/', from); slash != std::string_view::npos;
         slash = line.find('/', slash + 1)) {
      const auto next = line.find_first_not_of(kBlank, slash + 1);
      if (next != std::string_view::npos && line[next] == '|') return slash;
    }
    return std::string_view::npos;
  }

  std::string name_;
  std::size_t number_ = 0;
  FreeSentence now_;  ///< What directives say of the lines that follow.
  bool in_conversation_ = false, talks_on_ = false, prepared_ = false;
  FreeSentences read_;
};

}  // namespace

const char* const kFreeFormat =
    R"(A file of free sentences has one of these a line:
  timer.parley /ten min/ | put ten minutes on   who should answer, and a regular expression that is found
                                                in what is spoken, upper or lower case; without: anything
  - | order me a pizza                          nobody should: better declined than answered wrongly
  + | set a timer for ten minutes               said before the next line, in its session, and not judged
  @ lang de-DE                                  the language of what follows
  @ clock 2026-12-24T18:00:00Z                  where the clock stands whenever something follows
  @ session {"location": {"tz": "Asia/Tokyo"}}  fields of the sessions that follow
  @ conversation                                what follows is said in one session…
  @ alone                                       …or each line in one of its own, as at the beginning
  # a comment)";

FreeSentences read_free_sentences(std::string_view name, std::string_view text) {
  SentenceReader reader(name);
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    reader.line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.take();
}

namespace {

/// Numbers are written with spaces that don't break, which no pattern has.
std::string with_plain_spaces(std::string text) {
  for (const std::string_view space : {"\u00a0", "\u202f"})
    for (auto at = text.find(space); at != std::string::npos; at = text.find(space, at + 1))
      text.replace(at, space.size(), " ");
  return text;
}

}  // namespace

FreeVerdict judge(const FreeSentence& wanted, std::string_view skill_id, const std::string& speech,
                  bool declined) {
  if (declined) return wanted.skill_id.empty() ? FreeVerdict::kRight : FreeVerdict::kDeclined;
  const bool says_so = !wanted.speech || std::regex_search(with_plain_spaces(speech), *wanted.speech);
  return wanted.skill_id == skill_id && says_so ? FreeVerdict::kRight : FreeVerdict::kWrong;
}

}  // namespace parley::bench
