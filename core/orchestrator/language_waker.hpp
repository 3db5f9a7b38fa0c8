#pragma once

#include <functional>
#include <string>

namespace parley {

/// Has skills register in a language when somebody first speaks it. On the loop's thread.
class LanguageWaker {
 public:
  /// Whether all that the skills of this process have to say in it is registered.
  virtual bool is_awake(const std::string& lang) const = 0;
  /// Calls back when it is; in bounded time, whatever skills do.
  virtual void wake(const std::string& lang, std::function<void()> done) = 0;

 protected:
  ~LanguageWaker() = default;
};

}  // namespace parley
