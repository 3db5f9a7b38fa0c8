#include "json_ld.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <parley/language.hpp>

#include "task_graph.hpp"

namespace parley::guide {
namespace {

constexpr std::size_t kMostSteps = 200;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The JSON-LD texts of a page.
std::vector<std::string> scripts_of(const std::string& html) {
  std::vector<std::string> found;
  for (auto at = html.find("application/ld+json"); at != std::string::npos;
       at = html.find("application/ld+json", at + 1)) {
    const auto open = html.find('>', at);
    const auto shut = html.find("</script", at);
    if (open == std::string::npos || shut == std::string::npos || shut < open) continue;
    found.push_back(html.substr(open + 1, shut - open - 1));
  }
  return found;
}

/// JSON as pages have it, as JSON: without what wraps it, with line ends in texts as blanks, without the
/// escapes that JSON does not know and commas that nothing follows.
std::string mended(std::string text) {
  for (const std::string_view mark : {"<![CDATA[", "]]>"})
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark))
      text.erase(at, mark.size());
  const auto first = text.find_first_of("{["), last = text.find_last_of("}]");
  if (first == std::string::npos || last == std::string::npos || last < first) return text;
  std::string json;
  bool in_text = false;
  for (std::size_t at = first; at <= last; ++at) {
    const char c = text[at];
    if (!in_text) {
      in_text = c == '"';
      if (c == '}' || c == ']') {
        const auto before = json.find_last_not_of(" \t\r\n");
        if (before != std::string::npos && json[before] == ',') json.resize(before);
      }
      json += c;
    } else if (c == '\\') {
      const char next = text[at + 1];  // there is one: the last is a bracket
      if (std::string_view("\"\\/bfnrtu").find(next) != std::string_view::npos) json += c;
      json += next;
      ++at;
    } else {
      in_text = c != '"';
      json += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return json;
}

bool is_a(const Json& object, std::string_view type) {
  const auto found = object.find("@type");
  if (found == object.end()) return false;
  const auto fits = [&](const Json& one) {
    if (!one.is_string()) return false;
    const auto& name = one.get_ref<const std::string&>();
    return name == type || (name.ends_with(type) && name[name.size() - type.size() - 1] == '/');
  };
  return fits(*found) || (found->is_array() && std::any_of(found->begin(), found->end(), fits));
}

/// Every recipe and how-to in a value, however deep.
void collect(const Json& value, std::vector<const Json*>& found) {
  if (value.is_array()) {
    for (const Json& one : value) collect(one, found);
  } else if (value.is_object()) {
    if (is_a(value, "Recipe") || is_a(value, "HowTo")) {
      found.push_back(&value);
      return;
    }
    for (const auto& member : value.items()) collect(member.value(), found);
  }
}

const Json* member(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

/// A text, also of {"name"}, {"text"}, {"url"}, or the first of several; a number as it is written.
std::string text_of(const Json* value) {
  if (value == nullptr) return {};
  if (value->is_string()) return plain_text(value->get_ref<const std::string&>());
  if (value->is_number()) return value->dump();
  if (value->is_array()) return value->empty() ? std::string() : text_of(&value->front());
  if (!value->is_object()) return {};
  for (const char* const key : {"text", "name", "url", "@value"})
    if (auto text = text_of(member(*value, key)); !text.empty()) return text;
  return {};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t from = 0;
  while (from <= text.size()) {
    const auto end = std::min(text.find('\n', from), text.size());
    if (end > from) lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

/// All texts of a list; of one long text its lines.
std::vector<std::string> texts_of(const Json* value) {
  if (value == nullptr) return {};
  if (!value->is_array()) return lines_of(text_of(value));
  std::vector<std::string> texts;
  for (const Json& one : *value)
    for (std::string& line : lines_of(text_of(&one))) texts.push_back(std::move(line));
  return texts;
}

void add_steps(const Json* value, std::vector<Step>& steps) {
  if (value == nullptr) return;
  if (value->is_array()) {
    for (const Json& one : *value) add_steps(&one, steps);
    return;
  }
  const Json* const parts = !value->is_object()                            ? nullptr
                            : member(*value, "itemListElement") != nullptr ? member(*value, "itemListElement")
                                                                           : member(*value, "steps");
  if (parts != nullptr && !is_a(*value, "HowToStep")) return add_steps(parts, steps);
  const std::string whole = text_of(value);
  for (std::string& line : lines_of(whole.empty() && parts != nullptr ? text_of(parts) : whole)) {
    Step step;
    step.say = std::move(line);
    std::replace(step.say.begin(), step.say.end(), '{', '(');  // braces stand for requirements
    std::replace(step.say.begin(), step.say.end(), '}', ')');
    if (value->is_object()) {
      if (const std::string picture = text_of(member(*value, "image")); picture.starts_with("http"))
        step.picture = picture;
    }
    steps.push_back(std::move(step));
  }
}

/// "200 g flour": the number in front is the amount.
Requirement requirement_of(std::string text, bool tool) {
  Requirement made;
  made.tool = tool;
  std::replace(text.begin(), text.end(), '{', '(');
  std::replace(text.begin(), text.end(), '}', ')');
  std::size_t end = 0;
  const auto is_amount = [&](std::size_t at) {
    const std::string_view rest = std::string_view(text).substr(at);
    return is_digit(text[at]) || rest.starts_with("½") || rest.starts_with("¼") || rest.starts_with("¾");
  };
  while (end < text.size() && is_amount(end)) {
    const auto space = text.find(' ', end);
    if (space == std::string::npos) break;
    end = space + 1;
  }
  made.amount = end > 0 ? text.substr(0, end - 1) : std::string();
  made.name = text.substr(end);
  return made;
}

void add_requirements(const Json* value, bool tool, TaskMap& task) {
  for (std::string& text : texts_of(value)) {
    Requirement one = requirement_of(std::move(text), tool);
    const auto same = std::find_if(task.requirements.begin(), task.requirements.end(),
                                   [&](const Requirement& other) { return other.name == one.name; });
    if (same == task.requirements.end()) {
      task.requirements.push_back(std::move(one));
    } else if (!one.amount.empty()) {
      same->amount += (same->amount.empty() ? "" : " + ") + one.amount;
    }
  }
}

int first_number(const std::string& text) {
  const auto from = std::find_if(text.begin(), text.end(), is_digit);
  int number = 0;
  for (auto at = from; at != text.end() && is_digit(*at) && number < 1000; ++at)
    number = number * 10 + (*at - '0');
  return std::min(number, 1000);
}

void read_times(const Json& object, TaskMap& task) {
  if (const auto total = iso_duration(text_of(member(object, "totalTime")))) {
    task.time = *total;
    return;
  }
  for (const char* const key : {"prepTime", "cookTime", "performTime"})
    if (const auto part = iso_duration(text_of(member(object, key)))) task.time += *part;
}

TaskMap task_in(const Json& object, const std::string& lang) {
  TaskMap task;
  const std::string said = text_of(member(object, "inLanguage"));
  task.lang = is_language_tag(said) ? said : lang;
  task.domain = is_a(object, "Recipe") ? Domain::kCooking : Domain::kDiy;
  task.title = text_of(member(object, "name"));
  task.summary = text_of(member(object, "description"));
  std::replace(task.summary.begin(), task.summary.end(), '\n', ' ');
  task.source = text_of(member(object, "url"));
  if (const std::string picture = text_of(member(object, "image")); picture.starts_with("http"))
    task.picture = picture;
  for (const char* const key : {"recipeCuisine", "recipeCategory", "keywords"})
    for (std::string& tag : texts_of(member(object, key))) task.tags.push_back(std::move(tag));
  task.serves = first_number(text_of(member(object, "recipeYield")));
  read_times(object, task);
  for (const char* const key : {"recipeIngredient", "ingredients", "supply"})
    add_requirements(member(object, key), false, task);
  add_requirements(member(object, "tool"), true, task);
  for (const char* const key : {"recipeInstructions", "step", "steps"})
    if (task.steps.empty()) add_steps(member(object, key), task.steps);
  return task;
}

std::string id_of(const std::string& name) {
  std::string id;
  for (const char c : name) {
    const char low = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if ((low >= 'a' && low <= 'z') || is_digit(low)) {
      id += low;
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  while (!id.empty() && id.back() == '-') id.pop_back();
  return id.empty() ? "task" : id;
}

}  // namespace

std::optional<std::chrono::seconds> iso_duration(std::string_view text) {
  if (!text.starts_with('P')) return std::nullopt;
  std::int64_t sum = 0, number = 0;
  bool of_day = true, any = false;
  for (const char c : text.substr(1)) {
    if (is_digit(c)) {
      number = std::min<std::int64_t>(number * 10 + (c - '0'), 1'000'000);
      any = true;
      continue;
    }
    if (c == 'T') {
      of_day = false;
    } else {
      const std::int64_t each = of_day ? (c == 'D'               ? 86'400
                                          : c == 'W'             ? 604'800
                                          : c == 'Y' || c == 'M' ? 0
                                                                 : -1)
                                       : (c == 'H'   ? 3600
                                          : c == 'M' ? 60
                                          : c == 'S' ? 1
                                                     : -1);
      if (each < 0) return std::nullopt;
      sum += number * each;
    }
    number = 0;
  }
  if (!any || sum == 0) return std::nullopt;
  return std::chrono::seconds(sum);
}

Imported import_json_ld(const std::string& text, const std::string& name, const std::string& lang) {
  Imported result;
  const auto fault = [&](const std::string& what) {
    result.faults.push_back(fmt::format("{}: {}", name, what));
  };
  const auto first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const bool page = first != std::string::npos && text[first] == '<';
  const std::vector<std::string> parts = page ? scripts_of(text) : std::vector<std::string>{text};
  std::string why, unread;
  for (const std::string& part : parts) {
    auto json = parse_json(part);
    if (!json && page) json = parse_json(mended(part));
    if (!json) {
      unread = "its JSON-LD can't be read: " + json.error().message;
      continue;
    }
    std::vector<const Json*> found;
    collect(*json, found);
    for (const Json* object : found) {
      TaskMap task = task_in(*object, lang);
      if (task.title.empty() || task.steps.empty() || task.steps.size() > kMostSteps) {
        why = task.title.empty() ? "what it describes has no name"
              : task.steps.empty()
                  ? fmt::format("'{}' has no steps", task.title)
                  : fmt::format("'{}' has {} steps; {} are read", task.title, task.steps.size(), kMostSteps);
        continue;
      }
      const std::size_t slash = name.find_last_of('/') + 1;
      task.id = id_of(name.substr(slash, name.find_last_of('.') - slash));
      if (!result.tasks.empty()) task.id += fmt::format("-{}", result.tasks.size() + 1);
      put_in_order(task);
      result.tasks.push_back(std::move(task));
    }
  }
  if (!why.empty()) {
    fault(why);
  } else if (result.tasks.empty()) {
    fault(unread.empty() ? "there is no schema.org/Recipe or HowTo in it" : unread);
  }
  return result;
}

}  // namespace parley::guide
