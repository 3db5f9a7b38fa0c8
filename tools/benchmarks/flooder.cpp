#include "flooder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "bench_skill.hpp"
#include "config/files.hpp"
#include "socket_client.hpp"
#include "terminal.hpp"

namespace parley::bench {
namespace {

using Json = nlohmann::json;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kMostMessages = 5'000'000;
constexpr std::size_t kMostConnections = 1'000;
constexpr std::size_t kDistinct = 500;          ///< Messages that are made once and sent again and again.
constexpr std::size_t kBigMessage = 1'040'000;  ///< Bytes: a little less than `gateway.max_frame`.

std::string utterance(const std::string& text, std::size_t number) {
  return message_text("ovos.utterance.handle", {{"utterances", {text}}, {"lang", "en-US"}},
                      {{"session", {{"session_id", fmt::format("flood.{}", number % 16)}}}});
}

std::string registration(std::size_t number) {
  Json samples = Json::array();
  for (int i = 0; i < 10; ++i)
    samples.push_back(fmt::format("flood word{} sample{} [please] {{what}} now", number, i));
  const Json data = {{"skill_id", "flood.test"},
                     {"intent_name", fmt::format("intent_{}", number)},
                     {"lang", "en-US"},
                     {"samples", std::move(samples)}};
  return message_text("ovos.intent.register.template", data, {{"skill_id", "flood.test"}});
}

/// One megabyte that takes as long to read as one can: hundreds of thousands of small values.
std::string big_json() {
  std::string list = "[0";
  while (list.size() < kBigMessage) list += ",0";
  return R"({"type": "flood.big", "data": {"list": )" + list + "]}, \"context\": {}}";
}

std::vector<std::string> messages_of(const std::string& kind) {
  if (kind == "big_json") return {big_json()};
  std::vector<std::string> messages;
  for (std::size_t i = 0; i < kDistinct; ++i) {
    if (kind == "utterances") messages.push_back(utterance(kBenchIntentUtterance, i));
    if (kind == "questions") messages.push_back(utterance("what is the capital of france", i));
    if (kind == "registrations") messages.push_back(registration(i));
  }
  return messages;
}

SteadyClock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(seconds));
}

/// Both ends of a pipe; what the child writes is read at its end.
std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  return ends;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

const std::vector<std::string>& flood_kinds() {
  static const std::vector<std::string> kinds{"utterances", "questions", "big_json", "registrations"};
  return kinds;
}

void flood_only(const Flood& flood) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto messages = messages_of(flood.kind);
  if (messages.empty()) throw std::runtime_error("no such flood: " + flood.kind);
  const std::string target =
      "/core?topics=nothing.of.it" + (flood.token.empty() ? std::string() : "&token=" + flood.token);
  const auto until = SteadyClock::now() + duration_of(flood.seconds);
  std::size_t sent = 0, connections = 0;
  while (SteadyClock::now() < until && sent < kMostMessages && connections < kMostConnections) {
    try {
      SocketClient client(flood.port);
      client.upgrade(target);
      ++connections;
      client.bound_writes(std::chrono::seconds(1));
      for (; SteadyClock::now() < until && sent < kMostMessages; ++sent)
        client.send_text(messages[sent % messages.size()]);
    } catch (const std::exception&) {
      ++connections;  // it was thrown out, or its time is over: what it does is bounded either way
    }
  }
  command::print(fmt::format("{} {}\n", sent, connections));
}

Flooder::Flooder(const Flood& flood) : flood_(flood) {
  const auto ends = make_pipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::vector<std::string> words{(executable_directory() / "parley-bench").string(),
                                 "--flood-only",
                                 flood.kind,
                                 "--flood-port",
                                 std::to_string(flood.port),
                                 "--flood-token",
                                 flood.token,
                                 "--seconds",
                                 fmt::format("{}", flood.seconds)};
  if (flood.token.empty()) words.erase(words.begin() + 5, words.begin() + 7);
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int failed =
      ::posix_spawn(&child_, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  output_ = ends[0];
  if (failed != 0) {
    ::close(output_);
    throw std::system_error(failed, std::generic_category(), "starting a flooder");
  }
}

Flooder::~Flooder() {
  if (child_ > 0) ::waitpid(child_, nullptr, 0);
  if (output_ >= 0) ::close(output_);
}

Flooder::Result Flooder::finish() {
  std::string line;
  for (char c = 0; ::read(output_, &c, 1) == 1;) line.push_back(c);
  int status = 0;
  rusage used{};
  ::wait4(child_, &status, 0, &used);
  child_ = -1;
  Result result;
  std::istringstream words(line);
  if (!(words >> result.messages >> result.connections))
    throw std::runtime_error(fmt::format("a flooder of {} ended with status {}", flood_.kind, status));
  result.cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  result.seconds = flood_.seconds;
  return result;
}

}  // namespace parley::bench
