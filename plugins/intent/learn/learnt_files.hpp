#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace parley::intent {

/// Keeps what was learnt in files, so that the next start need not learn it again. A file is good for the
/// very same registrations and the very same program; whatever can't be read or written is learnt as if there
/// were none. Holds the number of the files that were used last; the others go. From any thread; blocks.
class LearntFiles {
 public:
  /// @param folder  made when something is written; empty: nothing is kept
  explicit LearntFiles(std::filesystem::path folder);
  /// `$XDG_CACHE_HOME/parley/learnt`, else `~/.cache/parley/learnt`; empty where neither is an absolute path.
  static std::filesystem::path user_folder();

  /// @param key  of what is to be learnt
  std::optional<std::string> read(std::uint64_t key) const;
  void write(std::uint64_t key, std::string_view bytes) const;

 private:
  std::filesystem::path file_of(std::uint64_t key) const;
  void leave_out_oldest() const;

  std::filesystem::path folder_;
  std::uint64_t program_ = 0;  ///< Of the libraries that learn; 0: they can't be told from others.
};

}  // namespace parley::intent
