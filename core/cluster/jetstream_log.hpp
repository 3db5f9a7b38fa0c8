#pragma once

#include <set>
#include <string>

#include "cluster/log_stream.hpp"

namespace parley::cluster {

class JetStream;

/// The log that instances share, as a stream of JetStream: `parley_<name>_log`, of at most 256 MiB.
class JetStreamLog final : public LogStream {
 public:
  explicit JetStreamLog(JetStream& owner) : owner_(owner) {}

  /// Sees to it that there is the stream. @param done  gets why there is none, and what to do
  void make(std::function<void(const std::string& failure)> done);
  /// The connection is there again.
  void connected();

  std::size_t max_payload() const override;
  void keep_for(std::chrono::milliseconds span) override { max_age_ = span; }
  void ask(std::function<void(const std::optional<LogState>& state)> told) override;
  void append(const std::string& subject, std::string payload, Done done) override;
  void remove(std::uint64_t sequence, Done done) override;
  [[nodiscard]] std::unique_ptr<Reading> read(const std::string& filter, std::uint64_t from, bool follows,
                                              Read read) override;

 private:
  class Reader;
  std::string stream() const;
  std::string prefix() const;

  JetStream& owner_;
  std::chrono::milliseconds max_age_{0};  ///< 0: for ever.
  std::set<Reader*> readers_;
};

}  // namespace parley::cluster
