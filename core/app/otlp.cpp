#include "app/otlp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <parley/trace.hpp>

namespace parley {
namespace {

enum Status : std::uint8_t { kUnset = 0, kFailed = 2 };
enum SpanKind : std::uint8_t { kInternal = 1, kServer = 2 };

Json attribute(const char* key, std::string value) {
  return {{"key", key}, {"value", {{"stringValue", std::move(value)}}}};
}

std::string text_of(const Json& step, const char* key) {
  const auto found = step.find(key);
  return found != step.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The spans of one turn.
class Spans {
 public:
  Spans(const TracedTurn& turn, bool words) : turn_(turn), words_(words) {
    const auto lasted = std::chrono::microseconds(std::llround(turn.trace.value("duration_us", 0.0)));
    began_ =
        std::chrono::duration_cast<std::chrono::nanoseconds>(turn.ended.time_since_epoch() - lasted).count();
    id_ = text_of(turn.trace, "utterance_id");
    std::erase(id_, '-');
    const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    if (id_.size() != 32 || !std::all_of(id_.begin(), id_.end(), is_hex))  // another program made it
      id_ = fmt::format("{:032x}", std::hash<std::string>()(id_) | 1U);
  }

  std::vector<Json> all() {
    Json whole = Json::array();
    for (const char* const key : {"session_id", "lang", "outcome"})
      whole.push_back(
          attribute(key == std::string_view("session_id") ? "session.id" : key, text_of(turn_.trace, key)));
    list_.push_back(span("turn", kServer, 0, turn_.trace.value("duration_us", 0.0)));
    list_.front().erase("parentSpanId");
    for (const Json& step : turn_.trace.value("steps", Json::array())) take(step, whole);
    if (handler_) end_handler(turn_.trace.value("duration_us", 0.0), kUnset, "");
    if (words_) {
      std::string said;
      for (const Json& one : turn_.trace.value("utterances", Json::array()))
        if (one.is_string() && said.empty()) said = one.get<std::string>();
      whole.push_back(attribute("parley.utterance", said));
    }
    list_.front()["attributes"] = std::move(whole);
    if (text_of(turn_.trace, "outcome") == "error") list_.front()["status"] = {{"code", kFailed}};
    return std::move(list_);
  }

 private:
  void take(const Json& step, Json& whole) {
    const auto kind = trace_kind(text_of(step, "kind"));
    if (!kind) return;
    const std::string subject = text_of(step, "subject"), text = text_of(step, "text");
    const double at = step.value("at_us", 0.0);
    switch (*kind) {
      case TraceKind::kAsk:
        if (!handler_) asked_.emplace(subject, at);
        return;
      case TraceKind::kMatch:
        whole.push_back(attribute("parley.entry", subject));
        whole.push_back(attribute("parley.intent", text));
        return end_entry(subject, at, "match", kUnset, text);
      case TraceKind::kDecline:
        return end_entry(subject, at, "decline", kUnset, text);
      case TraceKind::kGuard:
        return end_entry(subject, at, "guard", kUnset, text);
      case TraceKind::kFault:
        return end_entry(subject, at, "fault", kFailed, text);
      case TraceKind::kStart:
        handler_ = span("handler " + subject, kInternal, at, at);
        (*handler_)["attributes"] = Json::array({attribute("parley.intent", subject + ":" + text)});
        return;
      case TraceKind::kComplete:
        return end_handler(at, kUnset, "");
      case TraceKind::kError:
        return end_handler(at, kFailed, text);
      case TraceKind::kSpeak:
        if (words_ && handler_)
          (*handler_)["events"].push_back({{"name", "speak"},
                                           {"timeUnixNano", nanoseconds(at)},
                                           {"attributes", {attribute("parley.speech", text)}}});
        return;
      default:
        return;
    }
  }

  void end_entry(const std::string& name, double at, const char* how, Status status, const std::string& why) {
    const auto begun = asked_.find(name);
    Json one = span("entry " + name, kInternal, begun == asked_.end() ? at : begun->second, at);
    if (begun != asked_.end()) asked_.erase(begun);
    one["attributes"] = Json::array({attribute("outcome", how)});
    set_status(one, status, why);
    list_.push_back(std::move(one));
  }
  void end_handler(double at, Status status, const std::string& why) {
    if (!handler_) return;
    (*handler_)["endTimeUnixNano"] = nanoseconds(at);
    set_status(*handler_, status, why);
    list_.push_back(std::move(*handler_));
    handler_.reset();
  }
  static void set_status(Json& span, Status status, const std::string& why) {
    if (status != kUnset) span["status"] = {{"code", status}, {"message", why}};
  }

  /// Of a turn's `at_us`. As text: JSON's numbers end at 53 bits.
  std::string nanoseconds(double at) const { return std::to_string(began_ + std::llround(at * 1000)); }
  Json span(const std::string& name, SpanKind kind, double from, double to) {
    return {{"traceId", id_},
            {"spanId", fmt::format("{:016x}", ++spans_)},
            {"parentSpanId", fmt::format("{:016x}", 1)},
            {"name", name},
            {"kind", kind},
            {"startTimeUnixNano", nanoseconds(from)},
            {"endTimeUnixNano", nanoseconds(to)}};
  }

  const TracedTurn& turn_;
  const bool words_;
  std::string id_;
  std::int64_t began_ = 0;  ///< Nanoseconds since 1970.
  int spans_ = 0;
  std::map<std::string, double> asked_;  ///< Entries without an answer yet, and since when.
  std::optional<Json> handler_;
  std::vector<Json> list_;
};

}  // namespace

Json otlp_of(const std::vector<TracedTurn>& turns, const std::string& service, bool words) {
  Json spans = Json::array();
  for (const TracedTurn& turn : turns)
    for (Json& span : Spans(turn, words).all()) spans.push_back(std::move(span));
  Json scope = {{"scope", {{"name", "parley"}}}, {"spans", std::move(spans)}};
  return {{"resourceSpans",
           Json::array({{{"resource", {{"attributes", Json::array({attribute("service.name", service)})}}},
                         {"scopeSpans", Json::array({std::move(scope)})}}})}};
}

}  // namespace parley
