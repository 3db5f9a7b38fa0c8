#include "settings/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "settings/forms.hpp"
#include "settings/values.hpp"

namespace parley::config {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

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

json plain_value(const Node& node) {
  return node.kind == Node::Kind::kScalar && !node.is_quoted ? to_json(node) : json();
}

bool is_bounded(const Option& option) {
  return option.low < option.high;
}

bool allows(const Option& option, double value) {
  return !is_bounded(option) || (value >= option.low && value <= option.high);
}

std::string between(const Option& option, const std::string& low, const std::string& high) {
  return is_bounded(option) ? fmt::format(" between {} and {}", low, high) : "";
}

/// Of a value that counts in units, whose examples end with a comma where bounds follow.
template <class Format>
std::string with_examples(const Option& option, const char* examples, Format format) {
  return fmt::format("{}{}{}", examples, is_bounded(option) ? "," : "",
                     between(option, format(option.low), format(option.high)));
}

std::optional<std::int64_t> integer(const Node& node) {
  const json value = plain_value(node);
  if (!value.is_number_integer()) return std::nullopt;
  const auto number = value.get<double>();
  if (number > std::numeric_limits<int>::max() || number < std::numeric_limits<int>::min())
    return std::nullopt;
  return value.get<std::int64_t>();
}

/// What fits into one scalar and needs no more than a look at it.
std::optional<json> scalar(const Node& node, const Option& option) {
  const bool is_scalar = node.kind == Node::Kind::kScalar;
  std::optional<json> value;
  switch (option.type) {
    case OptionType::kFlag:
      if (json flag = plain_value(node); flag.is_boolean()) return flag;
      return std::nullopt;
    case OptionType::kInteger:
      if (const auto number = integer(node)) value = *number;
      break;
    case OptionType::kNumber:
      if (const json number = plain_value(node); number.is_number()) value = number.get<double>();
      break;
    case OptionType::kDuration:
      if (const auto span = is_scalar ? parse_duration(node.text) : std::nullopt) value = span->count();
      break;
    case OptionType::kSize:
      if (const auto bytes = is_scalar ? parse_size(node.text) : std::nullopt) value = *bytes;
      break;
    default:
      return std::nullopt;
  }
  if (value && !allows(option, value->get<double>())) return std::nullopt;
  return value;
}

milliseconds span_of(const json& value) {
  return milliseconds(value.get<std::int64_t>());
}

}  // namespace

std::string printable_key(std::string_view key) {
  const bool needs_quotes = key.find('.') != std::string_view::npos || key.empty();
  return needs_quotes ? fmt::format("\"{}\"", shorten(key)) : shorten(key);
}

std::string join(std::string_view path, std::string_view key) {
  const std::string shown = printable_key(key);
  return path.empty() ? shown : fmt::format("{}.{}", path, shown);
}

bool is_secret(std::string_view key) {
  static constexpr std::array<std::string_view, 4> kWords{"key", "token", "secret", "password"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return key.ends_with(word); });
}

