#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "locale/locale_data.hpp"
#include "locale/template_parser.hpp"
#include "message/topics.hpp"

namespace parley {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxPhrases = 100'000;

struct ParsedLine {
  Template parsed;
  std::size_t line;
  std::size_t indent;  ///< Code points before it.
};

/// A line of a `.required` file.
struct RequiredSlot {
  RequiredSlot(std::string slot, std::string asks_with, std::size_t at)
      : name(std::move(slot)), dialog(std::move(asks_with)), line(at) {}
  std::string name;
  std::string dialog;  ///< That asks for it; empty: nobody asks, the match must bind it.
  std::size_t line;
};

std::set<std::string> slot_names(const Template& parsed) {
  std::set<std::string> names;
  for (const Slot& slot : parsed.slots()) names.insert(slot.name);
  return names;
}

std::string braced(const std::set<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += fmt::format("{}{{{}}}", list.empty() ? "" : ", ", name);
  return list.empty() ? "no slot" : list;
}

/// Everything of one language. Vocabularies come first, because the others may refer to them.
class LanguageBuilder {
 public:
  LanguageBuilder(const LanguageFiles& files, LocaleProblems& problems) : files_(files), problems_(problems) {
    built_.tag = files.tag;
  }

  LanguageResources run() {
    read_vocabularies();
    for (const auto& [name, file] : of(Role::kEntity)) add_phrases(built_.entities, name, file.path);
    for (const auto& [name, file] : of(Role::kBlacklist)) add_phrases(blacklists_, name, file.path);
    for (const auto& [name, file] : of(Role::kRequired)) read_required(name, file.path);
    for (const auto& [name, file] : of(Role::kDialog)) read_dialog(name, file.path);
    for (const auto& [name, file] : of(Role::kPrompt)) read_prompt(name, file.path);
    for (const auto& [name, file] : of(Role::kIntent)) read_intent(name, file.path);
    check_pairs();
    return std::move(built_);
  }

 private:
  const ByName<ResourceFile>& of(Role role) const {
    static const ByName<ResourceFile> kNone;
    const auto found = files_.files.find(role);
    return found == files_.files.end() ? kNone : found->second;
  }

  std::vector<ParsedLine> parse(const fs::path& file, const std::vector<ResourceLine>& lines,
                                const TemplateOptions& options) {
    std::vector<ParsedLine> good;
    for (const ResourceLine& line : lines) {
      auto parsed = Template::parse(line.text, options);
      if (!parsed) {
        problems_.error(file, parsed.error().message, line.number, parsed.error().column + line.indent);
        continue;
      }
      warn(file, line, *parsed);
      good.push_back({std::move(parsed).value(), line.number, line.indent});
    }
    return good;
  }

  void warn(const fs::path& file, const ResourceLine& line, const Template& parsed) {
    for (const TemplateError& remark : parsed.warnings()) {
      problems_.warning(file, remark.message, line.number, remark.column + line.indent);
    }
  }

  std::vector<ParsedLine> parse(const fs::path& file, TemplateOptions options) {
    return parse(file, read_lines(file, problems_), std::move(options).with(vocabularies_.lookup()));
  }

