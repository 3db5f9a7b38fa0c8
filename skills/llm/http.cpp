#include "http.hpp"

#include <curl/curl.h>

#include <stdexcept>

namespace parley::llm {
namespace {

constexpr long kConnectSeconds = 5;

/// A failure names itself in the text; which option it was is in the source.
void must(CURLcode code) {
  if (code != CURLE_OK) throw std::runtime_error(curl_easy_strerror(code));
}

}  // namespace

struct HttpExchange::Handles {
  Handles(HttpRequest what, Receive whither) : request(std::move(what)), receive(std::move(whither)) {}
  ~Handles() {
    if (multi != nullptr && easy != nullptr) curl_multi_remove_handle(multi, easy);
    curl_easy_cleanup(easy);
    curl_multi_cleanup(multi);
    curl_slist_free_all(headers);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  static std::size_t received(char* data, std::size_t, std::size_t size, void* self) {
    static_cast<Handles*>(self)->receive(std::string_view(data, size));
    return size;
  }
  void add_header(const std::string& header) {
    curl_slist* const longer = curl_slist_append(headers, header.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    headers = longer;
  }
  void prepare();

  const HttpRequest request;
  const Receive receive;
  CURLM* multi = nullptr;
  CURL* easy = nullptr;
  curl_slist* headers = nullptr;
  bool over = false;
  std::string failure;
  long status = 0;
};

void HttpExchange::Handles::prepare() {
  multi = curl_multi_init();
  easy = curl_easy_init();
  if (multi == nullptr || easy == nullptr) throw std::bad_alloc();
  must(curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str()));
  must(curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https"));
  must(curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L));
  must(curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, kConnectSeconds));
  must(curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L));
  must(curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, static_cast<long>(request.patience.count())));
  must(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &Handles::received));
  must(curl_easy_setopt(easy, CURLOPT_WRITEDATA, this));
  if (!request.key.empty()) add_header("Authorization: Bearer " + request.key);
  if (!request.body.empty()) {
    add_header("Content-Type: application/json");
    add_header("Expect:");
    must(curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.c_str()));
    must(curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(request.body.size())));
  }
  must(curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers));
  if (curl_multi_add_handle(multi, easy) != CURLM_OK) throw std::runtime_error("libcurl takes no request");
}

HttpExchange::HttpExchange(HttpRequest request, Receive receive)
    : handles_(std::make_unique<Handles>(std::move(request), std::move(receive))) {
  handles_->prepare();
}

HttpExchange::~HttpExchange() = default;

bool HttpExchange::step(std::chrono::milliseconds wait) {
  Handles& own = *handles_;
  if (own.over) return false;
  int running = 0;
  CURLMcode code = curl_multi_perform(own.multi, &running);
  if (code == CURLM_OK && running != 0) {
    code = curl_multi_poll(own.multi, nullptr, 0, static_cast<int>(wait.count()), nullptr);
    if (code == CURLM_OK) code = curl_multi_perform(own.multi, &running);
  }
  curl_easy_getinfo(own.easy, CURLINFO_RESPONSE_CODE, &own.status);
  if (code == CURLM_OK && running != 0) return true;
  own.over = true;
  if (code != CURLM_OK) own.failure = curl_multi_strerror(code);
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(own.multi, &left)) {
    if (message->msg == CURLMSG_DONE && message->data.result != CURLE_OK)
      own.failure = curl_easy_strerror(message->data.result);
  }
  return false;
}

const std::string& HttpExchange::failure() const noexcept {
  return handles_->failure;
}

long HttpExchange::status() const noexcept {
  return handles_->status;
}

}  // namespace parley::llm
