#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <parley/session.hpp>

#include "message/codec.hpp"
#include "session/fields.hpp"
#include "session/session.hpp"

namespace parley {
namespace {

bool read(const Json& from, std::string& into) {
  if (!from.is_string()) return false;
  into = from.get<std::string>();
  return true;
}

bool read(const Json& from, double& into) {
  if (!from.is_number()) return false;
  into = from.get<double>();
  return std::isfinite(into);
}

bool read(const Json& from, Session::Strings& into) {
  if (!from.is_array()) return false;
  for (const auto& one : from) {
    if (!one.is_string()) return false;
    into.push_back(one.get<std::string>());
  }
  return true;
}

/// `{skill_id, <time>}` as active_handlers and response_mode have it; both keys are required.
template <class Entry>
bool read_entry(const Json& from, const char* time_key, std::vector<Entry>& into) {
  if (!from.is_object()) return false;
  const auto id = from.find("skill_id");
  const auto time = from.find(time_key);
  std::string skill;
  double at = 0;
  if (id == from.end() || time == from.end() || !read(*id, skill) || skill.empty() || !read(*time, at))
    return false;
  into.emplace_back(std::move(skill), at);
  return true;
}

bool read(const Json& from, std::vector<ActiveHandler>& into) {
  if (!from.is_array()) return false;
  return std::all_of(from.begin(), from.end(),
                     [&](const Json& one) { return read_entry(one, "activated_at", into); });
}

bool read_mode(const Json& from, std::optional<ResponseMode>& into) {
  std::vector<ResponseMode> one;
  if (!read_entry(from, "expires_at", one)) return false;
  into = std::move(one.front());
  const auto expects = from.find("expects");
  if (expects != from.end() && expects->is_string()) into->expects = expects->get<std::string>();
  return true;
}

/// Bounded, so that counting down neither overflows nor wraps around.
int turns_from(const Json& number) {
  constexpr int kMost = 1'000'000;
  if (number.is_number_unsigned())
    return static_cast<int>(std::min<std::uint64_t>(number.get<std::uint64_t>(), kMost));
  return static_cast<int>(std::clamp<std::int64_t>(number.get<std::int64_t>(), -1, kMost));
}

bool read(const Json& from, ContextEntry& into) {
  if (from.is_null()) {
    into.removed = true;
    return true;
  }
  if (!from.is_object() || !from.contains("value")) return false;
  for (const auto& [key, value] : from.items()) {
    if (key == "value" && !value.is_null()) {
      if (!read(value, into.value.emplace())) return false;
    } else if (key == "expires_at") {
      if (!read(value, into.expires_at.emplace())) return false;
    } else if (key == "turns_remaining") {
      if (!value.is_number_integer()) return false;
      into.turns_remaining = turns_from(value);
    }
  }
  return true;
}

bool read(const Json& from, std::map<std::string, ContextEntry>& into) {
  if (!from.is_object()) return false;
  for (const auto& [key, value] : from.items()) {
    if (!read(value, into[key])) return false;
  }
  return true;
}

bool read(const Json& from, Location& into) {
  if (!from.is_object()) return false;
  Json rest = from;
  const auto take = [&rest](const char* key, auto& field) {
    const auto found = rest.find(key);
    if (found == rest.end()) return true;
    if (!read(*found, field.emplace())) return false;
    rest.erase(found);
    return true;
  };
  if (!take("lat", into.lat) || !take("lon", into.lon) || !take("tz", into.tz)) return false;
  if (!rest.empty()) into.rest = std::make_shared<const Json>(std::move(rest));
  return true;
}

bool is_transformers(std::string_view key) {
  return key.ends_with("_transformers");
}

Json json_of(const std::string& text) {
  return text;
}
Json json_of(const Session::Strings& texts) {
  return texts;
}

Json json_of(const std::vector<ActiveHandler>& handlers) {
  Json array = Json::array();
  for (const auto& one : handlers)
    array.push_back({{"skill_id", one.skill_id}, {"activated_at", one.activated_at}});
  return array;
}

Json json_of(const ResponseMode& mode) {
  Json object = {{"skill_id", mode.skill_id}, {"expires_at", mode.expires_at}};
  if (!mode.expects.empty()) object["expects"] = mode.expects;
  return object;
}

Json json_of(const std::map<std::string, ContextEntry>& entries) {
  Json object = Json::object();
  for (const auto& [key, entry] : entries) {
    Json& one = object[key];
    if (entry.removed) continue;
    one = Json::object();
    one["value"] = entry.value ? Json(*entry.value) : Json();
    if (entry.expires_at) one["expires_at"] = *entry.expires_at;
    if (entry.turns_remaining) one["turns_remaining"] = *entry.turns_remaining;
  }
  return object;
}

Json json_of(const Location& place) {
  Json object = place.rest ? *place.rest : Json::object();
  if (place.lat) object["lat"] = *place.lat;
  if (place.lon) object["lon"] = *place.lon;
  if (place.tz) object["tz"] = *place.tz;
  return object;
}

template <class T>
bool read_field(const Json& value, std::optional<T>& field) {
  T made{};
  if (!read(value, made)) return false;
  field = std::move(made);
  return true;
}

bool read_field(const Json& value, std::optional<ResponseMode>& field) {
  return read_mode(value, field);
}

/// Reads one wire field into the member of that name. Neither known nor read: nothing happens.
enum class Outcome { kUnknown, kRead, kSpoiled };
Outcome read_named(const std::string& key, const Json& value, Session& session) {
  Outcome outcome = Outcome::kUnknown;
  for_each_field([&](std::string_view name, auto member) {
    if (outcome == Outcome::kUnknown && key == name) {
      outcome = read_field(value, session.*member) ? Outcome::kRead : Outcome::kSpoiled;
    }
  });
  if (outcome == Outcome::kUnknown && is_transformers(key)) {
    Session::Strings chain;
    outcome = read(value, chain) ? Outcome::kRead : Outcome::kSpoiled;
    if (outcome == Outcome::kRead) session.transformers[key] = std::move(chain);
  }
  return outcome;
}

/// About what a value takes, serialised: at most, with every character as an escape, or at least.
enum class Estimate { kMost, kLeast };

template <Estimate how>
constexpr std::size_t pick(std::size_t most, std::size_t least) {
  return how == Estimate::kMost ? most : least;
}

template <Estimate how>
class Estimator {
 public:
  static std::size_t of(std::string_view text) { return pick<how>(6 * text.size() + 3, text.size() + 2); }
  static std::size_t of(const std::string& text) { return of(std::string_view(text)); }

