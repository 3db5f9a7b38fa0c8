#pragma once

#include <map>
#include <parley/registry.hpp>
#include <parley/templates.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "registry/parse.hpp"

namespace parley {

/// Reads the fields of a registration one by one. After the first failure the rest is of no use; what it gave
/// until then is thrown away by the caller. Refers to what it is given.
class PayloadReader {
 public:
  PayloadReader(const Json& payload, const Complain& complain, const RegistrationLimits& limits)
      : payload_(payload), complain_(complain), limits_(limits) {}

  bool failed() const noexcept { return !failure_.empty(); }
  const std::string& failure() const noexcept { return failure_; }

  /// A skill_id, an intent_name … (M-2).
  std::string identifier(const char* key);
  std::string language();
  KeywordIntent keyword_intent();
  TemplateIntent template_intent(IntentRegistration& slots_of);
  std::vector<std::string> entity_samples();
  /// How much work the samples are that were read.
  std::size_t weight() const noexcept { return text_ + static_cast<std::size_t>(forms_) * kBytesOfForm; }
  /// `requires_context` and `excludes_context`.
  void read_gates(IntentRegistration& intent);

 private:
  using Vocabularies = std::vector<KeywordVocabulary>;
  static constexpr std::size_t kBytesOfForm = 8;
  enum class Slots : bool { kForbidden, kAllowed };

  void fail(std::string reason);
  /// The array under `key`: null when the key is absent, and when it holds something else, which fails.
  const Json* array(const char* key);
  const Json* array(const Json& object, const char* key, const std::string& where);

  /// Counts a list of samples, which a registration may have only so many of. False: too many.
  bool count_samples(const Json& list);
  /// The members that are templates, each once; complains of the others.
  std::vector<std::string> phrases(const Json& list, const std::string& where, Slots slots);
  std::vector<Template> templates(const Json& list, const std::string& where, Slots slots,
                                  std::vector<Template>* teaching = nullptr);
  std::vector<std::string> required_samples(const Json& object, const std::string& where);

  Vocabularies role(const char* key);
  Vocabularies vocabularies(const Json& list, const std::string& where);
  KeywordVocabulary vocabulary(const Json& descriptor, const std::string& where);
  std::vector<Vocabularies> one_of();
  void check_roles(const KeywordIntent& intent);

  /// Slot → its type, of all slots the samples declare.
  using Declared = std::map<std::string, SlotType, std::less<>>;
  static Declared declared_slots(const std::vector<Template>& samples);
  /// The slots named under `key`, each once.
  std::vector<std::string> slot_list(const char* key, const Declared& slots);
  std::map<std::string, std::vector<std::string>> slot_blacklist(const Declared& slots);
  std::map<std::string, std::string> slot_types(const Declared& slots);
  std::vector<ContextGate> gates(const char* key);
  bool add_gate(const Json& one, const std::string& where, std::vector<ContextGate>& into);

  const Json& payload_;
  const Complain& complain_;
  const RegistrationLimits& limits_;
  std::size_t samples_ = 0;
  std::size_t text_ = 0;  ///< Bytes of all samples.
  std::uint64_t forms_ = 0;
  std::string failure_;
};

}  // namespace parley
