#include "registry/introspection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_set>

#include "message/codec.hpp"
#include "registry/parse.hpp"

namespace parley {
namespace {

/// Text of definitions in one answer. A skill may have registered much more, over a small frame each.
constexpr std::size_t kMostDescribed = std::size_t{1} << 20U;

/// What a query asks for; what it leaves open, or has as null, takes everything.
class Filter {
 public:
  explicit Filter(const Message& query) : query_(query) {
    for (const auto& [key, field] :
         {std::pair("skill_id", &skill_id), std::pair("lang", &lang_), std::pair("session_id", &session_id),
          std::pair("intent_name", &name_), std::pair("method", &method_)}) {
      read(key, *field);
    }
    const auto& session = query.context().session;
    if (session && session_id && session->session_id == *session_id) {
      take(session->blacklisted_skills, skills_);
      take(session->blacklisted_intents, intents_);
    }
  }

  /// Empty when the query can be answered.
  const std::string& problem() const noexcept { return problem_; }

  bool takes(const ManifestEntry& entry, bool by_definition) const {
    const IntentKey& key = entry.key;
    const auto& asker = query_.context().sender;
    if (asker && !asker->may_see(key.session_id)) return false;
    if (lang_ && folded(*lang_) != folded(key.lang)) return false;
    if (by_definition && name_ && *name_ != key.intent_name) return false;
    if (by_definition && method_ && *method_ != to_string(key.method)) return false;
    if (!session_id) return true;
    if (key.session_id != *session_id && !is_default_session(key.session_id)) return false;
    if (!skills_.empty() && skills_.contains(key.skill_id)) return false;
    return intents_.empty() || !intents_.contains(key.skill_id + ":" + key.intent_name);
  }

  std::optional<std::string> skill_id;
  std::optional<std::string> session_id;

 private:
  using Ids = std::unordered_set<std::string_view>;

  static void take(const std::optional<Session::Strings>& list, Ids& into) {
    if (list) into.insert(list->begin(), list->end());
  }

  void read(const char* key, std::optional<std::string>& into) {
    const auto found = query_.data().find(key);
    if (found == query_.data().end() || found->is_null()) return;
    if (found->is_string()) {
      into = found->get<std::string>();
    } else if (problem_.empty()) {
      problem_ = fmt::format("'{}' must be a string, not {}", key, kind_of(*found));
    }
  }

  const Message& query_;
  std::optional<std::string> lang_, name_, method_;
  Ids skills_, intents_;  ///< What the asked-for session blacklists, when the query carries it.
  std::string problem_;
};

auto order_of(const IntentKey& key) {
  return std::make_tuple(!is_default_session(key.session_id), std::string_view(key.session_id),
                         std::string_view(key.intent_name), folded(key.lang), key.method,
                         std::string_view(key.skill_id));
}

/// Default session first, then name, language, keyword before template.
std::vector<const ManifestEntry*> found(const Manifest& manifest, const Filter& filter, bool by_definition) {
  auto entries = manifest.entries(filter.skill_id);
  std::erase_if(entries, [&](const ManifestEntry* one) { return !filter.takes(*one, by_definition); });
  std::sort(entries.begin(), entries.end(), [](const ManifestEntry* a, const ManifestEntry* b) {
    return order_of(a->key) < order_of(b->key);
  });
  return entries;
}

Json identity(const IntentKey& key) {
  return {{"skill_id", key.skill_id},
          {"intent_name", key.intent_name},
          {"lang", key.lang},
          {"method", to_string(key.method)},
          {"session_id", key.session_id}};
}

Json refusal(std::string error) {
  return {{"ok", false}, {"error", std::move(error)}};
}

}  // namespace

Json list_intents(const Manifest& manifest, const Message& query) {
  const Filter filter(query);
  if (!filter.problem().empty()) return refusal(filter.problem());
  Json intents = Json::array();
  for (const ManifestEntry* entry : found(manifest, filter, false)) {
    Json one = identity(entry->key);
    one["enabled"] = manifest.is_enabled(entry->key, filter.session_id.value_or(entry->key.session_id));
    intents.push_back(std::move(one));
  }
  return {{"ok", true}, {"intents", std::move(intents)}};
}

Json describe_intents(const Manifest& manifest, const Message& query) {
  const Filter filter(query);
  if (!filter.problem().empty()) return refusal(filter.problem());
  if (!filter.skill_id) return refusal("'skill_id' is missing: a description is of one skill's intents");
  Json definitions = Json::array();
  std::size_t bytes = 0;
  for (const ManifestEntry* entry : found(manifest, filter, true)) {
    bytes += text_in(entry->message.data(), kMostDescribed);
    if (bytes >= kMostDescribed && !definitions.empty()) {
      return refusal(
          fmt::format("the skill '{}' has registered more than the 1 MiB that one answer describes: "
                      "ask for fewer by 'intent_name', 'lang' or 'method'",
                      *filter.skill_id));
    }
    Json one = identity(entry->key);
    one["definition"] = entry->message.data();
    definitions.push_back(std::move(one));
  }
  if (definitions.empty()) {
    return refusal(
        fmt::format("nothing that was asked for is registered by the skill '{}'", *filter.skill_id));
  }
  return {{"ok", true}, {"definitions", std::move(definitions)}};
}

}  // namespace parley
