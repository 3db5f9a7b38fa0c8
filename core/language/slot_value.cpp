#include <fmt/format.h>

#include <parley/values.hpp>
#include <stdexcept>

namespace parley {
namespace {

template <class Wanted, class Variant>
const Wanted& get(const Variant& value, SlotType wanted, SlotType type) {
  if (const auto* found = std::get_if<Wanted>(&value)) return *found;
  throw std::logic_error(
      fmt::format("the value of this slot is a {}, not a {}: ask for what its template says", to_string(type),
                  to_string(wanted)));
}

}  // namespace

double SlotValue::number() const {
  return get<double>(value_, SlotType::kNumber, type());
}
Duration SlotValue::duration() const {
  return get<Duration>(value_, SlotType::kDuration, type());
}
const CalendarDate& SlotValue::date() const {
  return get<CalendarDate>(value_, SlotType::kDate, type());
}
const Color& SlotValue::color() const {
  return get<Color>(value_, SlotType::kColor, type());
}
const std::string& SlotValue::language() const {
  return get<std::string>(value_, SlotType::kLanguage, type());
}

}  // namespace parley
