#pragma once

#include <string>
#include <vector>

#include "model/dice.hpp"
#include "support/gateway_client.hpp"

namespace parley::testing {

/// What somebody hostile has learnt of others, however that was.
struct Known {
  Known() = default;
  std::vector<std::string> sessions, skills, utterances;
};

/// Messages as the protocol has them and as it does not: known topics and fields, with values of the right
/// and of the wrong type, with others' names, of all sizes. All of it follows from the dice.
class Grammar {
 public:
  Grammar(Dice dice, std::string own) : dice_(dice), own_(std::move(own)) {}

  /// A text for a WebSocket frame; mostly a message.
  std::string text(const Known& known);
  /// A body for `POST /run`; mostly of the right form.
  std::string body(const Known& known);
  Dice& dice() noexcept { return dice_; }

 private:
  Json data_for(const std::string& topic, const Known& known);
  Json context(const Known& known);
  Json session(const Known& known);
  /// A value for that field, of its type or of another.
  Json value(const std::string& field, const Known& known);
  Json wrong();
  std::string name(const std::vector<std::string>& others);
  std::string words();
  std::string sample();
  Json list(const std::string& of, const Known& known);
  Json owners(const Known& known);
  std::size_t size();
  template <class List>
  const auto& pick(const List& list) {
    return list[static_cast<std::size_t>(dice_.below(static_cast<int>(std::size(list))))];
  }

  Dice dice_;
  std::string own_;  ///< The name of who says it: its session, and where its skills begin.
};

}  // namespace parley::testing
