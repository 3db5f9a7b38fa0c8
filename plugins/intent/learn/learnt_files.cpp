#include "learn/learnt_files.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <parley/files.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "learn/features.hpp"
#include "learn/packed.hpp"

namespace parley::intent {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostFiles = 500;  // about 1 MB for a language of everything, less for few skills
constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20U;  // of all
constexpr std::size_t kLargest = std::size_t{256} << 20U;          // of one
constexpr std::uint64_t kFormat = 1;                               // another one for another layout

/// Which build of the library a function is in, as far as its file's size and time tell; 0: unknown.
std::uint64_t build_of(const void* function) {
  Dl_info info{};
  if (::dladdr(function, &info) == 0 || info.dli_fname == nullptr) return 0;
  std::error_code failure;
  const fs::path file(info.dli_fname);
  const auto size = fs::file_size(file, failure);
  const auto time = failure ? fs::file_time_type() : fs::last_write_time(file, failure);
  if (failure) return 0;
  return hash_of(hash_of(file.native()),
                 hash_of(size, static_cast<std::uint64_t>(time.time_since_epoch().count())));
}

/// Of the library that learns and of the one that reads templates.
std::uint64_t build_of_program() {
  const std::uint64_t own = build_of(reinterpret_cast<const void*>(&build_of_program));
  const std::uint64_t core = build_of(reinterpret_cast<const void*>(&check_regular_file));
  return own == 0 || core == 0 ? 0 : hash_of(hash_of(own, core), kFormat);
}

}  // namespace

LearntFiles::LearntFiles(fs::path folder) : folder_(std::move(folder)), program_(build_of_program()) {
  if (program_ == 0) folder_.clear();
}

fs::path LearntFiles::user_folder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
    return fs::path(value == nullptr ? "" : value);
  };
  fs::path cache = variable("XDG_CACHE_HOME");
  if (!cache.is_absolute()) cache = variable("HOME") / ".cache";
  return cache.is_absolute() ? cache / "parley" / "learnt" : fs::path();
}

fs::path LearntFiles::file_of(std::uint64_t key) const {
  return folder_ / std::to_string(hash_of(program_, key));
}

std::optional<std::string> LearntFiles::read(std::uint64_t key) const {
  if (folder_.empty()) return std::nullopt;
  const fs::path file = file_of(key);
  const auto found = read_file(file, kLargest);
  if (!found) return std::nullopt;
  Unpacker head(*found);
  const auto sum = head.number<std::uint64_t>();
  const auto whose = head.number<std::uint64_t>();
  constexpr std::size_t kHead = 2 * sizeof(std::uint64_t);
  if (!head.is_good() || whose != key) return std::nullopt;
  std::string bytes = found->substr(kHead);
  if (sum != hash_of(bytes)) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);  // used last
  return bytes;
}

void LearntFiles::write(std::uint64_t key, std::string_view bytes) const {
  if (folder_.empty()) return;
  Packer head;
  head.add(hash_of(bytes));
  head.add(key);
  std::error_code failure;
  if (fs::create_directories(folder_, failure)) fs::permissions(folder_, fs::perms::owner_all, failure);
  // Who reads it meanwhile has the whole of one: a process writes beside it, as others may at the same time.
  const fs::path file = file_of(key), beside = fs::path(file).concat('.' + std::to_string(::getpid()));
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  out << head.bytes() << bytes;
  out.close();
  if (out) fs::rename(beside, file, failure);
  if (!out || failure) fs::remove(beside, failure);
  leave_out_oldest();
}

void LearntFiles::leave_out_oldest() const {
  struct Kept {
    fs::file_time_type time;
    std::uintmax_t size;
    fs::path file;
  };
  std::vector<Kept> all;
  std::error_code failure;
  for (fs::directory_iterator at(folder_, failure), end; !failure && at != end; at.increment(failure)) {
    std::error_code gone;
    const auto time = at->last_write_time(gone);
    const auto size = gone ? 0 : at->file_size(gone);
    if (!gone) all.push_back(Kept{time, size, at->path()});
  }
  std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.time > b.time; });
  std::uintmax_t bytes = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    bytes += all[i].size;
    if (i >= kMostFiles || (i > 0 && bytes > kMostBytes)) fs::remove(all[i].file, failure);
  }
}

}  // namespace parley::intent
