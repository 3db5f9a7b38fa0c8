#include "older_skills.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "bench_skill.hpp"
#include "repeat.hpp"
#include "served.hpp"
#include "socket_client.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

constexpr int kSkills = 50;
constexpr const char* kNobodys = "flurb the grommet";

std::string older_message(const std::string& topic, const nlohmann::json& data,
                          const std::string& skill_id = {}) {
  nlohmann::json context = {
      {"session", {{"session_id", "default"}, {"active_skills", nlohmann::json::array()}}}};
  if (!skill_id.empty()) context["skill_id"] = skill_id;
  return nlohmann::json{{"type", topic}, {"data", data}, {"context", context}}.dump();
}

/// Skills that only have intents, each on a connection of its own, as their launcher has it. What they are
/// sent is read by a thread.
class OlderSkills {
 public:
  OlderSkills(unsigned short port, int count) {
    for (int number = 0; number < count; ++number) {
      clients_.emplace_back(port);
      clients_.back().upgrade("/core");
      introduce(clients_.back(), number);
      polled_.push_back({clients_.back().descriptor(), POLLIN, 0});
    }
    reader_ = std::thread([this] { read(); });
  }
  ~OlderSkills() {
    ends_ = true;
    reader_.join();
  }
  OlderSkills(const OlderSkills&) = delete;
  OlderSkills& operator=(const OlderSkills&) = delete;

  /// How many connections have ended.
  int lost() const { return lost_; }

 private:
  static void introduce(SocketClient& client, int number) {
    const std::string id = fmt::format("older-{}.bench", number);
    const std::string kind = fmt::format("older_{}_bench", number);
    client.send_text(older_message("ovos.session.sync", nlohmann::json::object()));
    client.send_text(older_message("mycroft.skills.is_ready", nlohmann::json::object()));
    for (const char* word : {"frobnicate", "twiddle", "tweak"}) {
      client.send_text(older_message("register_vocab",
                                     {{"entity_value", fmt::format("{} {}", word, number)},
                                      {"entity_type", kind + "Word"},
                                      {"lang", "en-US"}},
                                     id));
    }
    const nlohmann::json word = nlohmann::json::array({kind + "Word", kind + "Word"});
    const nlohmann::json none = nlohmann::json::array();
    client.send_text(older_message("register_intent",
                                   {{"name", id + ":Word"},
                                    {"requires", nlohmann::json::array({word})},
                                    {"optional", none},
                                    {"at_least_one", none},
                                    {"excludes", none}},
                                   id));
    client.send_text(
        older_message("padatious:register_intent",
                      {{"name", id + ":do.intent"},
                       {"samples", nlohmann::json::array({fmt::format("frobnicate number {}", number)})},
                       {"lang", "en-US"},
                       {"blacklisted_words", none}},
                      id));
    // It has all been heard when this comes back.
    const std::string mark = fmt::format("bench.mark.{}", number);
    client.send_text(older_message(mark, nlohmann::json::object()));
    while (client.receive().find(mark) == std::string_view::npos) {
    }
  }

  void read() {
    while (!ends_) {
      if (::poll(polled_.data(), polled_.size(), 20) <= 0) continue;
      for (std::size_t i = 0; i < polled_.size(); ++i) {
        if (polled_[i].revents == 0) continue;
        try {
          clients_[i].count_frames();
        } catch (const std::exception&) {
          polled_[i].fd = -1;
          ++lost_;
        }
      }
    }
  }

  std::vector<SocketClient> clients_;
  std::vector<pollfd> polled_;
  std::thread reader_;
  std::atomic<bool> ends_ = false;
  std::atomic<int> lost_ = 0;
};

std::string utterance(const std::string& text) {
  return nlohmann::json{{"type", "ovos.utterance.handle"},
                        {"data", {{"utterances", {text}}}},
                        {"context", {{"session", {{"session_id", "bench"}}}}}}
      .dump();
}

/// @returns the median, in µs
double measure_turn(const Served& served, int skills, const char* what, const char* text,
                    std::optional<double> without, const Options& options, Report& report) {
  SocketClient client(served.port());
  client.upgrade("/core?topics=ovos.utterance.handled");
  const std::string said = utterance(text);
  Series series = repeat(fmt::format("{}_{}_older_skills", what, skills), options, [&] {
    client.send_text(said);
    client.receive();
  });
  if (without)
    series.p50_target =
        Target::at_most(*without + 1000, "what is sent to each of them, and read by them here");
  report.add(series);
  return series.p50_us;
}

}  // namespace

void older_skills(const Options& options, Report& report) {
  Served served({"gateway.compat=ovos"});
  std::optional<double> intent, nobody;
  for (const int count : {0, kSkills}) {
    const Waiting waiting(fmt::format("{} older skills", count));
    const OlderSkills skills(served.port(), count);
    intent = measure_turn(served, count, "intent", kBenchIntentUtterance, intent, options, report);
    nobody = measure_turn(served, count, "unmatched", kNobodys, nobody, options, report);
    if (skills.lost() > 0)
      throw std::runtime_error(
          fmt::format("{} skills of the benchmark lost their connection", skills.lost()));
  }
}

}  // namespace parley::bench
