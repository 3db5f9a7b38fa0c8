// `parley dev`: builds, checks and plays a skill or stage whenever something of it changes.
#include <fcntl.h>
#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "author.hpp"
#include "beside.hpp"
#include "child.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLookEvery = 100ms;

/// Files with when they were written and how large they are.
using Seen = std::map<fs::path, std::pair<fs::file_time_type, std::uintmax_t>>;

/// What the files of a folder look like from outside; without what is built, and what is hidden.
Seen look_at(const fs::path& folder) {
  Seen seen;
  std::error_code failed;  // a file may go while it is looked at
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    std::error_code gone;
    if (at->is_directory(gone)) {
      if (name.starts_with('.') || (at.depth() == 0 && name == "build")) at.disable_recursion_pending();
    } else if (!name.starts_with('.') && !name.ends_with('~')) {
      seen[at->path()] = {at->last_write_time(gone), at->file_size(gone)};
    }
  }
  return seen;
}

/// The terminal as it was, for when a program that had it was ended in the middle of a line.
class TerminalState {
 public:
  TerminalState() : known_(::tcgetattr(STDIN_FILENO, &state_) == 0) {}
  void restore() const {
    if (known_) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &state_);
  }

 private:
  termios state_{};
  bool known_;
};

/// Whether what differs lies in `locale/` alone, which needs no build.
bool only_words_differ(const fs::path& folder, const Seen& before, const Seen& after) {
  const auto is_said = [&](const fs::path& file) {
    const fs::path part = file.lexically_relative(folder);
    return !part.empty() && *part.begin() == "locale";
  };
  const auto differs_only_there = [&](const Seen& from, const Seen& to) {
    return std::all_of(from.begin(), from.end(), [&](const auto& one) {
      const auto other = to.find(one.first);
      return (other != to.end() && other->second == one.second) || is_said(one.first);
    });
  };
  return differs_only_there(before, after) && differs_only_there(after, before);
}

