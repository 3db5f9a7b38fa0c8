#include "app/collisions.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/assistant.hpp"
#include "locale/sample_place.hpp"
#include "message/log.hpp"
#include "registry/collisions.hpp"
#include "registry/registry.hpp"
#include "skill/skill_host.hpp"

namespace parley {
namespace {

constexpr CollisionBounds kThorough(32, 50'000'000);
constexpr CollisionBounds kAtLoad(3, 100'000);
constexpr std::size_t kMostWarnings = 10;

/// Says where claims were written.
class Places {
 public:
  Places(Assistant& assistant, const std::optional<std::filesystem::path>& config_file)
      : assistant_(assistant), config_file_(config_file) {}

  /// `FILE:LINE`, or empty.
  std::string of(const Claim& claim) const {
    const IntentRegistration& intent = *claim.intent;
    const auto* const skill = assistant_.skills().find(intent.skill_id);
    if (skill == nullptr || claim.sample.empty()) return {};
    LocaleFolders folders;
    folders.skill = skill->folder();
    if (config_file_) folders.user = config_file_->parent_path() / "overrides" / intent.skill_id;
    const auto place = find_sample(folders, intent.lang, intent.intent_name, claim.sample);
    return place ? fmt::format("{}:{}", place->file.string(), place->line) : std::string();
  }

  std::string described(const Claim& claim) const {
    const std::string place = of(claim);
    const std::string name = fmt::format("{}:{}", claim.intent->skill_id, claim.intent->intent_name);
    return place.empty() ? name : fmt::format("{} ({})", name, place);
  }

  nlohmann::json to_json(const Claim& claim) const {
    const IntentRegistration& intent = *claim.intent;
    return {{"skill_id", intent.skill_id},
            {"intent_name", intent.intent_name},
            {"lang", intent.lang},
            {"method", intent.is_template() ? "template" : "keyword"},
            {"session_id", intent.session_id},
            {"sample", claim.sample},
            {"place", of(claim)}};
  }

 private:
  Assistant& assistant_;
  const std::optional<std::filesystem::path>& config_file_;
};

}  // namespace

nlohmann::json to_json(const Collisions& all, Assistant& assistant,
                       const std::optional<std::filesystem::path>& config_file) {
  const Places places(assistant, config_file);
  auto found = nlohmann::json::array();
  for (const Collision& one : all.found) {
    found.push_back({{"sentence", one.sentence},
                     {"lang", one.winner.intent->lang},
                     {"tie", one.tie},
                     {"claims", {places.to_json(one.winner), places.to_json(one.other)}}});
  }
  return {{"complete", all.complete}, {"collisions", std::move(found)}};
}

nlohmann::json collisions_of(Assistant& assistant, const std::optional<std::filesystem::path>& config_file) {
  const Registry& registry = assistant.registry();
  return to_json(find_collisions(registry.intents(), registry.entities(), kThorough), assistant, config_file);
}

void warn_of_collisions(Assistant& assistant, const std::optional<std::filesystem::path>& config_file) {
  const Places places(assistant, config_file);
  const Registry& registry = assistant.registry();
  const Collisions all = find_collisions(registry.intents(), registry.entities(), kAtLoad);
  std::size_t ties = 0;
  for (const Collision& one : all.found) {
    if (!one.tie || ++ties > kMostWarnings) continue;
    log_warning("intents", fmt::format("\"{}\" ({}) is claimed by {} and just as well by {}; the first gets "
                                       "it, by its name: make one of them say more",
                                       one.sentence, one.winner.intent->lang, places.described(one.winner),
                                       places.described(one.other)));
  }
  if (ties <= kMostWarnings) return;
  log_warning("intents", fmt::format("{} more pairs of intents claim the same sentences: `parley intents "
                                     "--collisions` lists them",
                                     ties - kMostWarnings));
}

}  // namespace parley
