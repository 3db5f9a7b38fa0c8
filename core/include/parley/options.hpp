#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace parley {

/// The type of an option, and the form in which its value reaches the code that declared the option.
enum class OptionType : std::uint8_t {
  kFlag,      ///< `true` or `false`: a bool.
  kInteger,   ///< A whole number: a 64-bit one.
  kNumber,    ///< A double.
  kText,      ///< A string that has the option's form.
  kWord,      ///< One of the option's words: a string.
  kDuration,  ///< `500ms`, `5s`, `30min`, `2h`, `1d`: a number of milliseconds.
  kSize,      ///< `4096`, `64KiB`, `1MiB`: a number of bytes.
  kList,      ///< A list of texts of the option's form, none of them twice: an array of strings.
  kMap,       ///< Ids, such as those of skills, with a whole number each: an object.
  kRange,     ///< `[LOW, HIGH]`, two whole numbers, the smaller one first: an array of two.
};

/// What a text, or each element of a list, has to look like.
enum class TextForm : std::uint8_t { kAny, kNonEmpty, kLanguage, kZone, kAddress, kId, kIntent };

/// One option: its key, type, default, bounds and help. Constant data: a plugin's options are read and
/// checked before any of its code runs. Make one with the function of its type:
///
///     Option::duration("ping_timeout", "500ms", 1ms, 1min, "How long to wait for an answer.")
///
/// A default is written as in a file. Null leaves the option unset, so that the code that reads it can see
/// whether it was configured. Bounds include both ends. The help is one line, of one or more sentences.
struct Option {
  using Milliseconds = std::chrono::milliseconds;

  static constexpr Option flag(const char* key, const char* fallback, const char* help) {
    return make(OptionType::kFlag, key, fallback, help);
  }
  static constexpr Option integer(const char* key, const char* fallback, std::int64_t low, std::int64_t high,
                                  const char* help) {
    return make(OptionType::kInteger, key, fallback, help)
        .within(static_cast<double>(low), static_cast<double>(high));
  }
  static constexpr Option number(const char* key, const char* fallback, double low, double high,
                                 const char* help) {
    return make(OptionType::kNumber, key, fallback, help).within(low, high);
  }
  static constexpr Option text(const char* key, const char* fallback, const char* help,
                               TextForm form = TextForm::kAny) {
    return make(OptionType::kText, key, fallback, help).looking_like(form);
  }
  /// @param words  the allowed values, separated by single spaces
  static constexpr Option word(const char* key, const char* fallback, const char* words, const char* help) {
    Option option = make(OptionType::kWord, key, fallback, help);
    option.words = words;
    return option;
  }
  static constexpr Option duration(const char* key, const char* fallback, Milliseconds low, Milliseconds high,
                                   const char* help) {
    return make(OptionType::kDuration, key, fallback, help)
        .within(static_cast<double>(low.count()), static_cast<double>(high.count()));
  }
  /// @param low  in bytes, like `high`
  static constexpr Option size(const char* key, const char* fallback, std::size_t low, std::size_t high,
                               const char* help) {
    return make(OptionType::kSize, key, fallback, help)
        .within(static_cast<double>(low), static_cast<double>(high));
  }
  static constexpr Option list(const char* key, const char* fallback, const char* help,
                               TextForm form = TextForm::kAny) {
    return make(OptionType::kList, key, fallback, help).looking_like(form);
  }
  static constexpr Option map(const char* key, const char* fallback, const char* help) {
    return make(OptionType::kMap, key, fallback, help);
  }
  static constexpr Option range(const char* key, const char* fallback, const char* help) {
    return make(OptionType::kRange, key, fallback, help);
  }

  /// The value must not exceed that of another option of the same table. Both options are durations.
  constexpr Option at_most(const char* other) const {
    Option option = *this;
    option.limit = other;
    return option;
  }
  /// For options of a stage: a match may need this long. The sum of all durations with this mark is the lower
  /// bound of the stage's `match_timeout`, and replaces a general timeout that is shorter.
  constexpr Option part_of_match() const {
    Option option = *this;
    option.in_match = true;
    return option;
  }

  const char* key = nullptr;
  const char* fallback = nullptr;
  const char* help = nullptr;
  const char* words = nullptr;
  const char* limit = nullptr;  ///< The key of at_most().
  double low = 0;               ///< Milliseconds of a duration, bytes of a size. No bounds when low == high.
  double high = 0;
  OptionType type = OptionType::kFlag;
  TextForm form = TextForm::kAny;
  bool in_match = false;  ///< part_of_match().

 private:
  static constexpr Option make(OptionType type, const char* key, const char* fallback, const char* help) {
    Option option;
    option.type = type;
    option.key = key;
    option.fallback = fallback;
    option.help = help;
    return option;
  }
  constexpr Option within(double from, double to) const {
    Option option = *this;
    option.low = from;
    option.high = to;
    return option;
  }
  constexpr Option looking_like(TextForm what) const {
    Option option = *this;
    option.form = what;
    return option;
  }
};

/// A pipeline entry that a stage has when the configuration lists none.
struct DefaultEntry {
  /// @param from_first  the place in the default pipeline, among the entries of all installed stages; smaller
  ///        numbers are asked first. The stages that come with parley use hundreds.
  /// @param with        its options, a YAML map: `{priority: [0, 49]}`
  /// @param only_with   a text option of the stage. While it is empty, the entry can be named in a pipeline
  ///        but is not in the default one. Null: always in the default pipeline.
  constexpr DefaultEntry(const char* entry, int from_first, const char* with = "{}",
                         const char* only_with = nullptr)
      : name(entry), options(with), needs(only_with), place(from_first) {}
  constexpr DefaultEntry() = default;

  const char* name = nullptr;
  const char* options = nullptr;
  const char* needs = nullptr;
  int place = 0;
};

/// A view of a table in constant data, which outlives the view.
template <class Row>
class ConstantTable {
 public:
  constexpr ConstantTable() = default;
  constexpr ConstantTable(const Row* first, std::size_t count) : first_(first), count_(count) {}
  template <std::size_t N>
  constexpr ConstantTable(const std::array<Row, N>& rows)  // NOLINT(google-explicit-constructor): a view
      : first_(rows.data()), count_(N) {}

  constexpr const Row* begin() const noexcept { return first_; }
  constexpr const Row* end() const noexcept { return first_ + count_; }
  constexpr std::size_t size() const noexcept { return count_; }
  constexpr bool empty() const noexcept { return count_ == 0; }

 private:
  const Row* first_ = nullptr;
  std::size_t count_ = 0;
};

using OptionTable = ConstantTable<Option>;
using EntryTable = ConstantTable<DefaultEntry>;

/// The option with that key; null when the table has none.
constexpr const Option* find_option(OptionTable table, std::string_view key) {
  for (const Option& option : table)
    if (key == option.key) return &option;
  return nullptr;
}

/// A plugin's description of itself and of its options: those of the stage or skill, those of each entry of
/// a stage, and the entries that the stage has when the configuration lists none.
struct PluginTables {
  const char* about = "";  ///< What the plugin does, in a sentence.
  OptionTable options;
  OptionTable entry_options;
  EntryTable entries;
};

}  // namespace parley