/// A chat that stays open while what it talks to changes.
class KeptChat {
 public:
  explicit KeptChat(std::vector<std::string> words) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    to_ = ends[1];
    words.insert(words.end(), {"--beside", std::to_string(Child::kGiven)});
    child_ = std::make_unique<Child>(words, ends[0]);
    ::close(ends[0]);
  }
  ~KeptChat() { ::close(to_); }
  KeptChat(const KeptChat&) = delete;
  KeptChat& operator=(const KeptChat&) = delete;

  /// Shows it above what is being typed.
  void tell(const std::string& text) const { write(text.ends_with('\n') ? text : text + "\n"); }
  /// Has it load what is others on disk.
  void reload() const { write(std::string(kReloadLine) + "\n"); }
  bool ended() { return child_->ended().has_value(); }

 private:
  void write(std::string_view text) const {
    while (!text.empty()) {
      const auto written = ::write(to_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return;  // it has ended: whoever looks finds out
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  int to_ = -1;
  std::unique_ptr<Child> child_;
};

class Workshop {
 public:
  explicit Workshop(fs::path folder)
      : folder_(std::move(folder)),
        build_(folder_ / "build"),
        paint_(wants_colour(STDOUT_FILENO)),
        parley_((installation() / "bin/parley").string()) {}

  const fs::path& folder() const noexcept { return folder_; }
  /// Whether there is something to talk to.
  bool has_been_built() const noexcept { return has_been_built_; }

  /// A stage can't be loaded anew while it is talked to.
  bool has_stages() const { return fs::exists(build_ / "lib/parley/stages"); }
  /// Who is told what comes of it, and who when there is something new to load.
  std::function<void(const std::string&)> tell = print;
  std::function<void()> when_built = [] {};

  /// Builds, checks, plays; tells what failed. Whether nothing did.
  bool round() {
    const auto started = Clock::now();
    if (!configured() || !built() || !checked() || !played()) return false;
    const double seconds = std::chrono::duration<double>(Clock::now() - started).count();
    tell(fmt::format("{} {} ({:.1f} s)\n", paint_.green("✓"), played_, seconds));
    return true;
  }

  std::vector<std::string> chat() const {
    return {parley_, "--config", (build_ / "parley.yaml").string(), "chat"};
  }

 private:
  bool configured() {
    if (fs::exists(build_ / "CMakeCache.txt") && fs::exists(build_ / "parley.yaml")) return true;
    std::vector<std::string> words{"cmake",          "-S",
                                   folder_.string(), "-B",
                                   build_.string(),  "-DCMAKE_PREFIX_PATH=" + installation().string()};
    if (has_program("ninja")) words.insert(words.end(), {"-G", "Ninja"});
    return goes_well(words, "can't be configured");
  }

  bool built() {
    if (!goes_well({"cmake", "--build", build_.string()}, "can't be built")) return false;
    has_been_built_ = true;
    when_built();
    return true;
  }

  bool checked() {
    const auto done = run_program({parley_, "--config", (build_ / "parley.yaml").string(), "check"});
    if (done.code != kGood) tell(done.output);
    return done.code == kGood || done.code == kDiffers || fails("does not pass `parley check`");
  }

  bool played() {
    const std::vector<std::string> words{"ctest", "--test-dir", build_.string(), "--output-on-failure"};
    const auto done = run_program(words);
    if (done.code != 0) {
      tell(done.output);
      return fails("does not do what its tests expect");
    }
    const auto last = done.output.find("tests passed");
    const auto count = done.output.find("out of ", last);
    played_ =
        last == std::string::npos || count == std::string::npos
            ? "built; it has no tests"
            : fmt::format("built; tests: {}, all as expected", std::atoi(done.output.c_str() + count + 7));
    return true;
  }

  bool goes_well(const std::vector<std::string>& words, const char* failure) {
    const auto done = run_program(words);
    if (done.code == 0) return true;
    tell(done.output);
    return fails(failure);
  }

  bool fails(const char* what) {
    tell(fmt::format("{} {} {}\n", paint_.red("✗"), folder_.filename().string(), what));
    return false;
  }

  fs::path folder_, build_;
  Paint paint_;
  std::string parley_, played_;
  bool has_been_built_ = false;
};

/// Why there is nothing to work on; nothing when there is.
std::optional<std::string> folder_problem(const fs::path& folder) {
  if (!fs::is_directory(folder)) return fmt::format("{} is no folder", folder.string());
  if (!fs::exists(folder / "CMakeLists.txt")) {
    return fmt::format("{} has no CMakeLists.txt: `parley new skill NAME` makes a folder that has one",
                       folder.string());
  }
  if (!fs::exists(installation() / "lib/cmake/parley/parleyConfig.cmake")) {
    return fmt::format(
        "{} is not there: what skills are built with is not installed (the package libparley-dev)",
        (installation() / "lib/cmake/parley").string());
  }
  for (const char* const program : {"cmake", "ctest"})
    if (!has_program(program)) return fmt::format("{} is not installed, and builds need it", program);
  return std::nullopt;
}

/// Waits until the files are others than before, and gives them; nothing: the chat has ended.
std::optional<Seen> changed(const Workshop& shop, const Seen& before, KeptChat* chat) {
  auto now = look_at(shop.folder());
  while (now == before) {
    std::this_thread::sleep_for(kLookEvery);
    if (chat != nullptr && chat->ended()) return std::nullopt;
    now = look_at(shop.folder());
  }
  for (auto later = now;; now = std::move(later)) {  // an editor or a checkout writes several files
    std::this_thread::sleep_for(kLookEvery);
    later = look_at(shop.folder());
    if (later == now) return now;
  }
}

}  // namespace

int dev(const DevOptions& options) {
  const fs::path folder = fs::absolute(options.folder).lexically_normal();
  const fs::path named = folder.has_filename() ? folder : folder.parent_path();
  if (const auto problem = folder_problem(named)) {
    complain(*problem);
    return kFailed;
  }
  Workshop shop(named);
  const bool talks =
      !options.once && !options.no_chat && is_terminal(STDIN_FILENO) && is_terminal(STDOUT_FILENO);
  const TerminalState terminal;
  std::unique_ptr<KeptChat> chat;
  shop.tell = [&chat](const std::string& text) { chat ? chat->tell(text) : print(text); };
  shop.when_built = [&] {
    if (chat && !shop.has_stages()) chat->reload();
  };
  Seen seen = look_at(shop.folder());
  for (;;) {
    const bool good = shop.round();
    if (options.once) return good ? kGood : kDiffers;
    if (chat && shop.has_stages()) {
      chat.reset();
      terminal.restore();
    }
    if (talks && !chat && shop.has_been_built()) {
      std::signal(SIGINT, SIG_IGN);  // the chat's
      std::signal(SIGPIPE, SIG_IGN);
      chat = std::make_unique<KeptChat>(shop.chat());
    }
    const auto now = changed(shop, seen, chat.get());
    if (!now) {
      chat.reset();
      terminal.restore();
      return good ? kGood : kDiffers;
    }
    if (chat && !shop.has_stages() && only_words_differ(shop.folder(), seen, *now)) chat->reload();
    seen = *now;
  }
}

}  // namespace parley::command
