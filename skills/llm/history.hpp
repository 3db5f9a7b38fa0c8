#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace parley::llm {

/// One thing that was said.
struct Said {
  Said(std::string turn, bool user, std::string words)
      : utterance_id(std::move(turn)), by_user(user), text(std::move(words)) {}
  std::string utterance_id;
  bool by_user;  ///< Else by the assistant.
  std::string text;
};

/// What was said lately in each session, within a budget.
class History {
 public:
  /// @param budget  bytes of text per session; the oldest goes first
  explicit History(std::size_t budget) : budget_(budget) {}

  void add(const std::string& session_id, Said said);
  /// What was said in the session, oldest first, without what belongs to `utterance_id`.
  std::vector<Said> before(const std::string& session_id, const std::string& utterance_id) const;
  std::size_t sessions() const noexcept { return talks_.size(); }

 private:
  struct Talk {
    Talk() = default;
    std::deque<Said> said;
    std::size_t size = 0;    ///< Bytes.
    std::uint64_t used = 0;  ///< The higher, the more recent.
  };
  std::size_t budget_;
  std::uint64_t uses_ = 0;
  std::map<std::string, Talk> talks_;
};

}  // namespace parley::llm
