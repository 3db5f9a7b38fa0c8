#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <parley/registry.hpp>
#include <parley/session.hpp>
#include <parley/templates.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace parley::intent_llm {

/// One argument of a function: a slot of a template intent, or a vocabulary of a keyword intent.
struct Argument {
  explicit Argument(std::string slot) : name(std::move(slot)) {}
  std::string name;
  SlotType type = SlotType::kNone;
  bool needed = false;  ///< Without it the intent is not taken.
  bool closed = false;  ///< Only the listed values count.
  std::vector<std::string> listed;
};

/// An intent as a function that a model may call.
struct Tool {
  explicit Tool(IntentPtr registration) : intent(std::move(registration)) {}
  std::string name;  ///< As models want names: letters, digits, `_` and `-`, 64 at most. Each once.
  IntentPtr intent;
  std::vector<Argument> arguments;
  std::map<std::string, std::string> from_context;  ///< Required slots that the session fills (X-2).
};

/// The argument that quotes which words of the utterance ask for this. No slot can have its name.
inline constexpr const char* kQuote = "UserWords";

/// What a session may use of the registry, at one moment: visible in the session, in the utterance's
/// language, and neither blacklisted, disabled nor shut by the intent context. Of several regions of a
/// language, the speaker's own is taken. On the loop.
std::vector<IntentPtr> intents_in_reach(const Registry& registry, const Session& session,
                                        std::string_view lang, double now);

/// What was asked of the model, and what its reply is held against.
struct Offer {
  std::string utterance;
  std::string lang;
  SessionPtr session;
  double now = 0;  ///< Unix seconds.
  std::vector<IntentPtr> intents;
  std::vector<EntityPtr> entities;
  std::size_t most_tools = 0;
  std::vector<Tool> tools;  ///< Made by make_tools().
};

/// Makes functions of the intents that the words of the utterance don't suppress. Of more than `most_tools`,
/// those that share most words with it, and those of skills that were active last. Takes time by their number
/// and samples: not for the loop.
void make_tools(Offer& offer);

/// A function as a chat completion declares it, with a strict schema.
Json declaration_of(const Tool& tool);

}  // namespace parley::intent_llm
