#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <parley/result.hpp>

namespace parley {

/// What kind of thing a slot expects, a hint only: `{number:count}` (T-1). Unknown types degrade to kNone.
enum class SlotType : std::uint8_t { kNone, kNumber, kDuration, kDate, kColor, kLanguage };

/// "number", "duration", …; "" for kNone.
std::string_view to_string(SlotType type) noexcept;
/// The type of that name; kNone for any other word.
SlotType slot_type(std::string_view name) noexcept;

struct Slot {
  explicit Slot(std::string slot_name, SlotType slot_type = SlotType::kNone)
      : name(std::move(slot_name)), type(slot_type) {}
  bool operator==(const Slot&) const = default;

  std::string name;
  SlotType type;
};

/// The members of a vocabulary, fully expanded and free of references.
using Phrases = std::shared_ptr<const std::vector<std::string>>;

/// Finds the vocabulary behind `<name>`, or says why it can't be used.
using VocabularyLookup = std::function<Result<Phrases>(const std::string& name)>;

/// A template as it is written. Text keeps its case, punctuation and white space, because `light[s]` joins
/// where `[the] light` does not; for words see Pattern.
struct TemplateNode {
  enum class Kind : std::uint8_t {
    kSequence,    ///< `children` one after the other; none is the empty text.
    kChoice,      ///< One of `children`, all sequences. `[x]` is a choice whose last branch is empty.
    kText,        ///< `text`, which is not empty.
    kSlot,        ///< `slot`.
    kVocabulary,  ///< One of `phrases`; `text` is the vocabulary's name.
  };

  TemplateNode(Kind node_kind, std::size_t node_column) : kind(node_kind), column(node_column) {}

  Kind kind;
  std::size_t column;  ///< 1-based, in code points.
  std::string text;
  Slot slot{""};
  Phrases phrases;
  std::vector<TemplateNode> children;
};

/// Why a template is malformed (T-3), or a warning about one that is not.
struct TemplateError : Error {
  TemplateError(std::string text, std::size_t at) : Error(std::move(text)), column(at) {}
  std::size_t column;  ///< 1-based, in code points.
};

/// How a template may be written; depends on where it stands.
class TemplateOptions {
 public:
  /// Intents: slots allowed, text is heard (punctuation doesn't count as words).
  static TemplateOptions for_intents() {
    TemplateOptions options;
    options.max_expansions = kMaxCompiled;
    return options;
  }
  /// As for intents, but two slots may stand next to each other. A template that is well formed only under
  /// these options matches nothing, but may teach a stage which words fill a slot (T-3).
  static TemplateOptions for_teaching() {
    TemplateOptions options = for_intents();
    options.adjacent_slots = true;
    return options;
  }
  /// Vocabularies, entities, blacklists: no slots, text is heard.
  static TemplateOptions for_phrases() {
    TemplateOptions options;
    options.slots = false;
    return options;
  }
  /// Dialogs: slots allowed, text is spoken (punctuation separates slots).
  static TemplateOptions for_dialogs() {
    TemplateOptions options;
    options.spoken = true;
    return options;
  }

  TemplateOptions with(VocabularyLookup lookup) && {
    vocabulary = std::move(lookup);
    return std::move(*this);
  }

  /// Templates that are compiled and never expanded may stand for this many sentences (T-2).
  static constexpr std::uint64_t kMaxCompiled = 1'000'000'000;
  /// Templates that are expanded may stand for this many.
  static constexpr std::uint64_t kMaxExpanded = 10'000;

  bool slots = true;
  bool adjacent_slots = false;
  bool spoken = false;
  std::uint64_t max_expansions = kMaxExpanded;
  VocabularyLookup vocabulary;  ///< Without one, every `<name>` is refused: on the bus, senders expand them.

 private:
  TemplateOptions() = default;
};

/// A well-formed template of the grammar T-1. A value; any thread may read it.
class Template {
 public:
  /// A template that is to be expanded is refused when it stands for more sentences than this (T-2). Counted
  /// before anything is expanded: the product of the branches of all groups. Intents are compiled instead and
  /// may have TemplateOptions::kMaxCompiled. Their groups that join without a space, as in `light[s]`, may
  /// have no more forms than this in all.
  static constexpr std::uint64_t kMaxExpansions = TemplateOptions::kMaxExpanded;
  /// The most bytes that all sentences of a template to be expanded may take together.
  static constexpr std::uint64_t kMaxExpandedBytes = std::uint64_t{4} << 20U;
  static constexpr std::size_t kMaxBytes = std::size_t{256} << 10U;  ///< Of the template itself.
  static constexpr std::size_t kMaxDepth = 64;                       ///< Of nested groups.
  static constexpr std::size_t kMaxSlots = 64;                       ///< With different names.

