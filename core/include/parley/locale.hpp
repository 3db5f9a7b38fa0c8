#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <parley/text.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// Something wrong with a resource file, and where.
struct LocaleProblem {
  enum class Severity : std::uint8_t {
    kWarning,  ///< Works, but probably not as meant.
    kError,    ///< The line, file or resource is left out; all others load.
  };

  LocaleProblem(Severity how_bad, std::filesystem::path where, std::size_t at_line, std::size_t at_column,
                std::string text)
      : severity(how_bad),
        file(std::move(where)),
        line(at_line),
        column(at_column),
        message(std::move(text)) {}

  Severity severity;
  std::filesystem::path file;
  std::size_t line;    ///< 1-based; 0 when it is about the whole file.
  std::size_t column;  ///< 1-based, in code points; 0 when it is about the whole line.
  std::string message;
};

/// "locale/en-US/brew.intent:3:7: error: '(' is never closed: ')' is missing".
std::string to_string(const LocaleProblem& problem);

/// Where resources are looked for, first match wins (T-5). Each folder holds a `locale/`; an empty path or a
/// missing folder holds nothing.
struct LocaleFolders {
  LocaleFolders() = default;
  std::filesystem::path user;   ///< The user's overrides for this skill.
  std::filesystem::path skill;  ///< What the skill ships.
  std::filesystem::path core;   ///< What every skill can fall back to.
};

/// NAME.intent and what belongs to it, ready to be registered.
struct IntentResource {
  IntentResource() = default;
  std::vector<std::string> samples;         ///< Well-formed templates, vocabularies written out; never empty.
  std::vector<std::string> teaching;        ///< Templates with slots side by side: they match nothing (T-3).
  std::vector<std::string> slots;           ///< All that the samples and `teaching` declare, sorted.
  std::vector<std::string> blacklist;       ///< Phrases that suppress the intent (T-6).
  std::vector<std::string> required_slots;  ///< Each is declared by some sample.
  /// Slots that the user is asked for when the utterance leaves them open, each with the dialog that asks; in
  /// the order of asking.
  std::vector<std::pair<std::string, std::string>> asked_slots;
  std::map<std::string, std::vector<std::string>> slot_blacklist;  ///< Values that must not fill a slot.
  std::map<std::string, std::string> slot_types;                   ///< "number", "duration", …
};

/// A dialog as it is to be spoken.
struct RenderedDialog {
  RenderedDialog(std::string words, std::string tag) : text(std::move(words)), lang(std::move(tag)) {}
  std::string text;
  std::string lang;  ///< The language of the text (L-3), as its folder spells it.
};

/// A dialog that can't be spoken: unknown, or a slot without a value (T-8). The message names the dialog, the
/// language, the file and the slot.
class DialogError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Chooses one of `count` things: returns a number below `count`, which is at least 1.
using Picker = std::function<std::size_t(std::size_t count)>;

/// Evenly distributed; safe from any thread.
std::size_t pick_randomly(std::size_t count);

/// The locale files of one skill, loaded once (T-5). A handle to immutable data: copies are cheap, any thread
/// may use it. Whatever is wrong is in problems(); everything else works.
///
/// Intents and entities are found under exactly the language asked for, because they are registered once per
/// language; dialogs, vocabularies and prompts also under the closest one (closest_language()).
///
/// Languages that nobody speaks here are read when somebody first asks for something of them: an answer may
/// be wanted in any language (L-3).
class LocaleResources {
 public:
  LocaleResources();  ///< Nothing at all.
  /// @param spoken  BCP-47 tags, of which the primary language counts; empty: all that there are
  /// @param at_once  likewise, those of them that are read at once; empty: all
  explicit LocaleResources(const LocaleFolders& folders, const std::vector<std::string>& spoken = {},
                           const std::vector<std::string>& at_once = {});

  /// Of the languages that were read at once.
  const std::vector<LocaleProblem>& problems() const noexcept;
  /// Of one language, which is read now unless it was; its own alone, not what others have and it has not.
  const std::vector<LocaleProblem>& problems_in(std::string_view lang) const;
  /// Every language that some folder has and that is spoken, sorted, as the folder of highest precedence
  /// spells it.
  const std::vector<std::string>& languages() const noexcept;
  /// As languages(), with those that nobody speaks.
  const std::vector<std::string>& all_languages() const noexcept;

  std::vector<std::string> intent_names(std::string_view lang) const;

  /// Null when there is none. Valid as long as this object.
  const IntentResource* intent(std::string_view lang, std::string_view name) const;
  /// The values of an entity, expanded. Null when there is none.
  const std::vector<std::string>* entity(std::string_view lang, std::string_view name) const;
  /// The phrases of a vocabulary, expanded. Null when there is none.
  const std::vector<std::string>* vocabulary(std::string_view lang, std::string_view name) const;
  /// The well-formed lines of the vocabulary as templates, with references to other vocabularies expanded, in
  /// no particular order. Use it when each line has a meaning of its own. Null when there is none.
  const std::vector<std::string>* vocabulary_lines(std::string_view lang, std::string_view name) const;

  /// Whether a phrase of the vocabulary occurs in `said` as a contiguous run of whole words (T-6). False when
  /// there is no such vocabulary.
  bool vocabulary_occurs(std::string_view lang, std::string_view name, std::span<const Word> said) const;
  /// Whether `said` as a whole is a phrase of the vocabulary.
  bool vocabulary_equals(std::string_view lang, std::string_view name, std::span<const Word> said) const;

  /// A `.prompt` file as it is, BOM removed. Null when there is none.
  const std::string* prompt(std::string_view lang, std::string_view name) const;

  /// Whether the dialog exists in `lang` or another region of it, as L-3 requires of `output_lang`.
  bool has_dialog(std::string_view name, std::string_view lang) const;
  /// The language render() would use: `lang`, else the closest, else en-US or another English.
  std::optional<std::string> dialog_language(std::string_view name, std::string_view lang) const;
  /// One phrase of the dialog, one of its variants, with every slot filled (T-8). Values go in verbatim and
  /// are never read as a template. With several phrases, the same one is not chosen twice in a row. Slots the
  /// dialog does not declare are ignored.
  /// @throws DialogError
  RenderedDialog render(std::string_view name, std::string_view lang,
                        const std::map<std::string, std::string>& slots,
                        const Picker& pick = pick_randomly) const;

  struct Data;  ///< Private to the implementation.

 private:
  std::shared_ptr<const Data> data_;
};

/// Replaces each `{{name}}` that `values` has. Everything else in the prompt stays, other braces too.
std::string fill_prompt(std::string_view prompt, const std::map<std::string, std::string>& values);

}  // namespace parley
