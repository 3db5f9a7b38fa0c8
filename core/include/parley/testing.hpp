#pragma once

// For test programs, not for plugins: no part of what a plugin shares with the host.

#include <chrono>
#include <filesystem>
#include <memory>
#include <parley/message.hpp>
#include <parley/options.hpp>
#include <parley/skill.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::testing {

/// What came of something that was said, or of a time that passed.
struct Outcome {
  Outcome();
  std::vector<std::string> speech;  ///< What was spoken, in order.
  std::string stage;                ///< The pipeline_id of the stage that claimed it; empty: none did.
  std::string skill_id, intent;     ///< Who handled it.
  std::string error;                ///< What its handler failed with; empty: it did not.
  bool understood = false;          ///< Somebody took it, and had an answer.
  bool asks = false;                ///< An answer is waited for: the next say() is one.

  std::string text() const;  ///< All that was spoken, joined by spaces.
};

/// A whole assistant in a test program, on a clock that stands still and jumps: what waits for an hour takes
/// no time. It has what comes with parley, what the configuration that PARLEY_CONFIG names adds
/// (parley_add_test_program() names that of the build), and what it is given. Nothing it keeps outlives it,
/// and nothing is sent. It starts with the first thing that is said or waited for, on this thread.
class Fixture {
 public:
  /// @param settings  as `parley --set` takes them, such as "skills.settings.coffee.example.cups=3"
  explicit Fixture(std::vector<std::string> settings = {});
  ~Fixture();
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  // ---- before it starts

  /// Adds a skill that is part of the test program.
  /// @param folder  where its `locale/` is
  template <class S>
  S& add_skill(const std::string& skill_id, const std::filesystem::path& folder) {
    auto made = std::make_unique<S>();
    S& skill = *made;
    OptionTable settings;
    if constexpr (requires { S::kSettings; }) settings = S::kSettings;
    add(skill_id, std::move(made), folder, settings);
    return skill;
  }

  // ---- at any time

  /// 2026-01-03 12:00:00 UTC, unless it is set.
  void set_clock(std::chrono::system_clock::time_point now);
  /// From now on, what a server answers to a skill. To what is not given it answers nothing.
  void answer(const std::string& method, const std::string& url, int status, std::string body = {});
  /// What Skill::random() draws next, one number a draw; without it 0.
  void draw(const std::vector<std::size_t>& numbers);
  /// Goes on in the session of that name, which begins when it is first named.
  void in_session(const std::string& name);
  /// The language of what is said from now on; empty: the one of the configuration.
  void in_language(std::string tag);

  /// Says something; ends when it is handled, or somebody asks something.
  Outcome say(const std::string& text);
  /// Lets time pass; `speech` is what is spoken meanwhile, in whichever session.
  Outcome wait(std::chrono::milliseconds time);
  /// Puts a message on the bus, and lets what follows at once happen.
  Outcome publish(Message message);
  /// The messages of that topic, since it started.
  std::vector<Message> messages(const std::string& topic);
  /// What the log has of level warning and above, since it was made: "who: text".
  const std::vector<std::string>& warnings() const noexcept;

 private:
  void add(const std::string& skill_id, std::unique_ptr<Skill> skill, const std::filesystem::path& folder,
           OptionTable settings);

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parley::testing
