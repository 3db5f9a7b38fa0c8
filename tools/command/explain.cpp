#include "explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <parley/trace.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::command {
namespace {

using Json = nlohmann::json;

enum class Tone { kPlain, kQuiet, kGood, kBad };

/// How a step reads: `<subject> <verb> <text>`.
struct Wording {
  Wording(std::string_view says, Tone in, bool speech = false) : verb(says), tone(in), quoted(speech) {}
  std::string_view verb;
  Tone tone;
  bool quoted;  ///< The text is something that was said.
};

Wording wording_of(TraceKind kind) {
  switch (kind) {
    case TraceKind::kPipeline:
    case TraceKind::kNote:
    case TraceKind::kCandidate:  // this and the next two are told otherwise
    case TraceKind::kVeto:
    case TraceKind::kHandled:
      return {"", Tone::kPlain};
    case TraceKind::kLanguage:
      return {"", Tone::kQuiet};
    case TraceKind::kAsk:
      return {"asked", Tone::kPlain};
    case TraceKind::kClaim:
      return {"claims it", Tone::kPlain};
    case TraceKind::kAnswer:
      return {"answered", Tone::kPlain};
    case TraceKind::kSilent:
      return {"gave no answer", Tone::kQuiet};
    case TraceKind::kDecline:
      return {"declined", Tone::kQuiet};
    case TraceKind::kFault:
    case TraceKind::kError:
      return {"failed", Tone::kBad};
    case TraceKind::kSkip:
      return {"skipped", Tone::kQuiet};
    case TraceKind::kGuard:
      return {"refused", Tone::kBad};
    case TraceKind::kMatch:
      return {"matched", Tone::kGood};
    case TraceKind::kStart:
      return {"handler started", Tone::kPlain};
    case TraceKind::kSpeak:
      return {"says", Tone::kGood, true};
    case TraceKind::kDropped:
      return {"dropped", Tone::kBad};
    case TraceKind::kComplete:
      return {"completed", Tone::kGood};
    case TraceKind::kUnmatched:
      return {"", Tone::kBad};
  }
  return {"", Tone::kPlain};
}

constexpr std::size_t kTimeWidth = 9;
constexpr std::size_t kLabelWidth = 16;

std::string text_of(const Json& value) {
  if (value.is_string()) return one_line(value.get_ref<const std::string&>());
  if (value.is_number_float()) return fmt::format("{:.2f}", value.get<double>());
  return one_line(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string text_at(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() || found->is_null() ? std::string() : text_of(*found);
}

double number_at(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
}

const Json& array_at(const Json& object, const char* key) {
  static const Json kNone = Json::array();
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_array() ? *found : kNone;
}

/// The facts of a step as `{name: value, …}`, without those that are shown otherwise.
std::string facts_text(const Json& step, const std::vector<std::string_view>& shown = {}) {
  const auto found = step.find("facts");
  if (found == step.end() || !found->is_object()) return {};
  std::string out;
  for (const auto& [name, value] : found->items()) {
    if (std::find(shown.begin(), shown.end(), name) != shown.end()) continue;
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", one_line(name), text_of(value));
  }
  return out.empty() ? out : "{" + out + "}";
}

std::string fact(const Json& step, const char* name) {
  const auto found = step.find("facts");
  return found == step.end() ? std::string() : text_at(*found, name);
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const auto& part : parts) {
    if (part.empty()) continue;
    if (!out.empty()) out += between;
    out += part;
  }
  return out;
}

std::string toned(Tone tone, const std::string& text, const Paint& paint) {
  switch (tone) {
    case Tone::kPlain:
      return text;
    case Tone::kQuiet:
      return paint.dim(text);
    case Tone::kGood:
      return paint.green(text);
    case Tone::kBad:
      return paint.red(text);
  }
  return text;
}

/// What a match filled its slots with, and what else there is to know; who it was is said already.
std::string match_facts(const Json& step) {
  const std::string slots = fact(step, "slots");
  const std::string others = facts_text(step, {"slots", "lang", "pipeline_id"});
  return joined({slots.empty() ? slots : "{" + slots + "}", others}, "  ");
}

/// Scores come as numbers or, like all facts of a trace, as text.
std::string score_text(const Json& step) {
  const std::string raw = fact(step, "score");
  char* end = nullptr;
  const double score = std::strtod(raw.c_str(), &end);
  const bool number = end != raw.c_str() && *end == '\0' && std::isfinite(score);
  return number ? fmt::format("{:.2f}", score) : raw;
}

std::string considered_line(const Json& step, bool vetoed, const Paint& paint) {
  std::string why = fact(step, "why");
  if (why.empty()) why = text_at(step, "text");
  const std::string mark = vetoed ? paint.red("✗") : paint.green("✓");
  const std::string rest = joined({padded(text_at(step, "subject"), 32), padded(score_text(step), 4), why,
                                   facts_text(step, {"score", "why"})},
                                  "  ");
  return fmt::format("{}{} {}", std::string(kTimeWidth + 5, ' '), mark, rest);
}

/// Whether a candidate may not win, as the step behind it says.
bool is_vetoed_next(const Json& steps, std::size_t at) {
  if (at + 1 >= steps.size() || !steps[at + 1].is_object()) return false;
  return trace_kind(text_at(steps[at], "kind")) == TraceKind::kCandidate &&
         trace_kind(text_at(steps[at + 1], "kind")) == TraceKind::kVeto &&
         text_at(steps[at], "subject") == text_at(steps[at + 1], "subject");
}

std::string time_text(const Json& step) {
  const std::string text = format_microseconds(number_at(step, "at_us"));
  const auto width = display_width(text);
  return std::string(width < kTimeWidth ? kTimeWidth - width : 0, ' ') + text;
}

std::string step_line(const Json& step, const Paint& paint) {
  const std::string kind = text_at(step, "kind");
  const std::string subject = text_at(step, "subject");
  const auto known = trace_kind(kind);
  const Wording wording = known ? wording_of(*known) : Wording(kind, Tone::kPlain);
  std::string text = text_at(step, "text");
  if (wording.quoted && !text.empty()) text = fmt::format("\"{}\"", text);
  const std::string verb = toned(wording.tone, std::string(wording.verb), paint);
  // The tag is in the text, with the reason why it is that one.
  const bool by_kind = subject.empty() || known == TraceKind::kLanguage;
  const std::string label = padded(by_kind ? kind : subject, kLabelWidth);
  return fmt::format(
      "{}  {}  {}", paint.dim(time_text(step)), label,
      joined({verb, text, paint.dim(known == TraceKind::kMatch ? match_facts(step) : facts_text(step))},
             "  "));
}

std::string header(const Json& trace, const Paint& paint) {
  std::string said;
  for (const auto& utterance : array_at(trace, "utterances")) {
    said += fmt::format("{}\"{}\"", said.empty() ? "" : " or ", text_of(utterance));
  }
  if (said.empty()) said = "(nothing was said)";
  const std::string session = text_at(trace, "session_id");
  return joined(
      {paint.bold(said), text_at(trace, "lang"), session.empty() ? session : paint.dim("session " + session)},
      "  ");
}

std::string footer(const Json& trace, const Paint& paint) {
  std::string outcome = text_at(trace, "outcome");
  if (outcome == "complete") outcome = "completed";
  const std::string took = format_microseconds(number_at(trace, "duration_us"));
  const bool good = outcome == "answered" || outcome == "completed";
  const std::string ended = outcome.empty() ? std::string("the turn was handled")
                                            : toned(good ? Tone::kGood : Tone::kBad, outcome, paint);
  return fmt::format("{}  {}", std::string(kTimeWidth, ' '),
                     fmt::format("{}; handled after {}", ended, took));
}

}  // namespace

std::string format_microseconds(double microseconds) {
  if (!std::isfinite(microseconds) || microseconds < 0) return "? µs";
  if (microseconds < 9999.5) return fmt::format("{:.0f} µs", microseconds);
  if (microseconds < 999'950) return fmt::format("{:.1f} ms", microseconds / 1e3);
  return fmt::format("{:.2f} s", microseconds / 1e6);
}

std::string explain(const Json& trace, const Paint& paint) {
  std::string out = header(trace, paint) + "\n";
  const Json& steps = array_at(trace, "steps");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Json step = steps[i];
    if (!step.is_object()) continue;
    if (is_vetoed_next(steps, i)) {  // one line says both
      if (!step["facts"].is_object()) step["facts"] = Json::object();
      step["facts"]["why"] = text_at(steps[++i], "text");
      out += considered_line(step, true, paint) + "\n";
      continue;
    }
    const auto kind = trace_kind(text_at(step, "kind"));
    if (kind == TraceKind::kHandled) continue;  // the footer says it
    const bool considered = kind == TraceKind::kCandidate || kind == TraceKind::kVeto;
    out +=
        (considered ? considered_line(step, kind == TraceKind::kVeto, paint) : step_line(step, paint)) + "\n";
  }
  return out + footer(trace, paint) + "\n";
}

}  // namespace parley::command
