// What report() calls may not allocate, lock or format: it runs inside a signal handler.
#include "runtime/crash_report.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <signal.h>  // sigaction
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace parley {
namespace {

constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int kMostFrames = 64;
constexpr int kMostEntries = 256;

enum class Use : char { kFree, kWriting, kSet };

template <std::size_t Size>
void copy(std::array<char, Size>& to, std::string_view text) noexcept {
  const std::size_t length = std::min(text.size(), Size - 1);
  text.copy(to.data(), length);
  to.at(length) = '\0';
}

struct Library {
  std::atomic<Use> use{Use::kFree};
  std::atomic<std::uintptr_t> begin{0}, end{0};  // none yet: being loaded
  std::array<char, 128> name{};
  std::array<char, 512> file{};
};

struct Work {
  std::atomic<Use> use{Use::kFree};
  std::array<char, 128> who{};
  std::array<char, 64> turn{};
};

constinit std::array<Library, kMostEntries> libraries{};
constinit std::array<Work, kMostEntries> works{};
constinit std::atomic<unsigned> next_work{0};
constinit std::atomic<bool> exits_are_reported{false};
constinit std::atomic<int> suspect_pipe{-1};
constinit std::atomic_flag reported = ATOMIC_FLAG_INIT;

/// Takes a free one; -1: none is. Beginning where the last search ended, the first is nearly always free.
template <class Entry>
int take(std::array<Entry, kMostEntries>& entries, unsigned from) noexcept {
  for (unsigned i = 0; i < kMostEntries; ++i) {
    const unsigned at = (from + i) % kMostEntries;
    auto expected = Use::kFree;
    if (entries.at(at).use.compare_exchange_strong(expected, Use::kWriting)) return static_cast<int>(at);
  }
  return -1;
}

template <class Entry>
Entry& entry(std::array<Entry, kMostEntries>& entries, int at) noexcept {
  return entries.at(static_cast<std::size_t>(at));
}

std::pair<std::uintptr_t, std::uintptr_t> place_of(const void* symbol) noexcept {
  struct Search {
    std::uintptr_t inside, begin, end;
  };
  Search search{reinterpret_cast<std::uintptr_t>(symbol), 0, 0};  // NOLINT: addresses are compared
  const auto visit = [](dl_phdr_info* info, std::size_t, void* data) {
    auto& found = *static_cast<Search*>(data);
    std::uintptr_t begin = UINTPTR_MAX, end = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto& part = info->dlpi_phdr[i];  // NOLINT: the loader's table
      if (part.p_type != PT_LOAD) continue;
      begin = std::min(begin, info->dlpi_addr + part.p_vaddr);
      end = std::max(end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
    }
    if (found.inside < begin || found.inside >= end) return 0;
    found.begin = begin;
    found.end = end;
    return 1;
  };
  ::dl_iterate_phdr(visit, &search);
  return {search.begin, search.end};
}

// ---- the report

void put(int fd, std::string_view text) noexcept {
  while (!text.empty()) {
    const auto written = ::write(fd, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void say(std::string_view text) noexcept {
  put(STDERR_FILENO, text);
}

void say_address(std::uintptr_t address) noexcept {
  std::array<char, 2 * sizeof address> text{};
  std::size_t at = text.size();
  do {
    text.at(--at) = "0123456789abcdef"[address % 16];
    address /= 16;
  } while (address != 0);
  say("0x");
  say(std::string_view(text.data() + at, text.size() - at));
}

std::string_view name_of(int signal) noexcept {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV (a bad address, or a stack that is full)";
    case SIGBUS:
      return "SIGBUS (a bad address)";
    case SIGFPE:
      return "SIGFPE (impossible arithmetic)";
    case SIGILL:
      return "SIGILL (no instruction)";
    default:
      return "SIGABRT (abort, or an exception that nobody caught)";
  }
}

/// Whose code is innermost; null: nobody's that is loaded.
const Library* library_on(void* const* frames, int count) noexcept {
  for (int i = 0; i < count; ++i) {
    const auto address = reinterpret_cast<std::uintptr_t>(frames[i]);  // NOLINT: what backtrace() gives
    for (const auto& library : libraries) {
      if (library.use == Use::kSet && library.begin <= address && address < library.end) return &library;
    }
  }
  return nullptr;
}

/// The same, else one that is being loaded.
const Library* suspect_of(void* const* frames, int count) noexcept {
  if (const Library* const found = library_on(frames, count)) return found;
  for (const auto& library : libraries) {
    if (library.use == Use::kSet && library.end == 0) return &library;
  }
  return nullptr;
}

/// The turns that one plugin works on, or all do; whether there are any.
bool say_turns(const char* who) noexcept {
  bool any = false;
  for (const auto& work : works) {
    if (work.use != Use::kSet || (who != nullptr && who != std::string_view(work.who.data()))) continue;
    say(any ? ", " : "\n  turn: ");
    any = true;
    say(work.turn.data());
    say(" (");
    say(work.who.data());
    say(")");
  }
  return any;
}

void say_where(const Library* suspect, void* const* frames, int count) noexcept {
  say("\n  in: ");
  if (suspect == nullptr) {
    say("the core itself");
  } else {
    say(suspect->name.data());
    say(" (");
    say(suspect->file.data());
    say(")");
    if (suspect_pipe >= 0) put(suspect_pipe, suspect->file.data());
  }
  if ((suspect == nullptr || !say_turns(suspect->name.data())) && !say_turns(nullptr)) say("\n  turn: none");
  say("\n  stack:\n");
  ::backtrace_symbols_fd(frames, count, STDERR_FILENO);
}

/// On the thread that called exit(). When it was not a plugin, the process ends as it does.
void report_exit() {
  std::array<void*, kMostFrames> frames{};
  const int count = ::backtrace(frames.data(), kMostFrames);
  const Library* const suspect = library_on(frames.data(), count);
  if (suspect == nullptr) return;
  while (reported.test_and_set()) ::pause();
  say("parley: exit: a plugin ended the process, which is not its own");
  say_where(suspect, frames.data(), count);
  ::_exit(kExitOfPlugin);
}

void report(int signal, siginfo_t* info, void*) {
  // Another thread that crashes meanwhile waits for the end.
  while (reported.test_and_set()) ::pause();
  std::array<void*, kMostFrames> frames{};
  const int count = ::backtrace(frames.data(), kMostFrames);
  const Library* const suspect = suspect_of(frames.data(), count);
  say("parley: crash: ");
  say(name_of(signal));
  if (signal != SIGABRT) {
    say(" at ");
    say_address(reinterpret_cast<std::uintptr_t>(info->si_addr));  // NOLINT: to be printed
  }
  say_where(suspect, frames.data(), count);
  ::raise(signal);  // with its default action, once this returns
}

}  // namespace

void report_crashes(int suspect_fd) {
  suspect_pipe = suspect_fd;
  std::array<void*, 1> frame{};
  ::backtrace(frame.data(), 1);  // loads what it needs now, for it can't then
  static const SignalStack main_thread;
  struct sigaction action {};
  action.sa_sigaction = &report;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (const int signal : kSignals) ::sigaction(signal, &action, nullptr);
}

void report_exits() {
  // The C library's own functions that end a process do not call the exit() below.
  static const bool armed = std::atexit(&report_exit) == 0 && ::at_quick_exit(&report_exit) == 0;
  exits_are_reported = armed;
}

SignalStack::SignalStack() : memory_(std::make_unique<Memory>()) {
  stack_t stack{};
  stack.ss_sp = memory_->data();
  stack.ss_size = memory_->size();
  stack_t before{};
  ours_ = ::sigaltstack(nullptr, &before) == 0 && (before.ss_flags & SS_DISABLE) != 0 &&
          ::sigaltstack(&stack, nullptr) == 0;
}

SignalStack::~SignalStack() {
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  if (ours_) ::sigaltstack(&none, nullptr);
}

CrashSuspect::CrashSuspect(std::string_view file) noexcept : entry_(take(libraries, 0)) {
  if (entry_ < 0) return;
  auto& library = entry(libraries, entry_);
  library.begin = library.end = 0;
  copy(library.name, "a plugin that was being loaded");
  copy(library.file, file);
  library.use = Use::kSet;
}

CrashSuspect::~CrashSuspect() {
  clear();
}

CrashSuspect::CrashSuspect(CrashSuspect&& other) noexcept : entry_(std::exchange(other.entry_, -1)) {}

CrashSuspect& CrashSuspect::operator=(CrashSuspect&& other) noexcept {
  if (this == &other) return *this;
  clear();
  entry_ = std::exchange(other.entry_, -1);
  return *this;
}

void CrashSuspect::loaded(std::string_view name, const void* symbol) noexcept {
  if (entry_ < 0) return;
  auto& library = entry(libraries, entry_);
  copy(library.name, name);
  const auto [begin, end] = place_of(symbol);
  library.begin = begin;
  library.end = end;
}

void CrashSuspect::clear() noexcept {
  if (entry_ >= 0) entry(libraries, entry_).use = Use::kFree;
  entry_ = -1;
}

TurnUnderWay::TurnUnderWay(std::string_view who, std::string_view utterance_id) noexcept
    : entry_(take(works, next_work++)) {
  if (entry_ < 0) return;
  auto& work = entry(works, entry_);
  copy(work.who, who);
  copy(work.turn, utterance_id);
  work.use = Use::kSet;
}

TurnUnderWay::~TurnUnderWay() {
  if (entry_ >= 0) entry(works, entry_).use = Use::kFree;
}

}  // namespace parley

// Found by plugins before the C library's: what was loaded after report_exits() would be destroyed before its
// handler is called, while the other threads go on with it.
extern "C" [[gnu::visibility("default")]] void exit(int code) noexcept {
  if (parley::exits_are_reported) parley::report_exit();
  using Exit = void (*)(int);
  const auto next = reinterpret_cast<Exit>(::dlsym(RTLD_NEXT, "exit"));  // NOLINT: what dlsym() gives
  if (next != nullptr) next(code);
  ::_exit(code);
}
