#pragma once

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/config.hpp"

namespace parley::config {

/// What a text, an element of a list or a key of a map has to look like.
enum class Form { kAny, kNonEmpty, kLanguage, kZone, kAddress, kId, kIntent };

/// What a value has to keep to beyond its type.
struct Rule {
  double low = 0;  ///< Milliseconds for durations, bytes for sizes.
  double high = 0;
  Form form = Form::kAny;
};

constexpr Rule within(double low, double high) {
  return Rule{low, high, Form::kAny};
}
constexpr Rule within(std::chrono::milliseconds low, std::chrono::milliseconds high) {
  return Rule{static_cast<double>(low.count()), static_cast<double>(high.count()), Form::kAny};
}
constexpr Rule looks_like(Form form) {
  return Rule{0, 0, form};
}

/// The priorities a fallback entry is in charge of, both ends included.
struct PriorityRange {
  PriorityRange() = default;
  PriorityRange(int from, int to) : low(from), high(to) {}
  int low = 0;
  int high = 0;
};

enum class FallbackMode { kAcceptAll, kWhitelist, kBlacklist };
enum class IntentLevel { kByName, kHigh, kMedium, kLow };

using Priorities = std::map<std::string, int>;

/// The member a key is stored in. Its type is the kind of the value: std::size_t is a size in bytes.
template <class S>
using Slot = std::variant<bool S::*, int S::*, double S::*, std::size_t S::*, std::chrono::milliseconds S::*,
                          std::string S::*, std::vector<std::string> S::*, std::optional<double> S::*,
                          std::optional<std::chrono::milliseconds> S::*, std::optional<PriorityRange> S::*,
                          Priorities S::*, LogLevel S::*, LogFormat S::*, SkillThreads S::*,
                          PluginUnload S::*, Compat S::*, FallbackMode S::*, IntentLevel S::*>;

/// One key of a section. The default is what the member holds in a fresh section.
template <class S>
struct Field {
  std::string_view key;
  Slot<S> slot;
  std::string_view help;
  Rule rule{};
};

/// The words an enumeration is written with, in the order of its values.
template <class Enum>
struct Words;
template <>
struct Words<LogLevel> {
  static constexpr std::array<std::string_view, 6> kAll{"trace", "debug", "info", "warn", "error", "off"};
};
template <>
struct Words<LogFormat> {
  static constexpr std::array<std::string_view, 2> kAll{"text", "json"};
};
template <>
struct Words<SkillThreads> {
  static constexpr std::array<std::string_view, 2> kAll{"shared", "own"};
};
template <>
struct Words<PluginUnload> {
  static constexpr std::array<std::string_view, 2> kAll{"when_idle", "never"};
};
template <>
struct Words<Compat> {
  static constexpr std::array<std::string_view, 2> kAll{"none", "ovos"};
};
template <>
struct Words<IntentLevel> {
  static constexpr std::array<std::string_view, 4> kAll{"by_name", "high", "medium", "low"};
};
template <>
struct Words<FallbackMode> {
  static constexpr std::array<std::string_view, 3> kAll{"accept_all", "whitelist", "blacklist"};
};

}  // namespace parley::config
