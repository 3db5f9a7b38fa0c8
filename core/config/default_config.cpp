// The file that comes with the program, written from the tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "config/installed.hpp"
#include "config/stages.hpp"
#include "config/tables.hpp"

namespace parley {
namespace config {
namespace {

constexpr std::string_view kHead =
    R"(# The configuration of parley: every key with its default. What you leave out keeps the default; a key
# that nobody knows is refused, with its place and the nearest key there is.
#
# Durations are a whole number and a unit: 500ms, 5s, 30min, 2h, 1d. Sizes: 4096, 64KiB, 1MiB.
#
# Single values are set from outside, without touching this file:
#   parley --set orchestrator.match_timeout=5s …
#   PARLEY_ORCHESTRATOR__MATCH_TIMEOUT=5s parley …      ('__' separates levels)
#
# `parley check --default-config` writes this file, with what is installed; `parley check --help-config` says
# more about each key.
)";

constexpr std::string_view kAboutStages =
    "The stages. A key is the stage's own name on the bus (its pipeline_id). Those that come with parley and "
    "are left out have these defaults. An entry is what the pipeline names; when you list entries, those "
    "left "
    "out are not there.";
constexpr std::string_view kAboutSettings =
    "What skills let you set, by skill id. These are the defaults of those that are installed:";
constexpr std::string_view kAboutOptions = "How skills are run, by skill id:";

constexpr std::size_t kWidth = 112;
constexpr std::size_t kHelpColumn = 32;

/// Words on as many lines as they need, each after `prefix`.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t cut = text.rfind(' ', width);
    if (cut == std::string_view::npos) cut = std::min(text.find(' '), text.size());
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(std::min(cut + 1, text.size()));
  }
  lines.emplace_back(text);
  return lines;
}

/// Writes the file line by line.
class Writer {
 public:
  explicit Writer(std::string head) : text_(std::move(head)) {}

  void blank() { text_ += '\n'; }
  void comment(std::size_t indent, std::string_view words) {
    for (const auto& line : wrapped(words, kWidth - indent - 2))
      text_ += fmt::format("{:{}}# {}\n", "", indent, line);
  }
  void key(std::size_t indent, std::string_view name) {
    text_ += fmt::format("{:{}}{}:\n", "", indent, name);
  }
  void line(std::size_t indent, std::string_view words) {
    text_ += fmt::format("{:{}}{}\n", "", indent, words);
  }

  /// A key with its default, and its help behind or below; one without a default stands in a comment.
  /// @param quoted  everything stands in a comment: `# `, then as many spaces
  void option(std::size_t indent, const Option& option, std::string_view fallback, bool quoted = false) {
    std::string written =
        fmt::format("{:{}}{}{}: {}", "", indent, quoted ? "#   " : "", option.key, fallback);
    if (option.fallback == nullptr) {
      written = fmt::format("{:{}}# {}{}: {}", "", indent, quoted ? "  " : "", option.key,
                            option.type == OptionType::kWord ? option.words : name_of(option.type));
    }
    const std::size_t column = std::max(kHelpColumn, written.size() + 2);
    // What would leave the help too little room has it below.
    const bool is_long = column > kWidth / 2;
    if (is_long) text_ += written + '\n';
    std::string lead = is_long ? "" : written;
    const std::size_t at = is_long ? kHelpColumn : column;
    std::string help = option.help;
    if (option.type == OptionType::kWord)
      help += fmt::format(" One of {}.", fmt::join(words_of(option), ", "));
    for (const auto& words : wrapped(help, kWidth - at - 2)) {
      text_ += fmt::format("{:<{}}# {}\n", lead, at, words);
      lead.clear();
      if (quoted) lead = fmt::format("{:{}}#", "", indent);
    }
  }
  void option(std::size_t indent, const Option& shown) { option(indent, shown, fallback_of(shown)); }

  static std::string fallback_of(const Option& option) {
    if (option.fallback == nullptr) return "";
    return *option.fallback == '\0' ? "\"\"" : option.fallback;
  }