std::vector<std::string> words_of(const Option& option) {
  std::vector<std::string> words;
  std::string_view rest = option.words == nullptr ? "" : option.words;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

std::string describe(const Option& option) {
  switch (option.type) {
    case OptionType::kFlag:
      return "true or false";
    case OptionType::kInteger:
      return "a whole number" +
             between(option, fmt::format("{:.0f}", option.low), fmt::format("{:.0f}", option.high));
    case OptionType::kNumber:
      return "a number" + between(option, fmt::format("{}", option.low), fmt::format("{}", option.high));
    case OptionType::kText:
      return std::string(form_in_words(option.form));
    case OptionType::kWord:
      return fmt::format("one of {}", fmt::join(words_of(option), ", "));
    case OptionType::kDuration:
      return with_examples(option, "a duration such as 500ms, 5s or 30min", [](double bound) {
        return format_duration(milliseconds(static_cast<std::int64_t>(bound)));
      });
    case OptionType::kSize:
      return with_examples(option, "a size such as 4096, 64KiB or 1MiB",
                           [](double bound) { return format_size(static_cast<std::size_t>(bound)); });
    case OptionType::kList:
      if (option.words != nullptr) return fmt::format("a list of {}", fmt::join(words_of(option), ", "));
      return fmt::format("a list such as [a, b], each element {}", form_in_words(option.form));
    case OptionType::kMap:
      return "a map of ids to whole numbers";
    case OptionType::kRange:
      return "two whole numbers such as [0, 49]";
  }
  return "";
}

json default_of(const Option& option) {
  if (option.fallback == nullptr) return {};
  const std::string_view text = option.fallback;
  if (text == "[]") return json::array();
  if (text == "{}") return json::object();
  std::vector<Problem> problems;
  Node node(Node::Kind::kScalar);
  node.text = text;
  const bool is_structured = option.type == OptionType::kList || option.type == OptionType::kMap ||
                             option.type == OptionType::kRange;
  if (is_structured) node = parse_document(text, option.key, Positions::kHidden, problems);
  auto value = Reader(problems).read(node, "", option);
  if (!value) {
    throw std::logic_error(
        fmt::format("the default of the option '{}' is '{}', but must be {}: mend its table", option.key,
                    text, describe(option)));
  }
  return *std::move(value);
}

json as_in_file(const Option& option, json value) {
  if (option.type == OptionType::kDuration && value.is_number_integer())
    return format_duration(span_of(value));
  if (option.type == OptionType::kSize && value.is_number_integer()) {
    return format_size(value.get<std::size_t>());
  }
  return value;
}

json as_in_file(OptionTable table, json values) {
  for (const Option& option : table) {
    const auto value = values.find(option.key);
    if (value != values.end()) *value = as_in_file(option, std::move(*value));
  }
  return values;
}

void Reader::expected(const Node& node, std::string_view path, const std::string& what) {
  fail(node.place, fmt::format("'{}' must be {}; found {}", path, what, found(node)));
}

void Reader::unknown_key(const Member& member, std::string_view path, const std::vector<std::string>& known) {
  std::string advice;
  if (const auto near = nearest(member.key, known)) {
    advice = fmt::format("did you mean '{}'?", join(path, *near));
  } else if (const auto elsewhere = elsewhere_ ? elsewhere_(member.key) : std::nullopt) {
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
  fail(member.place, fmt::format("'{}' names no {}; that is {}", join(path, member.key), what,
                                 form_in_words(TextForm::kId)));
  return false;
}

std::optional<json> Reader::read(const Node& node, std::string_view path, const Option& option) {
  if (node.is_null() && option.fallback == nullptr) return std::nullopt;
  switch (option.type) {
    case OptionType::kText:
      return read_text(node, path, option);
    case OptionType::kWord:
      return read_word(node, path, option);
    case OptionType::kList:
      return read_list(node, path, option);
    case OptionType::kMap:
      return read_map(node, path, option);
    case OptionType::kRange:
      return read_range(node, path, option);
    default:
      break;
  }
  auto value = scalar(node, option);
  if (!value) expected(node, path, describe(option));
  return value;
}

std::optional<json> Reader::read_text(const Node& node, std::string_view path, const Option& option) {
  const bool is_text = node.kind == Node::Kind::kScalar || node.is_null();  // nothing is the empty text
  if (is_text && has_form(node.text, option.form)) return node.text;
  expected(node, path, describe(option));
  if (is_text) problems_.back().message += form_hint(node.text, option.form);
  return std::nullopt;
}

std::optional<json> Reader::read_word(const Node& node, std::string_view path, const Option& option) {
  const std::vector<std::string> words = words_of(option);
  const bool is_word =
      node.kind == Node::Kind::kScalar && std::find(words.begin(), words.end(), node.text) != words.end();
  if (is_word) return node.text;
  expected(node, path, describe(option));
  if (const auto near = nearest(node.text, words)) {
    problems_.back().message += fmt::format("; did you mean '{}'?", *near);
  }
  return std::nullopt;
}

std::optional<json> Reader::read_list(const Node& node, std::string_view path, const Option& option) {
  if (node.kind != Node::Kind::kList) {
    expected(node, path, describe(option));
    return std::nullopt;
  }
  json texts = json::array();
  std::set<std::string_view> seen;
  const std::vector<std::string> words = words_of(option);
  const std::string element = words.empty() ? std::string(form_in_words(option.form))
                                            : fmt::format("one of {}", fmt::join(words, ", "));
  const auto is_word = [&words](const std::string& text) {
    return words.empty() || std::find(words.begin(), words.end(), text) != words.end();
  };
  for (const Node& item : node.items) {
    if (item.kind != Node::Kind::kScalar || !has_form(item.text, option.form) || !is_word(item.text)) {
      fail(item.place, fmt::format("each element of '{}' must be {}; found {}", path, element, found(item)));
    } else if (!seen.insert(item.text).second) {
      fail(item.place, fmt::format("'{}' names {} twice", path, in_quotes(item.text)));
    } else {
      texts.push_back(item.text);
    }
  }
  return texts;
}

std::optional<json> Reader::read_map(const Node& node, std::string_view path, const Option& option) {
  if (!node.is_map() && !node.is_null()) {
    expected(node, path, describe(option));
    return std::nullopt;
  }
  json numbers = json::object();
  for (const Member& member : node.members) {
    const std::string inner = join(path, member.key);
    if (!is_id(member.key)) {
      fail(member.place,
           fmt::format("'{}' can't be a key here; that is {}", inner, form_in_words(TextForm::kId)));
    } else if (const auto number = integer(member.value)) {
      numbers[member.key] = *number;
    } else {
      expected(member.value, inner, "a whole number");
    }
  }
  return numbers;
}

std::optional<json> Reader::read_range(const Node& node, std::string_view path, const Option& option) {
  const bool is_pair = node.kind == Node::Kind::kList && node.items.size() == 2;
  const auto low = is_pair ? integer(node.items[0]) : std::nullopt;
  const auto high = is_pair ? integer(node.items[1]) : std::nullopt;
  if (!low || !high) {
    expected(node, path, describe(option));
    return std::nullopt;
  }
  if (*low > *high) {
    fail(node.place,
         fmt::format("'{}' must begin with the smaller number; found [{}, {}]", path, *low, *high));
    return std::nullopt;
  }
  return json::array({*low, *high});
}

void Reader::read_section(const Node& node, std::string_view path, const std::vector<const Option*>& known,
                          const std::vector<std::string>& others, const Take& take) {
  if (!is_section(node, path)) return;
  for (const Member& member : node.members) {
    const auto option =
        std::find_if(known.begin(), known.end(), [&](const Option* one) { return member.key == one->key; });
    if (option != known.end()) {
      if (auto value = read(member.value, join(path, member.key), **option))
        take(**option, *std::move(value));
    } else if (std::find(others.begin(), others.end(), member.key) == others.end()) {
      std::vector<std::string> keys = others;
      for (const Option* const one : known) keys.emplace_back(one->key);
      unknown_key(member, path, keys);
    }
  }
}

json Reader::read_table(const Node& node, std::string_view path, OptionTable table,
                        const std::vector<std::string>& others) {
  json values = json::object();
  std::vector<const Option*> known;
  for (const Option& option : table) {
    known.push_back(&option);
    if (json value = default_of(option); !value.is_null()) values[option.key] = std::move(value);
  }
  const std::size_t before = failures();
  read_section(node, path, known, others,
               [&values](const Option& option, json value) { values[option.key] = std::move(value); });
  if (failures() == before) check_limits(node, path, table, values);
  return values;
}

void Reader::check_limits(const Node& node, std::string_view path, OptionTable table, const json& values) {
  for (const Option& option : table) {
    if (option.limit == nullptr) continue;
    const auto value = values.find(option.key);
    const auto limit = values.find(option.limit);
    if (value == values.end() || limit == values.end() || *value <= *limit) continue;
    const Node* const written = node.find(option.key);
    fail(written == nullptr ? node.place : written->place,
         fmt::format("'{}' must not be longer than its {}, {}; found {}", join(path, option.key),
                     option.limit, format_duration(span_of(*limit)), format_duration(span_of(*value))));
  }
}

}  // namespace parley::config
