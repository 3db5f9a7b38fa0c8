#include "app/trace_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "message/log.hpp"
#include "message/topics.hpp"

namespace parley {
namespace {

constexpr std::size_t kMostAtOnce = 512;  ///< Turns of one request.
constexpr std::chrono::seconds kPatience(10);
constexpr const char* kWho = "telemetry";

}  // namespace

TraceExport::TraceExport(const TelemetryConfig& settings, Bus& bus, Timers& timers, Counters& counters,
                         HttpTransport& http, boost::asio::any_io_executor loop, Offload offload)
    : settings_(settings),
      timers_(timers),
      http_(http),
      loop_(std::move(loop)),
      offload_(std::move(offload)),
      sent_(counters.counter("parley_telemetry_turns_total", {{"outcome", "sent"}})),
      dropped_(counters.counter("parley_telemetry_turns_total", {{"outcome", "dropped"}})),
      traces_(bus.subscribe(topic::kTrace, [this](const Message& trace) { take(trace); })) {
  wait();
}

void TraceExport::take(const Message& trace) {
  if (trace.data().value("outcome", "") == "waiting") return;  // it comes again at its end
  if (waiting_.size() >= static_cast<std::size_t>(settings_.max_queue)) return dropped_.add();
  waiting_.emplace_back(trace.data(), timers_.clock().wall());
}

void TraceExport::wait() {
  timer_ = timers_.at(timers_.clock().now() + settings_.every, [this] { send(); });
}

void TraceExport::finish() {
  is_ending_ = true;
  if (!is_sending_) send();
}

void TraceExport::send() {
  if (waiting_.empty()) return wait();
  is_sending_ = true;
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(waiting_.size(), kMostAtOnce));
  auto turns = std::make_shared<std::vector<TracedTurn>>(std::make_move_iterator(waiting_.begin()),
                                                         std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  auto body = std::make_shared<std::string>();
  const std::size_t count = turns->size();
  offload_(
      [turns, body, service = settings_.service, words = settings_.words] {
        *body = otlp_of(*turns, service, words).dump(-1, ' ', false, Json::error_handler_t::replace);
        turns->clear();
      },
      [this, body, count, there = std::weak_ptr(alive_)] {
        if (!there.expired()) scope_.spawn(loop_, deliver(std::move(*body), count));
      });
}

Task<> TraceExport::deliver(std::string body, std::size_t turns) {
  HttpRequest request = HttpRequest::post(settings_.traces, std::move(body));
  request.timeout = request.silence = kPatience;
  request.most_bytes = std::size_t{1} << 20U;
  request.redirections = 0;
  HttpStream stream = open_stream(http_, kWho, std::move(request));
  const Result<HttpResponse> answer = co_await whole_answer(std::move(stream));
  std::string failure = !answer        ? answer.error().message
                        : answer->ok() ? std::string()
                                       : fmt::format("HTTP status {}", answer->status);
  is_sending_ = false;
  tell(std::move(failure), turns);
  if (is_ending_ && is_failing_) waiting_.clear();
  // What has come meanwhile and fills a request need not wait.
  if (is_ending_ || (waiting_.size() >= kMostAtOnce && !is_failing_)) {
    send();
  } else {
    wait();
  }
}

void TraceExport::tell(std::string failure, std::size_t turns) {
  (failure.empty() ? sent_ : dropped_).add(turns);
  if (failure.empty() == !is_failing_) return;
  is_failing_ = !failure.empty();
  const std::string where = shown_url(settings_.traces);
  if (is_failing_) {
    log_warning(kWho, fmt::format("traces don't reach the collector at {}: {}; they are dropped and counted "
                                  "until it answers",
                                  where, failure));
  } else {
    log_info(kWho, fmt::format("the collector at {} takes traces again", where));
  }
}

}  // namespace parley