  void read_vocabularies() {
    // First what is wrong with a line itself, so that the vocabulary lives on without that line; then what
    // is wrong with what it refers to. Reading is most of what starting takes.
    const auto any = [](const std::string&) {
      return Result<Phrases>(std::make_shared<const std::vector<std::string>>(1, "x"));
    };
    std::map<std::string, std::vector<ResourceLine>> lines;
    std::map<std::string, std::vector<std::string>> texts;
    for (const auto& [name, file] : of(Role::kVocabulary)) {
      for (ResourceLine& line : read_lines(file.path, problems_)) {
        auto parsed = Template::parse(line.text, TemplateOptions::for_phrases().with(any));
        if (!parsed) {
          problems_.error(file.path, parsed.error().message, line.number,
                          parsed.error().column + line.indent);
          continue;
        }
        if (line.text.find('<') != std::string::npos) {
          vocabularies_.add(name, line.text);
          lines[name].push_back(std::move(line));
        } else {
          warn(file.path, line, *parsed);
          vocabularies_.add(name, std::move(parsed).value());
          texts[name].push_back(std::move(line.text));
        }
      }
    }
    for (const auto& [name, file] : of(Role::kVocabulary)) {
      const auto referring =
          parse(file.path, lines[name], TemplateOptions::for_phrases().with(vocabularies_.lookup()));
      for (const ParsedLine& line : referring) texts[name].push_back(line.parsed.without_vocabularies());
      const Result<Phrases> phrases = vocabularies_.find(name);
      if (!phrases) {
        // What is wrong with a line has been said; here it is the whole, such as more phrases than there may
        // be.
        if (referring.size() == lines[name].size() && !texts[name].empty())
          problems_.error(file.path, phrases.error().message);
        continue;
      }
      built_.vocabularies[name] =
          std::make_unique<const VocabularyResource>(**phrases, std::move(texts[name]), built_.tag);
    }
  }

  void add_phrases(ByName<std::vector<std::string>>& to, const std::string& name, const fs::path& file) {
    std::vector<std::string> phrases;
    std::unordered_set<std::string> seen;
    for (const ParsedLine& line : parse(file, TemplateOptions::for_phrases())) {
      for (std::string& phrase : line.parsed.expand()) {
        if (seen.insert(phrase).second) phrases.push_back(std::move(phrase));
      }
      if (phrases.size() > kMaxPhrases) {
        return problems_.error(
            file, fmt::format("the file stands for more than {} phrases: split it", kMaxPhrases), line.line);
      }
    }
    if (!phrases.empty()) to.emplace(name, std::move(phrases));
  }

  void read_required(const std::string& name, const fs::path& file) {
    for (const ResourceLine& line : read_lines(file, problems_)) {
      const std::size_t space = std::min(line.text.find_first_of(" \t"), line.text.size());
      const auto dialog = std::min(line.text.find_first_not_of(" \t", space), line.text.size());
      RequiredSlot slot(line.text.substr(0, space), line.text.substr(dialog), line.number);
      const bool is_one_dialog = slot.dialog.find_first_of(" \t") == std::string::npos;
      if (is_slot_name(slot.name) && is_one_dialog) {
        required_[name].push_back(std::move(slot));
      } else {
        problems_.error(file,
                        fmt::format("'{}' is no slot name: one bare name a line, as in: city; or with the "
                                    "dialog that asks for it, as in: city which_city",
                                    line.text),
                        line.number, 1);
      }
    }
  }

  void read_dialog(const std::string& name, const fs::path& file) {
    std::vector<ParsedLine> lines = parse(file, TemplateOptions::for_dialogs());
    if (lines.empty()) return;
    const std::set<std::string> slots = slot_names(lines.front().parsed);
    auto dialog = std::make_unique<Dialog>();
    dialog->file = file;
    for (ParsedLine& line : lines) {
      const std::set<std::string> here = slot_names(line.parsed);
      if (here != slots) {
        return problems_.error(
            file,
            fmt::format("the phrase declares {}, but line {} declares {}: all phrases of a dialog "
                        "need the same slots, the dialog is left out",
                        braced(here), lines.front().line, braced(slots)),
            line.line);
      }
      dialog->phrases.push_back(line.parsed);
    }
    built_.dialogs.emplace(name, std::move(dialog));
  }

  void read_prompt(const std::string& name, const fs::path& file) {
    std::optional<std::string> text = read_resource(file, problems_);
    if (!text) return;
    if (text->find_first_not_of(" \t\r\n") == std::string::npos) {
      return problems_.error(file, "the file is empty: write the prompt, or remove it");
    }
    built_.prompts.emplace(name, std::move(*text));
  }

