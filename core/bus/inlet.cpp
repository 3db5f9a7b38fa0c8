#include "bus/inlet.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "message/codec.hpp"
#include "message/log.hpp"
#include "message/topics.hpp"

namespace parley {
namespace {

constexpr std::chrono::seconds kPeriod(10);
constexpr std::size_t kMostComplaints = 16;  ///< Different ones that are logged in a period.
constexpr std::size_t kLongest = 200;        ///< Bytes of a complaint; it may quote what was read.

Message rejection_of(const DecodeError& error) {
  // No session: the one it came with was none. No utterance_id: here nobody knows whose it may be by now.
  return Message(topic::kSessionRejected, {{"msg_type", error.msg_type}, {"reason", "malformed_carrier"}});
}

}  // namespace

Inlet::Inlet(Timers& timers, std::string origin) : timers_(timers), origin_(std::move(origin)) {}

Inlet::~Inlet() {
  if (unsaid_ > 0) summarise();
}

Decoded Inlet::read(std::string_view text, SenderPtr from) {
  Decoded result;
  auto decoded = decode(
      text,
      [&result](const std::string& field) {
        if (result.spoiled.size() < kMostComplaints) result.spoiled.push_back(field);
      },
      std::move(from));
  if (auto* message = std::get_if<Message>(&decoded)) {
    result.message.emplace(std::move(*message));
  } else {
    result.error.emplace(std::move(std::get<DecodeError>(decoded)));
  }
  return result;
}

Received Inlet::take(Decoded decoded) {
  for (const auto& field : decoded.spoiled) complain(field.substr(0, kLongest), field);
  Received received;
  received.message = std::move(decoded.message);
  if (!decoded.error) return received;
  complain("", fmt::format("dropped a malformed message: {}", decoded.error->reason));
  if (decoded.error->malformed_carrier) received.answers.push_back(rejection_of(*decoded.error));
  return received;
}

void Inlet::complain(const std::string& about, const std::string& text) {
  if (!period_) {
    period_ = timers_.at(timers_.clock().now() + kPeriod, [this] { summarise(); });
  }
  if (said_.size() >= kMostComplaints || !said_.insert(about).second) {
    ++unsaid_;
    return;
  }
  log_warning("bus", fmt::format("{}: {}", origin_, text.substr(0, kLongest)));
}

void Inlet::summarise() {
  period_.reset();
  said_.clear();
  if (unsaid_ == 0) return;
  log_warning("bus",
              fmt::format("{}: {} more such complaints in the last {} s", origin_, unsaid_, kPeriod.count()));
  unsaid_ = 0;
}

}  // namespace parley
