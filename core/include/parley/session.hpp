#pragma once

#include <map>
#include <memory>
#include <optional>
#include <parley/message.hpp>
#include <parley/session_key.hpp>
#include <string>
#include <vector>

namespace parley {

/// A skill that was active, and when (Unix seconds, S-7).
struct ActiveHandler {
  ActiveHandler(std::string id, double at) : skill_id(std::move(id)), activated_at(at) {}
  std::string skill_id;
  double activated_at;
  bool operator==(const ActiveHandler&) const = default;
};

/// The skill that waits for the next utterance of the session, and until when (Unix seconds).
struct ResponseMode {
  ResponseMode(std::string id, double until) : skill_id(std::move(id)), expires_at(until) {}
  std::string skill_id;
  double expires_at;
  /// What kind of answer it waits for: "text" (any), "yes_no", or a type of slots ("number", "duration",
  /// "date", "color", "language"). Empty: unspecified.
  std::string expects;
  bool operator==(const ResponseMode&) const = default;
};

/// One entry of `intent_context`. No `value` means it is there without one.
struct ContextEntry {
  ContextEntry() = default;
  std::optional<std::string> value;
  std::optional<double> expires_at;  ///< Unix seconds.
  std::optional<int> turns_remaining;
  bool removed = false;  ///< In a change: removes the entry (`null` on the wire, S-6).
  bool operator==(const ContextEntry&) const = default;
};

struct Location {
  Location() = default;
  std::optional<double> lat;         ///< Degrees, north positive.
  std::optional<double> lon;         ///< Degrees, east positive.
  std::optional<std::string> tz;     ///< IANA name, e.g. "Europe/Berlin".
  std::shared_ptr<const Json> rest;  ///< Keys we do not know; may be null.
  bool operator==(const Location& other) const;
};

/// `context.session`: everything about one conversation that travels with its messages (section S).
/// An absent optional is an omitted field. A plain value; share it as SessionPtr.
struct Session {
  using Strings = std::vector<std::string>;

  Session();
  explicit Session(std::string id);

  std::string session_id;  ///< "default" when the wire had none.

  std::optional<std::string> lang, output_lang, stt_lang, request_lang, detected_lang;  ///< BCP-47.
  std::optional<Strings> secondary_langs;

  std::optional<Strings> pipeline;
  std::optional<Strings> blacklisted_pipelines, blacklisted_skills, blacklisted_intents;
  std::optional<Strings> fallback_handlers;

  std::optional<std::vector<ActiveHandler>> active_handlers, converse_handlers;
  std::optional<ResponseMode> response_mode;
  std::optional<std::map<std::string, ContextEntry>> intent_context;

  std::optional<std::string> persona_id, site_id;
  std::optional<Location> location;

  /// `*_transformers` and `blacklisted_*_transformers`, by their names on the wire.
  std::map<std::string, Strings> transformers;

  std::shared_ptr<const Json> rest;  ///< Fields we do not know, untouched (S-2); may be null.

  bool operator==(const Session& other) const;

  bool blacklists_skill(std::string_view skill_id) const;
  /// `intent` is `<skill_id>:<intent_name>`.
  bool blacklists_intent(std::string_view intent) const;
};

/// The wire form: present fields only, `session_id` always.
Json to_json(const Session& session);

/// Reads the wire form. Fields that are null or of the wrong type are left out (S-1).
/// @param spoiled  gets one line per field that was left out: its name and the type it had
Session session_from_json(const Json& object, std::vector<std::string>& spoiled);

}  // namespace parley
