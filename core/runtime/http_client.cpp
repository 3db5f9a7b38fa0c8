#include "runtime/http_client.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <list>
#include <stdexcept>
#include <thread>
#include <vector>

#include "runtime/crash_report.hpp"
#include "runtime/thread_name.hpp"

namespace parley {
namespace {

using Now = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kConnectBound(10'000);
constexpr std::size_t kMostHeaders = std::size_t{64} << 10U;
/// How long the thread sleeps when nothing is due; whoever has something for it wakes it.
constexpr int kIdleMs = 60'000;

/// A failure names itself in the text; which option it was is in the source.
void must(CURLcode code) {
  if (code != CURLE_OK) throw std::runtime_error(curl_easy_strerror(code));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

long whole_seconds(Duration time) {
  return static_cast<long>(std::chrono::ceil<std::chrono::seconds>(time).count());
}

}  // namespace

/// One exchange as libcurl has it. On the engine's thread.
class HttpClient::Transfer {
 public:
  Transfer(std::string whose, std::shared_ptr<HttpExchange> what)
      : owner(std::move(whose)),
        exchange(std::move(what)),
        deadline(Now::now() + std::chrono::duration_cast<Now::duration>(exchange->request.timeout)) {}
  ~Transfer() {
    if (multi_ != nullptr) curl_multi_remove_handle(multi_, easy_);
    curl_easy_cleanup(easy_);
    curl_slist_free_all(headers_);
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// @throws std::exception when it can't even be begun
  void begin(CURLM* multi) {
    prepare();
    if (curl_multi_add_handle(multi, easy_) != CURLM_OK) throw std::runtime_error("libcurl takes no request");
    multi_ = multi;
  }
  bool begun() const noexcept { return multi_ != nullptr; }
  bool is(const CURL* easy) const noexcept { return easy_ == easy; }
  void end(CURLcode result) {
    tell_head();
    exchange->end(result == CURLE_OK ? std::string() : curl_easy_strerror(result));
  }

  const std::string owner;
  const std::shared_ptr<HttpExchange> exchange;
  const Now::time_point deadline;

 private:
  void prepare();
  void set_body(const HttpRequest& request);

  void add_header(const std::string& header) {
    curl_slist* const longer = curl_slist_append(headers_, header.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    headers_ = longer;
  }

  static std::size_t on_header(char* data, std::size_t, std::size_t size, void* self) {
    return static_cast<Transfer*>(self)->take_header(std::string_view(data, size)) ? size : 0;
  }
  bool take_header(std::string_view line) {
    if (line.starts_with("HTTP/")) {  // another answer: after a redirection, or "100 Continue"
      received_.clear();
      header_bytes_ = 0;
    }
    header_bytes_ += line.size();
    if (header_bytes_ > kMostHeaders) return false;
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return true;
    std::string name(line.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
    received_.insert_or_assign(std::move(name), std::string(trimmed(line.substr(colon + 1))));
    return true;
  }

  static std::size_t on_body(char* data, std::size_t, std::size_t size, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    transfer.tell_head();
    return transfer.exchange->add(std::string_view(data, size)) ? size : 0;
  }

  void tell_head() {
    if (std::exchange(told_head_, true)) return;
    long status = 0;
    curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
    exchange->set_head(static_cast<int>(status), std::move(received_));
  }

  CURLM* multi_ = nullptr;
  CURL* easy_ = nullptr;
  curl_slist* headers_ = nullptr;
  std::map<std::string, std::string> received_;
  std::size_t header_bytes_ = 0;
  bool told_head_ = false;
};

void HttpClient::Transfer::prepare() {
  const HttpRequest& request = exchange->request;
  easy_ = curl_easy_init();
  if (easy_ == nullptr) throw std::bad_alloc();
  const bool secure = request.url.starts_with("https://");
  must(curl_easy_setopt(easy_, CURLOPT_URL, request.url.c_str()));
  must(curl_easy_setopt(easy_, CURLOPT_PROTOCOLS_STR, "http,https"));
  must(curl_easy_setopt(easy_, CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https"));
  must(curl_easy_setopt(easy_, CURLOPT_FOLLOWLOCATION, request.redirections > 0 ? 1L : 0L));
  must(curl_easy_setopt(easy_, CURLOPT_MAXREDIRS, static_cast<long>(request.redirections)));
  must(curl_easy_setopt(easy_, CURLOPT_NOSIGNAL, 1L));
  must(curl_easy_setopt(easy_, CURLOPT_QUICK_EXIT, 1L));  // ending it does not wait for a name server
  must(curl_easy_setopt(easy_, CURLOPT_ACCEPT_ENCODING, ""));
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Now::now());
  must(curl_easy_setopt(easy_, CURLOPT_TIMEOUT_MS, std::max<long>(1, left.count())));
  must(curl_easy_setopt(easy_, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(kConnectBound.count())));
  must(curl_easy_setopt(easy_, CURLOPT_LOW_SPEED_LIMIT, 1L));
  must(curl_easy_setopt(easy_, CURLOPT_LOW_SPEED_TIME, whole_seconds(request.silence)));
  must(curl_easy_setopt(easy_, CURLOPT_WRITEFUNCTION, &Transfer::on_body));
  must(curl_easy_setopt(easy_, CURLOPT_WRITEDATA, this));
  must(curl_easy_setopt(easy_, CURLOPT_HEADERFUNCTION, &Transfer::on_header));
  must(curl_easy_setopt(easy_, CURLOPT_HEADERDATA, this));
  set_body(request);
  for (const auto& [name, value] : request.headers)
    add_header(value.empty() ? name + ";" : name + ": " + value);
  must(curl_easy_setopt(easy_, CURLOPT_HTTPHEADER, headers_));
}

void HttpClient::Transfer::set_body(const HttpRequest& request) {
  if (request.method == "GET" && request.body.empty()) return;
  if (request.method == "HEAD") return must(curl_easy_setopt(easy_, CURLOPT_NOBODY, 1L));
  if (request.method == "POST" || !request.body.empty()) {
    must(curl_easy_setopt(easy_, CURLOPT_POSTFIELDS, request.body.c_str()));
    must(curl_easy_setopt(easy_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size())));
    add_header("Expect:");
  }
  if (request.method != "POST") must(curl_easy_setopt(easy_, CURLOPT_CUSTOMREQUEST, request.method.c_str()));
}

/// What the client's thread runs. Shared with exchanges, which wake it when they are let go.
class HttpClient::Engine {
 public:
  Engine() : multi_(curl_multi_init()) {
    if (multi_ == nullptr) throw std::bad_alloc();
  }
  ~Engine() { curl_multi_cleanup(multi_); }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void add(std::unique_ptr<Transfer> transfer) {
    {
      const std::lock_guard lock(mutex_);
      coming_.push_back(std::move(transfer));
      if (!thread_.joinable()) {
        thread_ = std::thread([this] {
          name_thread("http");
          run();
        });
      }
    }
    wake();
  }
  void wake() { curl_multi_wakeup(multi_); }
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake();
    if (thread_.joinable()) thread_.join();
    for (const auto& transfer : coming_) transfer->exchange->end("the assistant ends");
    for (const auto& transfer : transfers_) transfer->exchange->end("the assistant ends");
    coming_.clear();
    transfers_.clear();
  }

 private:
  void run() {
    const SignalStack signals;
    while (take_coming()) {
      drop_ended();
      begin_waiting();
      int running = 0;
      CURLMcode code = curl_multi_perform(multi_, &running);
      if (code == CURLM_OK && take_results()) continue;  // which made places
      if (code == CURLM_OK) code = curl_multi_poll(multi_, nullptr, 0, patience(), nullptr);
      if (code != CURLM_OK) fail_all(curl_multi_strerror(code));
    }
  }

  /// False once it is to stop.
  bool take_coming() {
    const std::lock_guard lock(mutex_);
    for (auto& transfer : coming_) transfers_.push_back(std::move(transfer));
    coming_.clear();
    return !stopping_;
  }

  void drop_ended() {
    std::erase_if(transfers_, [](const auto& one) { return one->exchange->is_abandoned(); });
    std::erase_if(transfers_, [now = Now::now()](const auto& one) {
      if (one->begun() || one->deadline > now) return false;
      one->exchange->end(
          fmt::format("its time was over before one of its owner's {} places was free", kHttpPlaces));
      return true;
    });
  }

  void begin_waiting() {
    std::map<std::string_view, std::size_t> places;
    for (const auto& one : transfers_) places[one->owner] += one->begun() ? 1U : 0U;
    std::erase_if(transfers_, [&](const auto& one) {
      if (one->begun() || places[one->owner] >= kHttpPlaces) return false;
      try {
        one->begin(multi_);
        ++places[one->owner];
        return false;
      } catch (const std::exception& problem) {
        one->exchange->end(problem.what());
        return true;
      }
    });
  }

  bool take_results() {
    bool any = false;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode result = message->data.result;
      std::erase_if(transfers_, [&, easy = message->easy_handle](const auto& one) {
        if (!one->is(easy)) return false;
        one->end(result);
        return true;
      });
      any = true;
    }
    return any;
  }

  void fail_all(const char* problem) {
    for (const auto& one : transfers_) one->exchange->end(problem);
    transfers_.clear();
  }

  /// Until who waits for a place has to be told that there is none; libcurl knows its own deadlines.
  int patience() const {
    auto until = Now::now() + std::chrono::milliseconds(kIdleMs);
    for (const auto& one : transfers_) {
      if (!one->begun()) until = std::min(until, one->deadline);
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Now::now());
    return static_cast<int>(std::max<long>(0, left.count()));
  }

  CURLM* const multi_;
  std::list<std::unique_ptr<Transfer>> transfers_;  ///< On the thread; in the order in which they came.
  std::mutex mutex_;
  std::deque<std::unique_ptr<Transfer>> coming_;
  bool stopping_ = false;
  std::thread thread_;
};

HttpClient::~HttpClient() {
  if (engine_) engine_->stop();
}

void HttpClient::begin(const std::string& owner, std::shared_ptr<HttpExchange> exchange) {
  if (const std::string problem = problem_of(exchange->request); !problem.empty())
    return exchange->end(problem);
  std::call_once(begun_, [this] {
    must(curl_global_init(CURL_GLOBAL_DEFAULT));
    engine_ = std::make_shared<Engine>();
  });
  exchange->when_abandoned([weak = std::weak_ptr(engine_)] {
    if (const auto engine = weak.lock()) engine->wake();
  });
  engine_->add(std::make_unique<Transfer>(owner, std::move(exchange)));
}

}  // namespace parley
