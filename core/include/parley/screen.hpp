#pragma once

#include <optional>
#include <string>
#include <vector>

namespace parley {

/// One line of a list on a screen.
struct ScreenLine {
  explicit ScreenLine(std::string words, std::optional<bool> ticked = std::nullopt)
      : text(std::move(words)), done(ticked) {}
  std::string text;
  std::optional<bool> done;  ///< Whether its box is ticked; nothing: it has no box.
};

/// What a client with a screen shows beside what is said. Empty members are left out; clients without a
/// screen lose nothing, so everything that matters is spoken, too. Texts are shown as they are, never as
/// markup.
struct Screen {
  Screen() = default;
  std::string title, subtitle, body;
  std::string picture;  ///< The URL of a picture.
  std::vector<ScreenLine> list;
  struct Step {
    int number = 0, of = 0;  ///< From 1.
  };
  std::optional<Step> step;  ///< Where in a sequence the user is.
};

/// A choice that a client with a screen offers.
struct ScreenOption {
  ScreenOption(std::string shown, std::string said) : text(std::move(shown)), say(std::move(said)) {}
  std::string text;  ///< What is shown.
  std::string say;   ///< The utterance it stands for.
};

}  // namespace parley