  static std::size_t of(const Json& value) {
    if (value.is_string()) return of(std::string_view(value.get_ref<const std::string&>()));
    if (!value.is_structured()) return kNumber;
    std::size_t bytes = 2;
    for (const auto& [key, one] : value.items()) {
      if (value.is_object()) bytes += of(std::string_view(key)) + 1;
      bytes += of(one) + pick<how>(1, 0);
    }
    return bytes;
  }

  static std::size_t of(const Session::Strings& texts) {
    std::size_t bytes = 2;
    for (const auto& one : texts) bytes += of(one);
    return bytes;
  }

  static std::size_t of(const std::vector<ActiveHandler>& handlers) {
    std::size_t bytes = 2;
    for (const auto& one : handlers) bytes += kHandler + of(one.skill_id);
    return bytes;
  }

  static std::size_t of(const ResponseMode& mode) {
    return kHandler + of(mode.skill_id) + (mode.expects.empty() ? 0 : 12 + of(mode.expects));
  }

  static std::size_t of(const std::map<std::string, ContextEntry>& entries) {
    std::size_t bytes = 2;
    for (const auto& [key, entry] : entries)
      bytes += of(key) + pick<how>(48 + 2 * kNumber, 1) + (entry.value ? of(*entry.value) : pick<how>(4, 0));
    return bytes;
  }

  static std::size_t of(const Location& place) {
    return pick<how>(24 + 2 * kNumber, 2) + (place.tz ? of(*place.tz) : 0) +
           (place.rest ? of(*place.rest) : 0);
  }

  static std::size_t of(const Session& session) {
    std::size_t bytes = pick<how>(16, 0) + of(session.session_id);
    for_each_field([&](std::string_view name, auto member) {
      const auto& field = session.*member;
      if (field) bytes += name.size() + pick<how>(4, 2) + of(*field);
    });
    for (const auto& [name, chain] : session.transformers) bytes += of(name) + 1 + of(chain);
    if (session.rest) bytes += of(*session.rest);
    return bytes;
  }

 private:
  static constexpr std::size_t kNumber = pick<how>(32, 1);
  static constexpr std::size_t kHandler =
      pick<how>(64, 24);  ///< A skill with its time, but for the skill's id.
};

}  // namespace

bool fits(const Session& session, std::size_t max_size) {
  if (Estimator<Estimate::kMost>::of(session) <= max_size) return true;
  if (Estimator<Estimate::kLeast>::of(session) > max_size) return false;
  return to_json(session).dump(-1, ' ', false, Json::error_handler_t::replace).size() <= max_size;
}

Session session_from_json(const Json& object, std::vector<std::string>& spoiled) {
  Session session;
  Json rest = Json::object();
  for (const auto& [key, value] : object.items()) {
    if (key == "session_id") {
      if (!read(value, session.session_id) || session.session_id.empty()) {
        session.session_id = kDefaultSession;
        spoiled.push_back("session_id must be a non-empty string: taken as \"default\"");
      }
      continue;
    }
    const Outcome outcome = read_named(key, value, session);
    if (outcome == Outcome::kSpoiled) {
      spoiled.push_back(key + " is " + std::string(kind_of(value)) + " of the wrong form: taken as omitted");
    }
    if (outcome != Outcome::kUnknown) continue;
    if (value.is_null()) {
      spoiled.push_back(key + " is null: taken as omitted");
    } else {
      rest[key] = value;
    }
  }
  if (!rest.empty()) session.rest = std::make_shared<const Json>(std::move(rest));
  return session;
}

Json to_json(const Session& session) {
  Json object = session.rest ? *session.rest : Json::object();
  object["session_id"] = session.session_id;
  for_each_field([&](std::string_view name, auto member) {
    const auto& field = session.*member;
    if (field) object[std::string(name)] = json_of(*field);
  });
  for (const auto& [name, chain] : session.transformers) object[name] = chain;
  return object;
}

}  // namespace parley
