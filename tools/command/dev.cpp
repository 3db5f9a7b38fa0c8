// `parley dev`: builds, checks and plays a skill or stage whenever something of it changes.
#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "author.hpp"
#include "child.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLookEvery = 200ms;

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

  /// Builds, checks, plays; tells what failed. Whether nothing did.
  bool round() {
    const auto started = Clock::now();
    if (!configured() || !built() || !checked() || !played()) return false;
    const double seconds = std::chrono::duration<double>(Clock::now() - started).count();
    print(fmt::format("{} {} ({:.1f} s)\n", paint_.green("✓"), played_, seconds));
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
    return true;
  }

  bool checked() {
    const auto done = run_program({parley_, "--config", (build_ / "parley.yaml").string(), "check"});
    if (done.code != kGood) print(done.output);
    return done.code == kGood || done.code == kDiffers || fails("does not pass `parley check`");
  }

  bool played() {
    const std::vector<std::string> words{"ctest", "--test-dir", build_.string(), "--output-on-failure"};
    const auto done = run_program(words);
    if (done.code != 0) {
      print(done.output);
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
    print(done.output);
    return fails(failure);
  }

  bool fails(const char* what) {
    print(fmt::format("{} {} {}\n", paint_.red("✗"), folder_.filename().string(), what));
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

/// Waits until the files are others than before, or the chat ends. Whether they are.
bool changes(const Workshop& shop, const Seen& before, Child* chat) {
  auto now = look_at(shop.folder());
  while (now == before) {
    std::this_thread::sleep_for(kLookEvery);
    if (chat != nullptr && chat->ended()) return false;
    now = look_at(shop.folder());
  }
  for (auto later = now;; now = std::move(later)) {  // an editor or a checkout writes several files
    std::this_thread::sleep_for(kLookEvery);
    later = look_at(shop.folder());
    if (later == now) return true;
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
  for (;;) {
    const Seen seen = look_at(shop.folder());
    const bool good = shop.round();
    if (options.once) return good ? kGood : kDiffers;
    std::unique_ptr<Child> chat;
    if (talks && shop.has_been_built()) {
      std::signal(SIGINT, SIG_IGN);  // the chat's
      chat = std::make_unique<Child>(shop.chat());
    }
    const bool goes_on = changes(shop, seen, chat.get());
    chat.reset();
    terminal.restore();
    std::signal(SIGINT, SIG_DFL);
    if (!goes_on) return good ? kGood : kDiffers;
    if (talks) print("\n");
  }
}

}  // namespace parley::command