  /// Parses and checks all of T-3. Costs time in proportion to the text, never to the expansions.
  static Result<Template, TemplateError> parse(std::string_view text, TemplateOptions options);

  const std::string& text() const noexcept { return text_; }
  const TemplateNode& root() const noexcept { return root_; }
  /// In the order they are written, each once.
  const std::vector<Slot>& slots() const noexcept { return slots_; }
  bool declares(std::string_view slot) const noexcept;
  /// Warnings: `(word)`, `[]`, an unknown slot type, text glued to a slot.
  const std::vector<TemplateError>& warnings() const noexcept { return warnings_; }
  /// Combinations of branches, before repetitions are removed.
  std::uint64_t combinations() const noexcept { return combinations_; }
  /// How many forms are written out when it is compiled: those of groups that join without a space.
  std::uint64_t forms() const noexcept { return forms_; }

  /// Every sentence once, in the order of the branches, white space collapsed, slots as bare `{name}` (T-2).
  /// Not for templates parsed for_intents(): they may have too many.
  std::vector<std::string> expand() const;

  /// The same template with every `<name>` written out as a group, as it goes over the bus.
  std::string without_vocabularies() const;

 private:
  Template(std::string text, TemplateNode root) : text_(std::move(text)), root_(std::move(root)) {}

  std::string text_;
  TemplateNode root_;
  std::vector<Slot> slots_;
  std::vector<TemplateError> warnings_;
  std::uint64_t combinations_ = 0;
  std::uint64_t forms_ = 0;
};

/// One term of an expanded sentence: a normalised word (T-4), or a slot.
struct Token {
  enum class Kind : std::uint8_t { kWord, kSlot };

  Token(Kind token_kind, std::string token_text) : kind(token_kind), text(std::move(token_text)) {}
  auto operator<=>(const Token&) const = default;

  Kind kind;
  std::string text;  ///< The word's matching form, or the slot's name.
};

using Sentence = std::vector<Token>;

/// An expanded sentence (`buy {item}s now`) as terms. Text glued to a slot becomes words of its own.
Sentence tokens(std::string_view expanded, std::string_view lang);

/// Every sentence of the template as terms, each once, in the order of the branches.
std::vector<Sentence> expand_tokens(const Template& source, std::string_view lang);

/// A template as a compact structure of whole words, ready to be compiled into an automaton: nothing is
/// multiplied out except where groups and text join without a space (`light[s]` becomes light|lights).
/// It accepts exactly the sentences of expand_tokens().
struct Pattern {
  enum class Kind : std::uint8_t {
    kSequence,  ///< `children` one after the other; none accepts the empty sentence.
    kChoice,    ///< One of `children`; an optional part has an empty sequence among them.
    kWord,      ///< The matching form `text`.
    kSlot,      ///< One or more words; `text` is the slot's name. Its type is in Template::slots().
  };

  explicit Pattern(Kind pattern_kind, std::string pattern_text = {})
      : kind(pattern_kind), text(std::move(pattern_text)) {}

  Kind kind;
  std::string text;
  std::vector<Pattern> children;
};

Pattern word_pattern(const Template& source, std::string_view lang);

/// Named vocabularies whose lines may refer to each other. Each is resolved once, on first use. Not for use
/// from several threads at once.
class Vocabularies {
 public:
  /// One line per template. A second add() of a name adds lines.
  void add(const std::string& name, std::string line);
  /// A line that was parsed and refers to no vocabulary.
  void add(const std::string& name, Template line);

  /// All phrases of `name`, each once. Fails when it is unknown, refers to itself, has a malformed line, or
  /// stands for more than Template::kMaxExpansions phrases.
  Result<Phrases> find(const std::string& name);

  /// find() in the form that Template::parse takes; refers to this object.
  VocabularyLookup lookup();

 private:
  /// What refers to vocabularies is parsed once all are known.
  using Line = std::variant<std::string, Template>;
  struct Entry {
    std::vector<Line> lines;
    Phrases phrases;
    std::string failure;
    bool busy = false;
  };

  void add_line(const std::string& name, Line line);
  Result<std::vector<std::string>> expand(const Line& line);
  Result<Phrases> resolve(const std::string& name, Entry& entry);

  std::map<std::string, Entry, std::less<>> entries_;
  bool any_resolved_ = false;
  std::vector<std::string> chain_;  ///< The references being followed, outermost first.
};

/// Whether `name` may name a slot or a vocabulary: [a-z_][a-z0-9_]* (T-1).
bool is_slot_name(std::string_view name) noexcept;

}  // namespace parley
