#pragma once

#include <parley/locale.hpp>
#include <parley/phrases.hpp>
#include <parley/templates.hpp>

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace parley {

/// What a resource file is for.
enum class Role : std::uint8_t { kBlacklist, kDialog, kEntity, kIntent, kPrompt, kRequired, kVocabulary };
/// By their endings.
inline constexpr std::array<std::pair<std::string_view, Role>, 7> kRoles{{{".intent", Role::kIntent},
                                                                          {".dialog", Role::kDialog},
                                                                          {".entity", Role::kEntity},
                                                                          {".voc", Role::kVocabulary},
                                                                          {".blacklist", Role::kBlacklist},
                                                                          {".required", Role::kRequired},
                                                                          {".prompt", Role::kPrompt}}};
/// The ending of such files, with its dot.
std::string_view ending_of(Role role);

struct Dialog {
  std::filesystem::path file;
  std::vector<Template> phrases;
  mutable std::atomic<std::size_t> last_phrase{static_cast<std::size_t>(-1)};
};

/// From any thread.
class VocabularyResource {
 public:
  VocabularyResource(std::vector<std::string> phrases, std::vector<std::string> lines, std::string tag)
      : phrases_(std::move(phrases)), lines_(std::move(lines)), tag_(std::move(tag)) {}

  const std::vector<std::string>& phrases() const noexcept { return phrases_; }
  const std::vector<std::string>& lines() const noexcept { return lines_; }
  /// Made when it is first wanted: of five languages that are loaded, few are spoken.
  const PhraseSet& set() const {
    std::call_once(once_, [this] { set_ = PhraseSet(phrases_, tag_); });
    return set_;
  }

 private:
  std::vector<std::string> phrases_, lines_;
  std::string tag_;
  mutable std::once_flag once_;
  mutable PhraseSet set_;
};

template <class T>
using ByName = std::map<std::string, T, std::less<>>;

struct LanguageResources {
  std::string tag;
  ByName<IntentResource> intents;
  ByName<std::vector<std::string>> entities;
  ByName<std::unique_ptr<const VocabularyResource>> vocabularies;
  ByName<std::unique_ptr<Dialog>> dialogs;
  ByName<std::string> prompts;
};

/// One file of a language, the one that wins.
struct ResourceFile {
  enum class Origin : std::uint8_t { kUser, kSkill, kCore };
  std::filesystem::path path;
  Origin origin;
};

/// By role, then by base name.
using RoleFiles = std::map<Role, ByName<ResourceFile>>;

struct LanguageFiles {
  std::string tag;
  std::filesystem::path folder;
  RoleFiles files;

  const ResourceFile* find(Role role, std::string_view name) const;
};

/// Collects what is wrong, in the order it is found.
class LocaleProblems {
 public:
  void error(const std::filesystem::path& file, std::string message, std::size_t line = 0,
             std::size_t column = 0) {
    found_.emplace_back(LocaleProblem::Severity::kError, file, line, column, std::move(message));
  }
  void warning(const std::filesystem::path& file, std::string message, std::size_t line = 0,
               std::size_t column = 0) {
    found_.emplace_back(LocaleProblem::Severity::kWarning, file, line, column, std::move(message));
  }
  void add(const std::vector<LocaleProblem>& more) { found_.insert(found_.end(), more.begin(), more.end()); }
  std::vector<LocaleProblem> take() { return std::move(found_); }

 private:
  std::vector<LocaleProblem> found_;
};

/// One line that is neither blank nor a comment, stripped.
struct ResourceLine {
  std::size_t number;
  std::size_t indent;  ///< Code points stripped at the front.
  std::string text;
};

/// Every resource file of every language, by precedence (T-5), sorted by language.
std::vector<LanguageFiles> find_locale_files(const LocaleFolders& folders, LocaleProblems& problems);

/// The whole file without byte-order mark, checked to be UTF-8. Nothing when it can't be read.
std::optional<std::string> read_resource(const std::filesystem::path& file, LocaleProblems& problems);

/// The lines that count. Empty when the file can't be read or has none, which is an error.
std::vector<ResourceLine> read_lines(const std::filesystem::path& file, LocaleProblems& problems);

LanguageResources build_language(const LanguageFiles& files, LocaleProblems& problems);

/// Whether closest_language() may give the one for the other.
bool is_close(std::string_view a, std::string_view b);

/// A language of a locale. From any thread.
class LocaleLanguage {
 public:
  explicit LocaleLanguage(LanguageFiles files) : files_(std::move(files)) {}
  const std::string& tag() const noexcept { return files_.tag; }
  const LanguageFiles& files() const noexcept { return files_; }
  /// What the files say, read at the first call.
  const LanguageResources& resources() const {
    std::call_once(once_, [this] {
      LocaleProblems problems;
      resources_ = build_language(files_, problems);
      problems_ = problems.take();
    });
    return resources_;
  }
  /// Of resources().
  const std::vector<LocaleProblem>& problems() const {
    resources();
    return problems_;
  }

 private:
  LanguageFiles files_;
  mutable std::once_flag once_;
  mutable LanguageResources resources_;
  mutable std::vector<LocaleProblem> problems_;
};

using LocaleLanguages = std::vector<std::unique_ptr<const LocaleLanguage>>;

struct LocaleResources::Data {
  std::vector<LocaleProblem> problems;
  std::vector<std::string> spoken, all;  ///< Tags.
  LocaleLanguages languages;             ///< Parallel to `all`.
};

/// Warns of resources, and of slots of intents, that one language has and another has not.
void check_parity(const std::vector<const LocaleLanguage*>& languages, LocaleProblems& problems);

}  // namespace parley
