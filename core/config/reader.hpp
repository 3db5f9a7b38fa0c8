#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "config/schema.hpp"
#include "settings/document.hpp"

namespace parley::config {

/// `a.b`, with quotes around a key that holds a dot: `skills.settings."timer.parley"`.
std::string join(std::string_view path, std::string_view key);

/// Turns nodes into typed values; what does not fit becomes a problem and leaves the value as it is.
class Reader {
 public:
  explicit Reader(std::vector<Problem>& problems) : problems_(problems) {}

  void fail(const Place& place, std::string message) {
    problems_.push_back(problem_at(place, std::move(message)));
  }
  void expected(const Node& node, std::string_view path, std::string_view what);
  void unknown_key(const Member& member, std::string_view path, const std::vector<std::string>& known);
  /// Whether the node can be read as a section; an empty one can.
  bool is_section(const Node& node, std::string_view path);
  /// An id as a key, such as that of a stage or a skill.
  bool is_key(const Member& member, std::string_view path, std::string_view what);

  void read(const Node& node, std::string_view path, const Rule& rule, bool& value);
  void read(const Node& node, std::string_view path, const Rule& rule, int& value);
  void read(const Node& node, std::string_view path, const Rule& rule, double& value);
  void read(const Node& node, std::string_view path, const Rule& rule, std::size_t& value);
  void read(const Node& node, std::string_view path, const Rule& rule, std::chrono::milliseconds& value);
  void read(const Node& node, std::string_view path, const Rule& rule, std::string& value);
  void read(const Node& node, std::string_view path, const Rule& rule, std::vector<std::string>& value);
  void read(const Node& node, std::string_view path, const Rule& rule, PriorityRange& value);
  void read(const Node& node, std::string_view path, const Rule& rule, Priorities& value);

  template <class T>
  void read(const Node& node, std::string_view path, const Rule& rule, std::optional<T>& value) {
    if (node.is_null()) return;
    const std::size_t before = problems_.size();
    T inner{};
    read(node, path, rule, inner);
    if (problems_.size() == before) value = inner;
  }

  template <class Enum, std::size_t = Words<Enum>::kAll.size()>
  void read(const Node& node, std::string_view path, const Rule& /*rule*/, Enum& value) {
    constexpr auto& kWords = Words<Enum>::kAll;
    if (const auto index = word(node, path, {kWords.begin(), kWords.end()}))
      value = static_cast<Enum>(*index);
  }

  /// Reads the keys of `table` into `section`; `others` are read elsewhere, anything else is unknown.
  template <class S, std::size_t N>
  void read_section(const Node& node, std::string_view path, S& section, const std::array<Field<S>, N>& table,
                    const std::vector<std::string>& others = {}) {
    if (!is_section(node, path)) return;
    for (const Member& member : node.members) {
      const auto field = std::find_if(table.begin(), table.end(),
                                      [&](const Field<S>& candidate) { return candidate.key == member.key; });
      if (field != table.end()) {
        read_field(member, join(path, member.key), section, *field);
      } else if (std::find(others.begin(), others.end(), member.key) == others.end()) {
        std::vector<std::string> known = others;
        for (const Field<S>& declared : table) known.emplace_back(declared.key);
        unknown_key(member, path, known);
      }
    }
  }

 private:
  template <class S>
  void read_field(const Member& member, const std::string& path, S& section, const Field<S>& field) {
    std::visit([&](auto slot) { read(member.value, path, field.rule, section.*slot); }, field.slot);
  }

  std::optional<std::size_t> word(const Node& node, std::string_view path,
                                  const std::vector<std::string_view>& words);

  std::vector<Problem>& problems_;
};

/// What a value of a type has to be, in words: `a duration such as 500ms, 5s or 30min, between …`.
std::string describe(const Rule& rule, const bool* kind);
std::string describe(const Rule& rule, const int* kind);
std::string describe(const Rule& rule, const double* kind);
std::string describe(const Rule& rule, const std::size_t* kind);
std::string describe(const Rule& rule, const std::chrono::milliseconds* kind);
std::string describe(const Rule& rule, const std::string* kind);
std::string describe(const Rule& rule, const std::vector<std::string>* kind);
std::string describe(const Rule& rule, const PriorityRange* kind);
std::string describe(const Rule& rule, const Priorities* kind);

std::string describe_words(const std::vector<std::string_view>& words);

template <class T>
std::string describe(const Rule& rule, const std::optional<T>* /*kind*/) {
  const T* const inner = nullptr;
  return describe(rule, inner);
}

template <class Enum, std::size_t = Words<Enum>::kAll.size()>
std::string describe(const Rule& /*rule*/, const Enum* /*kind*/) {
  return describe_words({Words<Enum>::kAll.begin(), Words<Enum>::kAll.end()});
}

}  // namespace parley::config
