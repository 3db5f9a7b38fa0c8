#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "net/listening.hpp"

namespace parley::net {

/// What the clients of an instance are sent at most. What it does not hear nobody there needs.
class Audience {
 public:
  void add(std::uint64_t client, const Listening& listening);
  void remove(std::uint64_t client);
  bool hears(const std::string& topic, std::string_view session_id) const;
  bool hears_traces() const noexcept { return tracing_ > 0; }

 private:
  /// Clients that listen to the same topics.
  struct Group {
    TopicFilter topics;
    std::size_t clients = 0;
  };
  using Groups = std::map<std::string, Group>;  ///< By the topics as text.
  struct Listener {
    std::string topics;
    std::vector<std::string> sessions;
    bool hears_traces = false;
  };
  bool hears_in(std::string_view sessions, const std::string& topic) const;

  std::map<std::string, Groups, std::less<>> by_session_;  ///< "": all of them; `a.`: all that begin so.
  std::map<std::uint64_t, Listener> listeners_;
  std::size_t tracing_ = 0;         ///< Clients that hear traces.
  std::size_t longest_prefix_ = 0;  ///< Of sessions, that was ever there.
};

}  // namespace parley::net
