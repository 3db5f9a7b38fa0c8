#include "knowledge.hpp"

namespace parley::date_time {

const Knowledge::Tongue& Knowledge::tongue(std::string_view tag) {
  const std::string wanted(Language::exists(data_, tag) ? tag : "en-US");
  const auto known = tongues_.find(wanted);
  if (known != tongues_.end()) return known->second;
  return tongues_.try_emplace(wanted, data_, wanted).first->second;
}

std::optional<Place> Knowledge::find_place(std::string_view name, std::string_view language) {
  if (!places_) places_.emplace(data_ / "places.txt");
  return places_->find(name, language);
}

std::optional<Zone> Knowledge::zone(std::string_view id) {
  if (const auto known = zones_.find(id); known != zones_.end()) return known->second;
  auto zone = Zone::named(id);
  if (zone) zones_.emplace(id, *zone);
  return zone;
}

}  // namespace parley::date_time