  void read_intent(const std::string& name, const fs::path& file) {
    if (is_reserved(name)) {
      return problems_.error(
          file, fmt::format("'{}' is a reserved name that no intent can have: rename the file", name));
    }
    IntentResource intent;
    std::set<std::string> slots;
    for (const ParsedLine& line : parse(file, TemplateOptions::for_teaching())) {
      const auto matches = check_template(line.parsed.root(), TemplateOptions::for_intents());
      auto& into = matches ? intent.samples : intent.teaching;
      into.push_back(line.parsed.without_vocabularies());
      if (!matches)
        problems_.warning(file,
                          matches.error().message + "; until then the line only teaches what fills them",
                          line.line, matches.error().column + line.indent);
      for (const Slot& slot : line.parsed.slots()) {
        slots.insert(slot.name);
        if (slot.type != SlotType::kNone) intent.slot_types.emplace(slot.name, to_string(slot.type));
      }
    }
    slots_.insert(slots.begin(), slots.end());
    if (intent.samples.empty()) {
      if (!intent.teaching.empty())
        problems_.error(file, "no line can match anything, they only teach: the intent is left out");
      return;
    }
    intent.slots.assign(slots.begin(), slots.end());
    if (!add_required(name, intent)) return;
    if (const auto found = blacklists_.find(name); found != blacklists_.end())
      intent.blacklist = found->second;
    for (const std::string& slot : slots) {
      const auto found = blacklists_.find(slot);
      if (found != blacklists_.end() && files_.find(Role::kIntent, slot) == nullptr) {
        intent.slot_blacklist.emplace(slot, found->second);
      }
    }
    built_.intents.emplace(name, std::move(intent));
  }

  bool add_required(const std::string& name, IntentResource& intent) {
    bool all_declared = true;
    for (const RequiredSlot& slot : required_[name]) {
      if (!slot.dialog.empty() && !built_.dialogs.contains(slot.dialog)) {
        problems_.error(
            files_.find(Role::kRequired, name)->path,
            fmt::format("there is no {0}.dialog in this language to ask for {{{1}}} with: write it, "
                        "or leave '{0}' out; until then {{{1}}} is required and not asked for",
                        slot.dialog, slot.name),
            slot.line, 1);
      }
      if (std::binary_search(intent.slots.begin(), intent.slots.end(), slot.name)) {
        if (built_.dialogs.contains(slot.dialog)) {
          intent.asked_slots.emplace_back(slot.name, slot.dialog);
        } else {
          intent.required_slots.push_back(slot.name);
        }
        continue;
      }
      all_declared = false;
      problems_.error(
          files_.find(Role::kRequired, name)->path,
          fmt::format("no line of {0}.intent declares the slot {{{1}}}, so nothing could ever match: "
                      "the intent {0} is left out",
                      name, slot.name),
          slot.line, 1);
    }
    return all_declared;
  }

  void check_pairs() {
    for (const auto& [name, file] : of(Role::kRequired)) {
      if (files_.find(Role::kIntent, name) != nullptr) continue;
      problems_.warning(file.path, fmt::format("there is no {}.intent it could belong to", name));
    }
    for (const auto& [name, file] : of(Role::kBlacklist)) {
      const bool paired = files_.find(Role::kIntent, name) != nullptr ||
                          files_.find(Role::kEntity, name) != nullptr ||
                          files_.find(Role::kVocabulary, name) != nullptr || slots_.contains(name);
      if (!paired)
        problems_.warning(file.path,
                          fmt::format("there is no intent, entity or slot '{}' it could belong to", name));
    }
  }

  const LanguageFiles& files_;
  LocaleProblems& problems_;
  LanguageResources built_;
  Vocabularies vocabularies_;
  ByName<std::vector<std::string>> blacklists_;
  std::map<std::string, std::vector<RequiredSlot>> required_;
  std::set<std::string, std::less<>> slots_;  ///< Of all intents.
};

}  // namespace

LanguageResources build_language(const LanguageFiles& files, LocaleProblems& problems) {
  return LanguageBuilder(files, problems).run();
}

}  // namespace parley
