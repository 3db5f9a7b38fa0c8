#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <variant>

#include "child/plan.hpp"

namespace parley::child {

/// A control group (version 2) for one child, beneath that of this process. Gone with this object, once no
/// process is in it.
class Group {
 public:
  /// A group with the limits of memory and processor time that are set, or why there is none.
  static std::variant<std::unique_ptr<Group>, std::string> make(const Limits& limits);
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  /// Puts a process into it. Whether it is there.
  bool add(pid_t process) const;
  const std::filesystem::path& folder() const noexcept { return folder_; }

 private:
  explicit Group(std::filesystem::path folder) : folder_(std::move(folder)) {}
  const std::filesystem::path folder_;
};

}  // namespace parley::child
