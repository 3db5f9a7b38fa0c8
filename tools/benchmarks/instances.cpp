#include "instances.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "socket_client.hpp"

namespace parley::bench {
namespace {

constexpr std::chrono::seconds kStartWithin(30);
constexpr std::chrono::milliseconds kLookAgain(20);

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

unsigned short free_port() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what sockets take
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  const bool is_bound =
      descriptor >= 0 && ::bind(descriptor, plain, size) == 0 && ::getsockname(descriptor, plain, &size) == 0;
  if (!is_bound) fail("a free port");
  ::close(descriptor);
  return ntohs(address.sin_port);
}

std::string nats_program() {
  for (const char* const place :
       {"/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"}) {
    if (::access(place, X_OK) == 0) return place;
  }
  return {};
}

/// What is asked for comes, or the time is over.
template <class Ask>
void wait_for(const std::string& what, Ask ask) {
  const auto until = std::chrono::steady_clock::now() + kStartWithin;
  while (!ask()) {
    if (std::chrono::steady_clock::now() > until) throw std::runtime_error(what + " takes too long");
    std::this_thread::sleep_for(kLookAgain);
  }
}

/// The body of an answer; empty: nobody answers.
std::string get(unsigned short port, const std::string& path) {
  try {
    SocketClient client(port);
    return client.request("GET " + path + " HTTP/1.1", "");
  } catch (const std::runtime_error&) {
    return {};
  }
}

}  // namespace

Process::Process(const std::vector<std::string>& command, bool reads_output) {
  std::array<int, 2> ends{-1, -1};
  if (reads_output && ::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (reads_output) {
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int error = ::posix_spawn(&id_, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (reads_output) ::close(ends[1]);
  output_ = ends[0];
  if (error == 0) return;
  if (output_ >= 0) ::close(output_);
  throw std::system_error(error, std::generic_category(), words.front());
}

Process::~Process() {
  signal(SIGKILL);
  wait();
  if (output_ >= 0) ::close(output_);
}

std::string Process::line() const {
  std::string text;
  for (char c = 0; ::read(output_, &c, 1) == 1 && c != '\n';) text.push_back(c);
  return text;
}

void Process::signal(int number) const {
  if (id_ > 0) ::kill(id_, number);
}

void Process::wait() {
  if (id_ > 0) ::waitpid(id_, nullptr, 0);
  id_ = -1;
}

bool NatsServer::is_installed() {
  return !nats_program().empty();
}

NatsServer::NatsServer()
    : url_(fmt::format("nats://127.0.0.1:{}", free_port())),
      process_({nats_program(), "--addr", "127.0.0.1", "--port", url_.substr(url_.rfind(':') + 1),
                "--jetstream", "--store_dir", folder_.path.string()},
               false) {
  const auto port = static_cast<unsigned short>(std::stoi(url_.substr(url_.rfind(':') + 1)));
  wait_for("nats-server", [port] {
    try {
      const SocketClient client(port);
      return true;
    } catch (const std::runtime_error&) {
      return false;
    }
  });
}

Instance::Instance(const NatsServer& nats)
    : process_({(std::filesystem::read_symlink("/proc/self/exe").parent_path() / "parley").string(), "serve",
                "--set", "gateway.port=0", "--set", fmt::format("cluster.servers=[{}]", nats.url()), "--set",
                "skills.shipped=false", "--set", "skills.directories=[]", "--set",
                "store.path=" + (folder_.path / "parley.db").string()},
               true) {
  const std::string line = process_.line();
  const auto at = line.find("127.0.0.1:");
  if (at == line.npos) throw std::runtime_error("an instance of the benchmark does not start: " + line);
  port_ = static_cast<unsigned short>(std::stoi(line.substr(at + 10)));
}

void Instance::wait_ready() const {
  wait_for("an instance of the benchmark",
           [this] { return get(port_, "/health").find("\"ready\"") != std::string::npos; });
}

long Instance::turns(const std::string& way) const {
  const std::string text = get(port_, "/metrics");
  const std::string name = fmt::format("parley_cluster_turns_total{{way=\"{}\"}} ", way);
  const auto at = text.find(name);
  return at == text.npos ? 0 : std::stol(text.substr(at + name.size()));
}

}  // namespace parley::bench
