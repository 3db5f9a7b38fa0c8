#include "yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml.h>

#include <array>
#include <map>
#include <utility>

namespace parley::guide {
namespace {

constexpr int kDeepest = 32;
constexpr std::size_t kMostNodes = 100'000;

const YamlNode& missing() {
  static const YamlNode none;
  return none;
}

YamlPlace place_of(const yaml_mark_t& mark) {
  return {static_cast<int>(mark.line), static_cast<int>(mark.column)};
}

std::string text_of(const yaml_char_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};  // NOLINT: it is libyaml's name for bytes
}

std::string text_of(const yaml_char_t* text) {
  return reinterpret_cast<const char*>(text);  // NOLINT: likewise
}

bool says_nothing(std::string_view text) {
  static constexpr std::array kNothing{"", "~", "null", "Null", "NULL"};
  for (const std::string_view one : kNothing)
    if (text == one) return true;
  return false;
}

/// What one call of libyaml tells; freed with this.
class Event {
 public:
  Event() = default;
  ~Event() { yaml_event_delete(&event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  yaml_event_t* fresh() {
    yaml_event_delete(&event_);
    return &event_;
  }
  const yaml_event_t& get() const noexcept { return event_; }
  yaml_event_type_t type() const noexcept { return event_.type; }
  YamlPlace place() const noexcept { return place_of(event_.start_mark); }

 private:
  yaml_event_t event_{};
};

class TreeReader {
 public:
  explicit TreeReader(std::string_view text) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),  // NOLINT
                                 text.size());
  }
  ~TreeReader() { yaml_parser_delete(&parser_); }
  TreeReader(const TreeReader&) = delete;
  TreeReader& operator=(const TreeReader&) = delete;

  Result<YamlNode, YamlFault> read() {
    YamlNode root;
    // The stream and the document begin with an event each; a text without a document ends at once.
    while (next() && event_.type() != YAML_DOCUMENT_START_EVENT && event_.type() != YAML_STREAM_END_EVENT) {
    }
    if (is_clean() && event_.type() == YAML_DOCUMENT_START_EVENT && next()) node(root, 0);
    if (!is_clean()) return YamlFault(place_, what_);
    return root;
  }

 private:
  bool is_clean() const noexcept { return what_.empty(); }

  bool fault(YamlPlace place, std::string what) {
    place_ = place;
    what_ = std::move(what);
    return false;
  }

  bool next() {
    if (yaml_parser_parse(&parser_, event_.fresh()) == 1) return true;
    const char* const why = parser_.problem == nullptr ? "it can't be read" : parser_.problem;
    return fault(place_of(parser_.problem_mark), why);
  }

  /// Reads the value that the current event begins, to its last event.
  bool node(YamlNode& into, int depth) {
    into.place = event_.place();
    if (depth == kDeepest)
      return fault(into.place, fmt::format("deeper than {} values in each other", kDeepest));
    if (++count_ > kMostNodes) return fault(into.place, fmt::format("more than {} values", kMostNodes));
    const yaml_event_t& event = event_.get();
    switch (event_.type()) {
      case YAML_SCALAR_EVENT: {
        const auto& scalar = event.data.scalar;
        const std::string name = scalar.anchor == nullptr ? std::string() : text_of(scalar.anchor);
        into.text = text_of(scalar.value, scalar.length);
        const bool nothing = scalar.style == YAML_PLAIN_SCALAR_STYLE && says_nothing(into.text);
        into.kind = nothing ? YamlNode::Kind::kNull : YamlNode::Kind::kText;
        return remember(name, into);
      }
      case YAML_SEQUENCE_START_EVENT: {
        const auto* const anchor = event.data.sequence_start.anchor;
        const std::string name = anchor == nullptr ? std::string() : text_of(anchor);
        return list(into, depth) && remember(name, into);
      }
      case YAML_MAPPING_START_EVENT: {
        const auto* const anchor = event.data.mapping_start.anchor;
        const std::string name = anchor == nullptr ? std::string() : text_of(anchor);
        return map(into, depth) && remember(name, into);
      }
      case YAML_ALIAS_EVENT:
        return copy(text_of(event.data.alias.anchor), into);
      default:
        return fault(into.place, "expected a value");
    }
  }

  bool list(YamlNode& into, int depth) {
    into.kind = YamlNode::Kind::kList;
    while (next() && event_.type() != YAML_SEQUENCE_END_EVENT)
      if (!node(into.items.emplace_back(), depth + 1)) return false;
    return is_clean();
  }

  bool map(YamlNode& into, int depth) {
    into.kind = YamlNode::Kind::kMap;
    while (next() && event_.type() != YAML_MAPPING_END_EVENT)
      if (!node(into.keys.emplace_back(), depth + 1) || !next() ||
          !node(into.items.emplace_back(), depth + 1))
        return false;
    return is_clean();
  }

  bool remember(const std::string& name, const YamlNode& value) {
    if (!name.empty()) anchored_[name] = value;
    return true;
  }

  bool copy(const std::string& name, YamlNode& into) {
    const YamlPlace here = into.place;
    const auto found = anchored_.find(name);
    if (found == anchored_.end()) return fault(here, fmt::format("nothing above is anchored as '&{}'", name));
    count_ += size_of(found->second);
    if (count_ > kMostNodes) return fault(here, fmt::format("more than {} values", kMostNodes));
    into = found->second;
    return true;
  }

  static std::size_t size_of(const YamlNode& value) {
    std::size_t size = 1 + value.keys.size();
    for (const YamlNode& one : value.items) size += size_of(one);
    return size;
  }

  yaml_parser_t parser_{};
  Event event_;
  std::map<std::string, YamlNode, std::less<>> anchored_;
  std::size_t count_ = 0;
  YamlPlace place_;
  std::string what_;  ///< Why it can't be read; empty: it can.
};

}  // namespace

const YamlNode& YamlNode::operator[](std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i].is_text() && keys[i].text == key) return items[i];
  return missing();
}

const YamlNode& YamlNode::at(std::size_t index) const {
  return index < items.size() ? items[index] : missing();
}

Result<YamlNode, YamlFault> read_yaml(std::string_view text) {
  return TreeReader(text).read();
}

}  // namespace parley::guide
