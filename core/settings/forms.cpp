#include "settings/forms.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>

#include "language/zone_names.hpp"
#include "settings/values.hpp"

namespace parley::config {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_letter_or_digit(char c) {
  return is_letter(c) || (c >= '0' && c <= '9');
}

// Well-formed in the sense of BCP 47: a language of two to eight letters, then subtags of one to eight.
bool is_language(std::string_view tag) {
  constexpr std::size_t kLongestSubtag = 8;
  const std::size_t first = std::min(tag.find('-'), tag.size());
  const std::string_view language = tag.substr(0, first);
  if (language.size() < 2 || language.size() > kLongestSubtag) return false;
  if (!std::all_of(language.begin(), language.end(), is_letter)) return false;
  while (tag.size() > language.size()) {
    const std::size_t dash = tag.rfind('-');
    const std::string_view subtag = tag.substr(dash + 1);
    if (subtag.empty() || subtag.size() > kLongestSubtag) return false;
    if (!std::all_of(subtag.begin(), subtag.end(), is_letter_or_digit)) return false;
    tag = tag.substr(0, dash);
  }
  return true;
}

bool is_address(const std::string& text) {
  in6_addr address{};
  return inet_pton(AF_INET, text.c_str(), &address) == 1 || inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

bool is_intent(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && is_id(text.substr(0, colon)) && is_id(text.substr(colon + 1));
}

}  // namespace

bool has_form(std::string_view text, TextForm form) {
  switch (form) {
    case TextForm::kAny:
      return true;
    case TextForm::kNonEmpty:
      return !text.empty();
    case TextForm::kLanguage:
      return is_language(text);
    case TextForm::kZone:
      return text.empty() || is_known_zone(text);
    case TextForm::kAddress:
      return is_address(std::string(text));
    case TextForm::kId:
      return is_id(text);
    case TextForm::kIntent:
      return is_intent(text);
  }
  return false;
}

std::string_view form_in_words(TextForm form) {
  switch (form) {
    case TextForm::kAny:
      return "text";
    case TextForm::kNonEmpty:
      return "text that is not empty";
    case TextForm::kLanguage:
      return "a language tag such as en-US";
    case TextForm::kZone:
      return "a time zone such as Europe/Berlin";
    case TextForm::kAddress:
      return "an IP address such as 127.0.0.1 or ::1";
    case TextForm::kId:
      return "a name of letters, digits, '.', '_' and '-'";
    case TextForm::kIntent:
      return "an intent such as timer.parley:set";
  }
  return "text";
}

std::string form_hint(std::string_view text, TextForm form) {
  if (form != TextForm::kZone) return "";
  const auto near = nearest(text, zone_names());
  return near ? fmt::format("; did you mean '{}'?", *near) : "";
}

}  // namespace parley::config
