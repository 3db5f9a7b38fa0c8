#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/assistant.hpp"
#include "net/gateway.hpp"
#include "net/remote_skills.hpp"

namespace parley {

/// Makes an instance one of several (cluster.servers). On the loop.
class Together {
 public:
  /// What it is given must outlive it.
  /// @param base  where relative files of the configuration begin
  Together(Assistant& assistant, net::RemoteSkills& remote, net::Gateway& gateway,
           const std::filesystem::path& base);
  ~Together();
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;

  /// @param done  called once it is one of them; else with why not
  void start(const std::function<void(const std::string& failure)>& done);
  /// From here on it hands over what it owns, when turns have ended; hurry(): whether they have or not.
  void leave();
  void hurry();
  bool has_left() const;
  /// Takes itself off the list of instances.
  void end(std::function<void()> done);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parley
