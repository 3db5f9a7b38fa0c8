#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <parley/skill.hpp>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using parley::Option;
using parley::Task;
using parley::Turn;

std::string outcome(bool done, int error) {
  return done ? "done" : std::generic_category().message(error);
}

/// Does what it is told: what any skill may do, and what none should.
class Isolated final : public parley::Skill {
 public:
  static constexpr std::array kSettings{Option::text("word", "tea", "What it says when it is to tell.")};

  void start() override {
    if (!settings().text("word").empty() && settings().text("word") == "refuse")
      throw std::runtime_error("the word is refuse");
    fill();
    on_intent("do", &Isolated::act);
    on_due("ring", &Isolated::ring);
    on_event("isolated.question", [this](const parley::Message& message) {
      emit(message.reply("isolated.answer", {{"process", getpid()}}));
    });
    on_fallback(
        30,
        [](const parley::Query& query) {
          return query.utterances.front().find("gibberish") != std::string::npos;
        },
        [](Turn turn) -> Task<> {
          turn.speak("That is gibberish.");
          co_return;
        });
    on_converse(
        [](const parley::Query& query) { return parley::ConverseAnswer(query.utterances.front() == "more"); },
        [](Turn turn) -> Task<> {
          turn.speak("There is more.");
          co_return;
        });
    on_stop([this](const parley::SessionKey&) { return std::exchange(hums_, false); },
            [this](const parley::SessionKey&) { return hums_; });
  }

  void stop() override { log(parley::LogLevel::kWarning, "stopped in good order"); }

 private:
  using Act = Task<> (Isolated::*)(Turn);

  Task<> act(Turn turn) {
    const std::string what = turn.slot("what").value_or("");
    const auto found = acts_.find(what);
    if (found == acts_.end()) throw std::invalid_argument("nobody can " + what);
    co_await (this->*found->second)(turn);
  }

  Task<> say_hello(Turn turn) {
    turn.speak("Hello.");
    turn.speak("Again.");
    co_return;
  }
  Task<> tell(Turn turn) {
    turn.speak(settings().text("word"));
    co_return;
  }
  Task<> ask(Turn turn) {
    const auto name = co_await turn.ask("name");
    turn.speak(name ? "Hello " + *name : "You keep it to yourself.");
  }
  Task<> confirm(Turn turn) {
    const auto answer = co_await turn.confirm("shall");
    turn.speak(answer.yes() ? "I shall." : answer.no() ? "I shall not." : "Nobody said.");
  }
  Task<> count(Turn turn) {
    parley::Storage::Edit one_more = [](const std::optional<parley::Json>& before) {
      return std::optional<parley::Json>(before ? before->get<int>() + 1 : 1);
    };
    const auto now = co_await storage().change("count", one_more);
    parley::Json mine = turn.session_id();
    co_await storage(parley::StorageScope::kSession, turn).put("whose", mine);
    const auto all = co_await storage(parley::StorageScope::kSession, turn).all();
    turn.speak(now->dump() + " of " + all.at("whose").get<std::string>());
  }
  Task<> misuse(Turn turn) {
    parley::Json value = 1;
    co_await storage().put(std::string(), value);
    turn.speak("done");
  }
  Task<> wait(Turn turn) {
    co_await sleep(5s);
    turn.speak("That was five seconds.");
  }
  Task<> wait_long(Turn turn) {
    turn.speak("I wait.");
    co_await sleep(1h);
    turn.speak("That was an hour.");
  }
  Task<> remind(Turn turn) {
    const auto id = co_await schedule().at(clock().wall() + 10min, "ring", {}, turn);
    const auto all = co_await schedule().list();
    turn.speak(all.size() == 1 && all.front().id == id ? "I will." : "I won't.");
  }
  Task<> ring(parley::Due due) {
    due.turn.speak("Ring.");
    co_return;
  }
  Task<> tick(Turn turn) {
    at(clock().wall() + 3s, [turn]() mutable { turn.speak("Tick."); });
    turn.speak("In three seconds.");
    co_return;
  }
  Task<> fetch(Turn turn) {
    parley::HttpRequest request = parley::HttpRequest::get("https://example.org/tea");
    const auto answer = co_await http(std::move(request));
    turn.speak(answer ? std::to_string(answer->status) + " " + answer->body : answer.error().message);
  }
  Task<> draw(Turn turn) {
    turn.speak(std::to_string(random(100)));
    co_return;
  }
  Task<> remember(Turn turn) {
    turn.change_session([](parley::Session& session) { session.site_id = "kitchen"; });
    turn.speak("Kitchen.");
    co_return;
  }
  Task<> request_it(Turn turn) {
    parley::Message question = turn.message().forward("isolated.ask.around", parley::Json::object());
    const auto answer = co_await request(std::move(question), 1s);
    turn.speak(answer ? "somebody" : "nobody");
  }
  Task<> hum(Turn turn) {
    hums_ = true;
    turn.speak("Hmm.");
    co_return;
  }
  Task<> forge(Turn turn) {
    emit(parley::Message("ovos.utterance.handled"));
    turn.speak("forged");
    co_return;
  }
  Task<> throw_it(Turn) {
    throw std::runtime_error("as it was told");
    co_return;
  }

