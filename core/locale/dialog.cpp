#include <fmt/format.h>
#include <fmt/ranges.h>
#include <parley/language.hpp>
#include <parley/locale.hpp>

#include <algorithm>
#include <random>

#include "locale/locale_data.hpp"

namespace parley {
namespace {

using Values = std::map<std::string, std::string>;

constexpr std::string_view kLastResort = "en-US";

/// @param near  what is not close to it is not looked at, so that it need not be read; empty: all are
std::vector<std::string> languages_of(const LocaleResources::Data& data, std::string_view name,
                                      std::string_view near = {}) {
  std::vector<std::string> having;
  for (const auto& language : data.languages) {
    if (!near.empty() && !is_close(language->tag(), near)) continue;
    if (language->resources().dialogs.contains(name)) having.push_back(language->tag());
  }
  return having;
}

const Dialog& dialog_in(const LocaleResources::Data& data, std::string_view name, std::string_view tag) {
  const auto language = std::find_if(data.languages.begin(), data.languages.end(),
                                     [tag](const auto& known) { return known->tag() == tag; });
  return *(*language)->resources().dialogs.find(name)->second;
}

std::string missing_dialog(const LocaleResources::Data& data, std::string_view name, std::string_view lang) {
  const std::vector<std::string> having = languages_of(data, name);
  return fmt::format("there is no dialog '{0}' for {1}: add locale/{1}/{0}.dialog ({2})", name, lang,
                     having.empty() ? std::string("no language has it")
                                    : fmt::format("only these have it: {}", fmt::join(having, ", ")));
}

std::string missing_slot(const Dialog& dialog, std::string_view name, std::string_view lang,
                         std::string_view slot) {
  return fmt::format("the dialog '{}' in {} ({}) needs a value for the slot {{{}}}", name, lang,
                     dialog.file.string(), slot);
}

/// Writes one variant of a phrase. White space of the phrase collapses; values stay as they are.
class Renderer {
 public:
  Renderer(const Values& values, const Picker& pick) : values_(values), pick_(pick) {}

  std::string run(const TemplateNode& root) && {
    write(root);
    return std::move(out_);
  }

  std::size_t choose(std::size_t count) const { return count < 2 ? 0 : pick_(count) % count; }

 private:
  void write(const TemplateNode& node) {
    switch (node.kind) {
      case TemplateNode::Kind::kText:
        return write_text(node.text);
      case TemplateNode::Kind::kSlot:
        return write_value(values_.find(node.slot.name)->second);
      case TemplateNode::Kind::kVocabulary:
        return write_text((*node.phrases)[choose(node.phrases->size())]);
      case TemplateNode::Kind::kChoice:
        return write(node.children[choose(node.children.size())]);
      case TemplateNode::Kind::kSequence:
        for (const TemplateNode& child : node.children) write(child);
    }
  }

  void write_text(std::string_view text) {
    for (const char c : text) {
      if (c == ' ' || c == '\t') {
        space_ = !out_.empty();
      } else {
        flush_space();
        out_ += c;
      }
    }
  }

  void write_value(std::string_view value) {
    flush_space();
    out_ += value;
  }

  void flush_space() {
    if (space_) out_ += ' ';
    space_ = false;
  }

  const Values& values_;
  const Picker& pick_;
  std::string out_;
  bool space_ = false;
};

const Template& choose_phrase(const Dialog& dialog, const Picker& pick) {
  const std::size_t count = dialog.phrases.size();
  if (count == 1) return dialog.phrases.front();
  const std::size_t last = dialog.last_phrase.load(std::memory_order_relaxed);
  const bool first_time = last >= count;
  const std::size_t choices = first_time ? count : count - 1;
  std::size_t chosen = choices == 1 ? 0 : pick(choices) % choices;
  if (!first_time && chosen >= last) ++chosen;
  dialog.last_phrase.store(chosen, std::memory_order_relaxed);
  return dialog.phrases[chosen];
}

}  // namespace

std::size_t pick_randomly(std::size_t count) {
  thread_local std::minstd_rand generator{std::random_device{}()};
  return std::uniform_int_distribution<std::size_t>(0, count - 1)(generator);
}

bool LocaleResources::has_dialog(std::string_view name, std::string_view lang) const {
  return closest_language(lang, languages_of(*data_, name, lang)).has_value();
}

std::optional<std::string> LocaleResources::dialog_language(std::string_view name,
                                                            std::string_view lang) const {
  for (const std::string_view wanted : {lang, kLastResort}) {
    if (auto found = closest_language(wanted, languages_of(*data_, name, wanted))) return found;
  }
  return std::nullopt;
}

RenderedDialog LocaleResources::render(std::string_view name, std::string_view lang,
                                       const std::map<std::string, std::string>& slots,
                                       const Picker& pick) const {
  const std::optional<std::string> tag = dialog_language(name, lang);
  if (!tag) throw DialogError(missing_dialog(*data_, name, lang));
  const Dialog& dialog = dialog_in(*data_, name, *tag);
  for (const Slot& slot : dialog.phrases.front().slots()) {
    if (!slots.contains(slot.name)) throw DialogError(missing_slot(dialog, name, *tag, slot.name));
  }
  const Template& phrase = choose_phrase(dialog, pick);
  return {Renderer(slots, pick).run(phrase.root()), *tag};
}

std::string fill_prompt(std::string_view prompt, const std::map<std::string, std::string>& values) {
  constexpr std::string_view kNameCharacters = "abcdefghijklmnopqrstuvwxyz0123456789_";
  std::string out;
  while (!prompt.empty()) {
    const std::size_t open = prompt.find("{{");
    if (open == std::string_view::npos) break;
    const std::size_t end = prompt.find_first_not_of(kNameCharacters, open + 2);
    if (end == std::string_view::npos) break;
    const std::string name(prompt.substr(open + 2, end - open - 2));
    const auto value = values.find(name);
    const bool fills = prompt.substr(end, 2) == "}}" && is_slot_name(name) && value != values.end();
    out.append(prompt.substr(0, fills ? open : open + 1));
    if (fills) out += value->second;
    prompt.remove_prefix(fills ? end + 2 : open + 1);
  }
  return out.append(prompt);
}

}  // namespace parley
