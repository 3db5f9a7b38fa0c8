#pragma once

#include <cstdint>
#include <memory>
#include <parley/locale.hpp>
#include <parley/text.hpp>
#include <string>
#include <vector>

#include "talk.hpp"

namespace parley::guide {

inline const LocaleResources& guide_locale() {
  static const LocaleResources loaded([] {
    LocaleFolders folders;
    folders.skill = PARLEY_GUIDE_FOLDER;
    folders.core = PARLEY_CORE_RESOURCES;
    return folders;
  }());
  return loaded;
}

inline const Library& guide_library() {
  static const Library library(PARLEY_GUIDE_FOLDER "/data", {PARLEY_GUIDE_FOLDER "/tests/tasks"});
  return library;
}

/// One conversation with the policies alone: no skill, no bus.
class Dialogue {
 public:
  explicit Dialogue(
      std::string tag = "en-US", Talk::Chance chance = [](std::size_t) { return std::size_t{0}; })
      : lang(std::move(tag)),
        talk(guide_library(), guide_locale(), std::move(chance),
             [](std::string_view vocabulary, std::string_view text, std::string_view in) {
               return guide_locale().vocabulary_equals(in, vocabulary, words(text, in));
             }) {
    state.session_id = "test";
    state.lang = lang.substr(0, 2);
  }

  /// What is answered, every phrase in its language's first variant.
  std::string say(const std::string& text) {
    const Outcome outcome = route(state, talk.hear(text, lang), talk.world(lang, now));
    state = outcome.state;
    state.last_turn = now;
    reply = *outcome.reply;
    std::string said;
    for (const Line& line : reply.lines)
      said += (said.empty() ? "" : " ") +
              (line.dialog.empty()
                   ? line.text
                   : guide_locale()
                         .render(line.dialog, lang, line.slots, [](std::size_t) { return std::size_t{0}; })
                         .text);
    return said;
  }

  std::string lang;
  Talk talk;
  State state;
  Reply reply;
  std::int64_t now = 1'767'441'600;
};

}  // namespace parley::guide