  // What none should.

  Task<> crash(Turn turn) {
    turn.speak("Goodbye.");
    std::raise(SIGSEGV);
    co_return;
  }
  Task<> leave(Turn) {
    _exit(3);
    co_return;
  }
  Task<> hang(Turn turn) {
    turn.emit("isolated.hangs", parley::Json::object());
    co_await sleep(1ms);  // what it said is out
    for (;;) pause();
  }
  Task<> eat(Turn turn) {
    constexpr std::size_t kBite = std::size_t{64} << 20U;
    std::vector<std::vector<char>> eaten;
    for (int bite = 0; bite < 64; ++bite) eaten.emplace_back(kBite, 'x');
    turn.speak("I ate " + std::to_string(eaten.size()));
    co_return;
  }
  Task<> connect(Turn turn) {
    const int id = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    turn.speak(outcome(id >= 0, errno));
    if (id >= 0) close(id);
    co_return;
  }
  Task<> fork_it(Turn turn) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    turn.speak(outcome(child > 0, errno));
    co_return;
  }
  Task<> signal_others(Turn turn) {
    const bool done = kill(getppid(), 0) == 0;
    turn.speak(outcome(done, errno));
    co_return;
  }
  Task<> write(Turn turn) {
    const std::string file = folder() + "/written";
    const int id = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    turn.speak(outcome(id >= 0, errno));
    if (id >= 0) close(id);
    co_return;
  }
  Task<> open_many(Turn turn) {
    std::vector<int> all;
    for (int id = 0; all.size() < 1000 && id >= 0;) {
      id = open("/dev/null", O_RDONLY | O_CLOEXEC);
      if (id >= 0) all.push_back(id);
    }
    for (const int id : all) close(id);
    turn.speak(all.size() < 256 ? "few" : "many");
    co_return;
  }
  Task<> start_a_thread(Turn turn) {
    std::string said;
    std::thread([&said] { said = "done"; }).join();
    std::function<std::string()> work = [said] { return said + " twice"; };
    turn.speak(co_await run_blocking(std::move(work)));
  }

  void fill() {
    acts_ = {{"say hello", &Isolated::say_hello},
             {"tell", &Isolated::tell},
             {"ask", &Isolated::ask},
             {"confirm", &Isolated::confirm},
             {"count", &Isolated::count},
             {"misuse", &Isolated::misuse},
             {"wait", &Isolated::wait},
             {"wait long", &Isolated::wait_long},
             {"remind me", &Isolated::remind},
             {"tick", &Isolated::tick},
             {"fetch", &Isolated::fetch},
             {"draw", &Isolated::draw},
             {"remember", &Isolated::remember},
             {"look around", &Isolated::request_it},
             {"hum", &Isolated::hum},
             {"forge", &Isolated::forge},
             {"throw", &Isolated::throw_it},
             {"crash", &Isolated::crash},
             {"leave", &Isolated::leave},
             {"hang", &Isolated::hang},
             {"eat", &Isolated::eat},
             {"connect", &Isolated::connect},
             {"fork", &Isolated::fork_it},
             {"signal", &Isolated::signal_others},
             {"write", &Isolated::write},
             {"open many", &Isolated::open_many},
             {"start a thread", &Isolated::start_a_thread}};
  }

  std::map<std::string, Act> acts_;
  bool hums_ = false;
};

}  // namespace

PARLEY_SKILL(Isolated, SKILL_ID)
