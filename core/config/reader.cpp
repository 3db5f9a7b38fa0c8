#include "config/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "config/forms.hpp"
#include "config/help.hpp"
#include "settings/values.hpp"

namespace parley::config {
namespace {

std::string found(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull:
      return "nothing";
    case Node::Kind::kScalar:
      return in_quotes(node.text);
    case Node::Kind::kList:
      return "a list";
    case Node::Kind::kMap:
      return "a map";
  }
  return "";
}

bool is_plain(const Node& node) {
  return node.kind == Node::Kind::kScalar && !node.is_quoted;
}

bool allows(const Rule& rule, double value) {
  return !(rule.low < rule.high) || (value >= rule.low && value <= rule.high);
}

std::string between(const Rule& rule, const std::string& low, const std::string& high) {
  return rule.low < rule.high ? fmt::format(" between {} and {}", low, high) : "";
}

std::optional<double> number(const Node& node) {
  const nlohmann::json value = is_plain(node) ? to_json(node) : nlohmann::json();
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

std::optional<int> integer(const Node& node) {
  const nlohmann::json value = is_plain(node) ? to_json(node) : nlohmann::json();
  if (!value.is_number_integer() || number(node) > std::numeric_limits<int>::max() ||
      number(node) < std::numeric_limits<int>::min()) {
    return std::nullopt;
  }
  return value.get<int>();
}

}  // namespace

std::string join(std::string_view path, std::string_view key) {
  const std::string shown = printable_key(key);
  return path.empty() ? shown : fmt::format("{}.{}", path, shown);
}

void Reader::expected(const Node& node, std::string_view path, std::string_view what) {
  fail(node.place, fmt::format("'{}' must be {}; found {}", path, what, found(node)));
}

void Reader::unknown_key(const Member& member, std::string_view path, const std::vector<std::string>& known) {
  std::string advice;
  if (const auto near = nearest(member.key, known)) {
    advice = fmt::format("did you mean '{}'?", join(path, *near));
  } else if (const auto elsewhere = declared_elsewhere(member.key)) {
    advice = fmt::format("did you mean '{}'?", *elsewhere);
  } else if (known.empty()) {
    advice = "no key is known here";
  } else {
    std::vector<std::string> sorted = known;
    std::sort(sorted.begin(), sorted.end());
    advice = fmt::format("known here: {}", fmt::join(sorted, ", "));
  }
  fail(member.place, fmt::format("unknown key '{}'; {}", join(path, member.key), advice));
}

bool Reader::is_section(const Node& node, std::string_view path) {
  if (node.is_map() || node.is_null()) return true;
  if (path.empty()) {
    fail(node.place, fmt::format("must be a map of keys and values; found {}", found(node)));
  } else {
    expected(node, path, "a map of keys and values");
  }
  return false;
}

bool Reader::is_key(const Member& member, std::string_view path, std::string_view what) {
  if (is_id(member.key)) return true;
  fail(member.place,
       fmt::format("'{}' names no {}; that is {}", join(path, member.key), what, form_in_words(Form::kId)));
  return false;
}

void Reader::read(const Node& node, std::string_view path, const Rule& rule, bool& value) {
  const nlohmann::json read = is_plain(node) ? to_json(node) : nlohmann::json();
  if (!read.is_boolean()) return expected(node, path, describe(rule, &value));
  value = read.get<bool>();
}

void Reader::read(const Node& node, std::string_view path, const Rule& rule, int& value) {
  const auto read = integer(node);
  if (!read || !allows(rule, *read)) return expected(node, path, describe(rule, &value));
  value = *read;
}

void Reader::read(const Node& node, std::string_view path, const Rule& rule, double& value) {
  const auto read = number(node);
  if (!read || !allows(rule, *read)) return expected(node, path, describe(rule, &value));
  value = *read;
}

void Reader::read(const Node& node, std::string_view path, const Rule& rule, std::size_t& value) {
  const auto read = node.kind == Node::Kind::kScalar ? parse_size(node.text) : std::nullopt;
  if (!read || !allows(rule, static_cast<double>(*read))) return expected(node, path, describe(rule, &value));
  value = *read;
}

void Reader::read(const Node& node, std::string_view path, const Rule& rule,
                  std::chrono::milliseconds& value) {
  const auto read = node.kind == Node::Kind::kScalar ? parse_duration(node.text) : std::nullopt;
  if (!read || !allows(rule, static_cast<double>(read->count()))) {
    return expected(node, path, describe(rule, &value));
  }
  value = *read;
}

void Reader::read(const Node& node, std::string_view path, const Rule& rule, std::string& value) {
  const bool is_text = node.kind == Node::Kind::kScalar || node.is_null();  // nothing is the empty text
  if (!is_text) return expected(node, path, describe(rule, &value));
  if (!has_form(node.text, rule.form)) {
    expected(node, path, describe(rule, &value));
    problems_.back().message += form_hint(node.text, rule.form);
    return;
  }
  value = node.text;
}

void Reader::read(const Node& node, std::string_view path, const Rule& rule,
                  std::vector<std::string>& value) {
  if (node.kind != Node::Kind::kList) return expected(node, path, describe(rule, &value));
  std::vector<std::string> texts;
  std::set<std::string_view> seen;
  for (const Node& item : node.items) {
    if (item.kind != Node::Kind::kScalar || !has_form(item.text, rule.form)) {
      fail(item.place, fmt::format("each element of '{}' must be {}; found {}", path,
                                   form_in_words(rule.form), found(item)));
    } else if (!seen.insert(item.text).second) {
      fail(item.place, fmt::format("'{}' names {} twice", path, in_quotes(item.text)));
    } else {
      texts.push_back(item.text);
    }
  }
  value = std::move(texts);
}

void Reader::read(const Node& node, std::string_view path, const Rule& rule, PriorityRange& value) {
  const bool is_pair = node.kind == Node::Kind::kList && node.items.size() == 2;
  const auto low = is_pair ? integer(node.items[0]) : std::nullopt;
  const auto high = is_pair ? integer(node.items[1]) : std::nullopt;
  if (!low || !high) return expected(node, path, describe(rule, &value));
  if (*low > *high) {
    return fail(node.place,
                fmt::format("'{}' must begin with the smaller number; found [{}, {}]", path, *low, *high));
  }
  value = PriorityRange(*low, *high);
}

void Reader::read(const Node& node, std::string_view path, const Rule& rule, Priorities& value) {
  if (!node.is_map() && !node.is_null()) return expected(node, path, describe(rule, &value));
  Priorities priorities;
  for (const Member& member : node.members) {
    if (!is_key(member, path, "skill")) continue;
    read(member.value, join(path, member.key), Rule(), priorities[member.key]);
  }
  value = std::move(priorities);
}

std::optional<std::size_t> Reader::word(const Node& node, std::string_view path,
                                        const std::vector<std::string_view>& words) {
  const auto at =
      node.kind == Node::Kind::kScalar ? std::find(words.begin(), words.end(), node.text) : words.end();
  if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
  const auto near = nearest(node.text, {words.begin(), words.end()});
  expected(node, path, describe_words(words));
  if (near) problems_.back().message += fmt::format("; did you mean '{}'?", *near);
  return std::nullopt;
}

std::string describe(const Rule& /*rule*/, const bool* /*kind*/) {
  return "true or false";
}

std::string describe(const Rule& rule, const int* /*kind*/) {
  return "a whole number" + between(rule, fmt::format("{:.0f}", rule.low), fmt::format("{:.0f}", rule.high));
}

std::string describe(const Rule& rule, const double* /*kind*/) {
  return "a number" + between(rule, fmt::format("{}", rule.low), fmt::format("{}", rule.high));
}

std::string describe(const Rule& rule, const std::size_t* /*kind*/) {
  const std::string limits = between(rule, format_size(static_cast<std::size_t>(rule.low)),
                                     format_size(static_cast<std::size_t>(rule.high)));
  return "a size such as 4096, 64KiB or 1MiB" + (limits.empty() ? "" : "," + limits);
}

std::string describe(const Rule& rule, const std::chrono::milliseconds* /*kind*/) {
  using std::chrono::milliseconds;
  const std::string limits = between(rule, format_duration(milliseconds(static_cast<std::int64_t>(rule.low))),
                                     format_duration(milliseconds(static_cast<std::int64_t>(rule.high))));
  return "a duration such as 500ms, 5s or 30min" + (limits.empty() ? "" : "," + limits);
}

std::string describe(const Rule& rule, const std::string* /*kind*/) {
  return std::string(form_in_words(rule.form));
}

std::string describe(const Rule& rule, const std::vector<std::string>* /*kind*/) {
  return fmt::format("a list such as [a, b], each element {}", form_in_words(rule.form));
}

std::string describe(const Rule& /*rule*/, const PriorityRange* /*kind*/) {
  return "two whole numbers such as [0, 49]";
}

std::string describe(const Rule& /*rule*/, const Priorities* /*kind*/) {
  return "a map of skill ids to whole numbers";
}

std::string describe_words(const std::vector<std::string_view>& words) {
  return fmt::format("one of {}", fmt::join(words, ", "));
}

}  // namespace parley::config
