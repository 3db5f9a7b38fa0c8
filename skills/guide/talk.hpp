#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <parley/locale.hpp>
#include <parley/sentences.hpp>
#include <string>
#include <string_view>

#include "library.hpp"
#include "policy.hpp"

namespace parley::guide {

/// What the policies need, for any language: the sentences of the skill, its vocabularies and its tasks.
class Talk {
 public:
  using Chance = std::function<std::size_t(std::size_t)>;
  using Vocabulary =
      std::function<bool(std::string_view vocabulary, std::string_view text, std::string_view lang)>;

  /// @param says  whether a text is a phrase of a vocabulary, the skill's own or the core's
  Talk(const Library& library, const LocaleResources& locale, Chance chance, Vocabulary says);

  Heard hear(const std::string& text, const std::string& lang);
  World world(const std::string& lang, std::int64_t now) const;

  /// Whether what is said would be understood where a conversation is; nothing is changed.
  bool understands(const State& state, const std::string& said, const std::string& lang, std::int64_t now);
  /// Whether it is something that is said in the middle of a task, word for word.
  bool fits_any_phase(const std::string& said, const std::string& lang);
  /// Whether all of it names a task, or a kind of them.
  bool names_task(const std::string& said, const std::string& lang) const;

 private:
  const Sentences* sentences(const std::string& lang);

  const Library& library_;
  const LocaleResources& locale_;
  Chance chance_;
  Vocabulary says_;
  std::map<std::string, Sentences, std::less<>> sentences_;
};

/// The conversations that were going on lately. When there are too many, the one that nobody spoke in for
/// longest goes: storage has it.
class Sessions {
 public:
  explicit Sessions(std::size_t most) : most_(most) {}

  const State* find(std::string_view session_id) const;
  State* find(std::string_view session_id);
  void keep(State state);
  std::size_t size() const noexcept { return states_.size(); }

 private:
  std::size_t most_;
  std::map<std::string, State, std::less<>> states_;
};

}  // namespace parley::guide
