#include "language/names.hpp"

#include <fmt/format.h>
#include <unicode/locdspnm.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <parley/fold.hpp>
#include <utility>

#include "language/icu.hpp"
#include "language/value_file.hpp"

namespace parley {
namespace {

constexpr std::size_t kLongestName = 200;  // bytes

std::optional<std::uint32_t> hex_color(std::string_view digits) {
  constexpr std::size_t kDigits = 6;
  std::uint32_t rgb = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, failure] = std::from_chars(digits.data(), end, rgb, 16);
  if (digits.size() != kDigits || failure != std::errc() || rest != end) return std::nullopt;
  return rgb;
}

Color color_of(std::string name, std::uint32_t rgb) {
  const auto byte = [rgb](int shift) { return static_cast<std::uint8_t>((rgb >> shift) & 0xFFU); };
  return {std::move(name), byte(16), byte(8), byte(0)};
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

std::vector<std::string> folded_list(const YAML::Node& phrases) {
  std::vector<std::string> all;
  for (const auto& phrase : phrases) all.push_back(text::fold(phrase.as<std::string>()));
  return all;
}

/// Takes the phrases off both ends of a folded text, as long as something is left.
std::string stripped(std::string_view text, const std::vector<std::string>& phrases) {
  for (bool again = true; again;) {
    again = false;
    for (const auto& phrase : phrases) {
      if (text.size() <= phrase.size() + 1) continue;
      if (text.starts_with(phrase) && text[phrase.size()] == ' ') {
        text.remove_prefix(phrase.size() + 1);
        again = true;
      } else if (text.ends_with(phrase) && text[text.size() - phrase.size() - 1] == ' ') {
        text.remove_suffix(phrase.size() + 1);
        again = true;
      }
    }
  }
  return std::string(text);
}

}  // namespace

void Names::read(const YAML::Node& section) {
  around_ = folded_list(section["around"]);
  endings_ = folded_list(section["endings"]);
}

void Names::add(std::string_view name, std::size_t meaning) {
  std::string folded = without_spaces(text::fold(name));
  if (!folded.empty()) meanings_.try_emplace(std::move(folded), meaning);
}

std::optional<std::size_t> Names::find(std::string_view text) const {
  if (text.size() > kLongestName) return std::nullopt;
  const std::string folded = text::fold(text);
  if (const auto whole = find_folded(folded)) return whole;
  return find_folded(stripped(folded, around_));
}

std::optional<std::size_t> Names::find_folded(std::string folded) const {
  folded = without_spaces(std::move(folded));
  for (const std::string& spelling : {folded, text::fold_umlaut_spelling(folded)}) {
    if (const auto found = meanings_.find(spelling); found != meanings_.end()) return found->second;
    for (const auto& ending : endings_) {
      if (!spelling.ends_with(ending)) continue;
      const auto found = meanings_.find(spelling.substr(0, spelling.size() - ending.size()));
      if (found != meanings_.end()) return found->second;
    }
  }
  return std::nullopt;
}

ColorNames::ColorNames(const std::filesystem::path& file, const std::string& /*lang*/) {
  read_value_file(file, [this](const YAML::Node& root) {
    if (root["colors"]) read(root["colors"]);
  });
}

void ColorNames::read(const YAML::Node& section) {
  names_.read(section);
  for (const auto& entry : section["names"]) {
    const auto rgb = hex_color(entry.first.as<std::string>());
    if (!rgb)
      throw YAML::Exception(entry.first.Mark(),
                            fmt::format("'{}' is no colour; expected six digits, such as ff8000",
                                        entry.first.as<std::string>()));
    if (entry.second.size() == 0) throw YAML::Exception(entry.first.Mark(), "a colour needs a list of names");
    colors_.push_back(color_of(entry.second[0].as<std::string>(), *rgb));
    for (const auto& name : entry.second) names_.add(name.as<std::string>(), colors_.size() - 1);
  }
}

std::optional<Color> ColorNames::find(std::string_view text) const {
  if (text.starts_with('#')) {
    const auto rgb = hex_color(text.substr(1));
    return rgb ? std::optional(color_of(std::string(text), *rgb)) : std::nullopt;
  }
  const auto found = names_.find(text);
  return found ? std::optional(colors_[*found]) : std::nullopt;
}

LanguageNames::LanguageNames(const std::filesystem::path& file, const std::string& lang) {
  read_value_file(file, [this](const YAML::Node& root) {
    const YAML::Node section = root["languages"];
    if (!section) return;
    names_.read(section);
    for (const auto& entry : section["names"]) {
      for (const auto& name : entry.second) add(name.as<std::string>(), entry.first.as<std::string>());
    }
  });
  UErrorCode status = U_ZERO_ERROR;
  const auto in = from_icu::locale(lang, status);
  for (const char* const* code = icu::Locale::getISOLanguages(); *code != nullptr; ++code) {
    icu::UnicodeString name;
    icu::Locale(*code).getDisplayLanguage(in, name);
    if (from_icu::utf8(name) != *code) add(from_icu::utf8(name), *code);  // else ICU has no name for it
  }
  add_dialects(lang);
}

std::optional<std::string> LanguageNames::find(std::string_view text) const {
  const auto found = names_.find(text);
  return found ? std::optional(tags_[*found]) : std::nullopt;
}

void LanguageNames::add(std::string_view name, std::string tag) {
  names_.add(name, tags_.size());
  tags_.push_back(std::move(tag));
}

/// "Brazilian Portuguese", "Simplified Chinese": regions and scripts that give a language a name of its own.
void LanguageNames::add_dialects(const std::string& lang) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::LocaleDisplayNames> display(
      icu::LocaleDisplayNames::createInstance(from_icu::locale(lang, status), ULDN_DIALECT_NAMES));
  if (!display || U_FAILURE(status) != 0) return;
  std::int32_t count = 0;
  const icu::Locale* const locales = icu::Locale::getAvailableLocales(count);
  for (std::int32_t i = 0; i < count; ++i) {
    icu::UnicodeString name;
    display->localeDisplayName(locales[i], name);
    UErrorCode failure = U_ZERO_ERROR;
    auto tag = locales[i].toLanguageTag<std::string>(failure);
    if (U_FAILURE(failure) == 0 && name.indexOf(u'(') < 0 && tag.find('-') != std::string::npos)
      add(from_icu::utf8(name), std::move(tag));
  }
}

}  // namespace parley
