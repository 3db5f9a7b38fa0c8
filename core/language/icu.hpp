#pragma once

#include <unicode/locid.h>
#include <unicode/timezone.h>
#include <unicode/unistr.h>

#include <memory>
#include <string>
#include <string_view>

// What several files of this room take from ICU. What other rooms need of it is in number_speller.hpp,
// unicode.hpp and zone_names.hpp, without its headers.
namespace parley::from_icu {

inline icu::UnicodeString text(std::string_view utf8) {
  return icu::UnicodeString::fromUTF8(icu::StringPiece(utf8.data(), static_cast<std::int32_t>(utf8.size())));
}

inline std::string utf8(const icu::UnicodeString& text) {
  std::string out;
  return text.toUTF8String(out);
}

/// That of a BCP-47 tag.
inline icu::Locale locale(const std::string& tag, UErrorCode& status) {
  return icu::Locale::forLanguageTag(tag, status);
}

/// Null: ICU does not know the name.
inline std::unique_ptr<icu::TimeZone> zone(std::string_view id) {
  std::unique_ptr<icu::TimeZone> found(icu::TimeZone::createTimeZone(text(id)));
  if (found && *found == icu::TimeZone::getUnknown()) found = nullptr;
  return found;
}

}  // namespace parley::from_icu
