#pragma once

#include <memory>
#include <mutex>

#include "runtime/http.hpp"

namespace parley {

/// Sends requests over the network: libcurl on a thread of its own, which begins with the first request. Up
/// to kHttpPlaces exchanges of one owner go on at a time; further ones wait, in the order in which they came.
class HttpClient final : public HttpTransport {
 public:
  HttpClient() = default;
  /// Ends what is under way as failed.
  ~HttpClient() override;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void begin(const std::string& owner, std::shared_ptr<HttpExchange> exchange) override;

 private:
  class Transfer;
  class Engine;
  std::once_flag begun_;
  std::shared_ptr<Engine> engine_;  ///< Since the first request.
};

}  // namespace parley
