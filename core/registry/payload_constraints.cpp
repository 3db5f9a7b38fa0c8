// The parts of a registration that are lists of rules: keyword constraints (R-4) and context gates (X-2).
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "message/codec.hpp"
#include "registry/payload_reader.hpp"

namespace parley {
namespace {

/// Vocabularies by name, each sample of each once (R-4).
class Merged {
 public:
  void add(const std::string& name, std::vector<std::string> samples) {
    const auto [place, is_new] = places_.emplace(name, vocabularies_.size());
    if (is_new) vocabularies_.emplace_back(name, std::vector<std::string>());
    for (auto& sample : samples) {
      if (seen_.emplace(place->second, sample).second) {
        vocabularies_[place->second].samples.push_back(std::move(sample));
      }
    }
  }
  const KeywordVocabulary& at(const std::string& name) const { return vocabularies_[places_.at(name)]; }
  std::vector<KeywordVocabulary> take() { return std::move(vocabularies_); }

 private:
  std::vector<KeywordVocabulary> vocabularies_;
  std::map<std::string, std::size_t> places_;
  std::set<std::pair<std::size_t, std::string>> seen_;
};

/// The same name in several groups is one vocabulary with all the samples (R-4). False: more than `most` of
/// them, since groups that repeat a name multiply its samples.
bool unite_groups(std::vector<std::vector<KeywordVocabulary>>& groups, std::size_t most) {
  Merged all;
  for (const auto& group : groups) {
    for (const auto& one : group) all.add(one.name, one.samples);
  }
  std::size_t count = 0;
  for (auto& group : groups) {
    for (auto& one : group) {
      const auto& samples = all.at(one.name).samples;
      count += samples.size();
      if (count > most) return false;
      if (samples.size() != one.samples.size()) one.samples = samples;
    }
  }
  return true;
}

std::string gate_name(const ContextGate& gate) {
  return (gate.shared ? "shared " : "private ") + gate.key;
}

bool is_context_key(const std::string& text) {
  return !text.empty() && text.find(':') == std::string::npos;
}

}  // namespace

KeywordIntent PayloadReader::keyword_intent() {
  KeywordIntent intent;
  intent.required = role("required");
  intent.optional = role("optional");
  intent.excluded = role("excluded");
  intent.one_of = one_of();
  if (!failed() && intent.required.empty() && intent.one_of.empty()) {
    fail("required and one_of are both empty: nothing would have to be said");
  }
  if (!failed()) check_roles(intent);
  return intent;
}

PayloadReader::Vocabularies PayloadReader::role(const char* key) {
  const Json* list = array(key);
  return list == nullptr ? Vocabularies() : vocabularies(*list, key);
}

PayloadReader::Vocabularies PayloadReader::vocabularies(const Json& list, const std::string& where) {
  Merged merged;
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto one = vocabulary(list[i], fmt::format("{}[{}]", where, i));
    if (failed()) return {};
    merged.add(one.name, std::move(one.samples));
  }
  return merged.take();
}

KeywordVocabulary PayloadReader::vocabulary(const Json& descriptor, const std::string& where) {
  KeywordVocabulary read({}, {});
  if (!descriptor.is_object()) {
    fail(fmt::format("{} is {}; it must be {{name, samples}}", where, kind_of(descriptor)));
    return read;
  }
  const auto name = descriptor.find("name");
  if (name == descriptor.end() || !name->is_string() || name->get_ref<const std::string&>().empty()) {
    fail(fmt::format("{}.name must be a non-empty string", where));
    return read;
  }
  read.name = name->get<std::string>();
  read.samples = required_samples(descriptor, where + ".samples");
  return read;
}

std::vector<PayloadReader::Vocabularies> PayloadReader::one_of() {
  std::vector<Vocabularies> groups;
  const Json* list = array("one_of");
  if (list == nullptr) return groups;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Json& group = (*list)[i];
    const std::string where = fmt::format("one_of[{}]", i);
    if (!group.is_array()) {
      fail(fmt::format("{} is {}; it must be an array of {{name, samples}}", where, kind_of(group)));
    } else if (group.empty()) {
      fail(fmt::format("{} is empty: none of it could ever be said", where));
    } else {
      groups.push_back(vocabularies(group, where));
    }
    if (failed()) return {};
  }
  if (!failed() && !unite_groups(groups, limits_.max_samples))
    fail(fmt::format("one_of has more than {} samples in all (registration.max_samples)",
                     limits_.max_samples));
  return groups;
}

void PayloadReader::check_roles(const KeywordIntent& intent) {
  std::map<std::string_view, std::string_view> roles;
  const auto claim = [&](const Vocabularies& vocabularies, std::string_view role) {
    for (const auto& one : vocabularies) {
      const auto [first, is_new] = roles.emplace(one.name, role);
      if (!is_new && first->second != role) {
        fail(fmt::format("vocabulary '{}' is both in {} and in {}", one.name, first->second, role));
      }
    }
  };
  claim(intent.required, "required");
  claim(intent.optional, "optional");
  claim(intent.excluded, "excluded");
  for (const auto& group : intent.one_of) claim(group, "one_of");
}

void PayloadReader::read_gates(IntentRegistration& intent) {
  intent.requires_context = gates("requires_context");
  intent.excludes_context = gates("excludes_context");
  std::set<std::string> wanted;
  for (const auto& gate : intent.requires_context) wanted.insert(gate_name(gate));
  for (const auto& gate : intent.excludes_context) {
    if (!wanted.contains(gate_name(gate))) continue;
    fail(fmt::format("the {} is both required and excluded: it could never match", gate_name(gate)));
    return;
  }
}

std::vector<ContextGate> PayloadReader::gates(const char* key) {
  std::vector<ContextGate> found;
  const Json* list = array(key);
  if (list == nullptr) return found;
  if (list->size() > RegistrationLimits::kMaxContextKeys) {
    fail(fmt::format("{} has more than {} entries", key, RegistrationLimits::kMaxContextKeys));
    return found;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    if (!add_gate((*list)[i], fmt::format("{}[{}]", key, i), found)) return {};
  }
  return found;
}

bool PayloadReader::add_gate(const Json& one, const std::string& where, std::vector<ContextGate>& into) {
  const Json* key = &one;
  bool shared = false;
  if (one.is_object()) {
    const auto named = one.find("key");
    key = named == one.end() ? nullptr : &*named;
    if (const auto scope = one.find("scope"); scope != one.end()) {
      if (*scope != "private" && *scope != "shared") {
        fail(where + R"(.scope must be "private" or "shared")");
        return false;
      }
      shared = *scope == "shared";
    }
  }
  if (key == nullptr || !key->is_string() || !is_context_key(key->get_ref<const std::string&>())) {
    fail(fmt::format("{} must be a context key without ':', or {{key, scope}}", where));
    return false;
  }
  into.emplace_back(key->get<std::string>(), shared);
  return true;
}

}  // namespace parley