  std::string take() { return std::move(text_); }

 private:
  static const char* name_of(OptionType type) {
    switch (type) {
      case OptionType::kFlag:
        return "true";
      case OptionType::kDuration:
        return "DURATION";
      case OptionType::kSize:
        return "SIZE";
      case OptionType::kInteger:
      case OptionType::kNumber:
        return "NUMBER";
      case OptionType::kRange:
        return "[LOW, HIGH]";
      case OptionType::kList:
        return "[A, B]";
      case OptionType::kMap:
        return "{ID: NUMBER}";
      default:
        return "TEXT";
    }
  }

  std::string text_;
};

template <class Table>
void write_fields(Writer& file, std::size_t indent, const Table& table) {
  for (const auto& field : table) file.option(indent, field.option);
}

void write_top(Writer& file, const std::vector<std::string>& pipeline) {
  for (const auto& field : kTop) {
    file.blank();
    file.comment(0, field.option.help);
    const bool is_pipeline = std::string_view(field.option.key) == "pipeline";
    const std::string value =
        is_pipeline ? fmt::format("[{}]", fmt::join(pipeline, ", ")) : Writer::fallback_of(field.option);
    std::string indent = fmt::format("{}: ", field.option.key);
    for (const auto& words : wrapped(value, kWidth - indent.size())) {
      file.line(0, indent + words);
      indent.assign(indent.size(), ' ');
    }
  }
}

void write_stage(Writer& file, const PluginDescription& stage) {
  const PluginTables& tables = stage.tables();
  file.blank();
  if (*tables.about != '\0') file.comment(2, tables.about);
  file.key(2, stage.name());
  for (const Option& option : tables.options) file.option(4, option);
  file.key(4, "entries");
  if (!tables.entry_options.empty()) file.comment(6, "Each entry takes:");
  for (const Option& option : tables.entry_options) file.option(6, option, Writer::fallback_of(option), true);
  for (const DefaultEntry& entry : tables.entries) {
    file.line(6, fmt::format("{}: {}", entry.name, entry.options));
  }
}

void write_skills(Writer& file, Catalogue& installed) {
  file.blank();
  file.comment(0, "The skills.");
  file.key(0, "skills");
  write_fields(file, 2, kSkills);
  file.comment(2, kAboutSettings);
  for (const auto* const skill : installed.skills()) {
    if (skill->tables().options.empty()) continue;
    file.line(2, fmt::format("# {}:", skill->name()));
    for (const Option& option : skill->tables().options)
      file.option(2, option, Writer::fallback_of(option), true);
  }
  file.line(2, "settings: {}");
  file.comment(2, kAboutOptions);
  file.line(2, "# weather.example:");
  for (const auto& field : kSkillOptions)
    file.option(2, field.option, Writer::fallback_of(field.option), true);
  file.line(2, "options: {}");
}

}  // namespace
}  // namespace config

std::string default_config(const ConfigSources& sources) {
  Catalogue installed = config::installed(sources);
  config::Writer file{std::string(config::kHead)};
  config::write_top(file, config::default_pipeline(installed));
  const Config defaults;
  config::for_each_section(defaults, [&](const char* key, const auto&, const auto& table, const char* help) {
    file.blank();
    file.comment(0, help);
    file.key(0, key);
    config::write_fields(file, 2, table);
    const auto inner = [&](const char* outer, const char* name, const auto&, const auto& of,
                           const char* about) {
      if (std::string_view(key) != outer) return;
      file.comment(2, about);
      file.key(2, name);
      config::write_fields(file, 4, of);
    };
    config::for_each_inner_section(defaults, inner);
  });
  file.blank();
  file.comment(0, config::kAboutStages);
  file.key(0, "stages");
  file.comment(2, "Every stage takes:");
  for (const auto& field : config::kStage)
    file.option(2, field.option, config::Writer::fallback_of(field.option), true);
  for (const auto* const stage : config::default_stages(installed)) config::write_stage(file, *stage);
  config::write_skills(file, installed);
  return file.take();
}

}  // namespace parley
