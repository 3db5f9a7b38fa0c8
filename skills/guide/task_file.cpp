#include "task_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <parley/files.hpp>
#include <parley/text.hpp>
#include <set>
#include <span>

#include "task_graph.hpp"
#include "task_lint.hpp"
#include "yaml_tree.hpp"

namespace parley::guide {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20U;
constexpr std::size_t kMostSteps = 200;
constexpr std::size_t kMostOfAll = 500;  // entries of any list

bool is_id(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

bool is_truth(std::string text, bool& value) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  value = text == "true" || text == "yes" || text == "on";
  return value || text == "false" || text == "no" || text == "off";
}

bool is_number(std::string_view text, int& value) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size();
}

/// Reads one file and collects all that is wrong with it.
class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  void fault(YamlPlace at, const std::string& what) { faults_.push_back(placed(at, what)); }
  std::string placed(YamlPlace at, const std::string& what) const {
    if (!at.is_known()) return fmt::format("{}: {}", name_, what);
    return fmt::format("{}:{}:{}: {}", name_, at.line + 1, at.column + 1, what);
  }
  std::vector<std::string> remarks(const YamlNode& root, const TaskMap& task) const {
    std::vector<std::string> all;
    for (const Remark& one : lint(task)) {
      const YamlNode& about = one.requirement ? root["requirements"].at(*one.requirement)
                              : one.step      ? root["steps"].at(*one.step)
                                              : root["time"];
      all.push_back(placed(about.place, one.what));
    }
    return all;
  }
  std::vector<std::string> take_faults() { return std::move(faults_); }
  bool clean() const { return faults_.empty(); }

  void read(const YamlNode& root, TaskMap& task) {
    static constexpr std::array keys{"title",      "domain", "category",   "tags",   "summary",
                                     "serves",     "time",   "difficulty", "extra",  "requirements",
                                     "conditions", "steps",  "source",     "picture"};
    if (!is_map(root, "a task", keys)) return;
    task.title = required_text(root, "title");
    task.category = required_text(root, "category");
    task.summary = required_text(root, "summary");
    task.source = text(root["source"], "source");
    task.picture = url(root["picture"], "picture");
    const std::string domain = required_text(root, "domain");
    if (const auto known = domain_of(domain)) {
      task.domain = *known;
    } else if (!domain.empty()) {
      fault(root["domain"], fmt::format("'domain' is '{}'; expected cooking or diy", domain));
    }
    task.tags = texts(root["tags"], "tags");
    read_serves(root, task);
    const std::string time = required_text(root, "time");
    if (!time.empty()) task.time = duration(root["time"], "time");
    task.difficulty = text(root["difficulty"], "difficulty");
    if (!task.difficulty.empty() && task.difficulty != "easy" && task.difficulty != "medium" &&
        task.difficulty != "hard")
      fault(root["difficulty"],
            fmt::format("'difficulty' is '{}'; expected easy, medium or hard", task.difficulty));
    read_requirements(root, task);
    read_conditions(root["conditions"], task);
    read_extra(root["extra"], task);
    read_steps(root, task);
    if (clean()) check_names(root["steps"], task);
    if (clean()) check_graph(root, task);
  }

 private:
  void fault(const YamlNode& node, const std::string& what) { fault(node.place, what); }

  bool is_map(const YamlNode& node, const std::string& what, std::span<const char* const> keys) {
    if (!node.is_map()) {
      fault(node, fmt::format("{} must be a map of {}", what, fmt::join(keys, ", ")));
      return false;
    }
    std::set<std::string> seen;
    for (const YamlNode& key : node.keys) {
      if (std::none_of(keys.begin(), keys.end(), [&](const char* known) { return key.text == known; }))
        fault(key, fmt::format("{} has no '{}'; it may have {}", what, key.text, fmt::join(keys, ", ")));
      if (!seen.insert(key.text).second) fault(key, fmt::format("'{}' is there twice", key.text));
    }
    return true;
  }

  std::string text(const YamlNode& node, std::string_view what) {
    if (node.is_empty()) return {};
    if (!node.is_text()) {
      fault(node, fmt::format("'{}' must be a text", what));
      return {};
    }
    const std::string& value = node.text;
    const auto from = value.find_first_not_of(" \t\r\n");
    if (from == std::string::npos) return {};
    return value.substr(from, value.find_last_not_of(" \t\r\n") - from + 1);
  }

  std::string required_text(const YamlNode& map, const char* key) {
    const YamlNode& node = map[key];
    if (!node.is_there()) {
      fault(map, fmt::format("'{}' is missing", key));
      return {};
    }
    const std::size_t before = faults_.size();
    std::string value = text(node, key);
    if (value.empty() && faults_.size() == before) fault(node, fmt::format("'{}' is empty", key));
    return value;
  }

  std::vector<std::string> texts(const YamlNode& node, std::string_view what) {
    std::vector<std::string> list;
    if (node.is_empty()) return list;
    if (!node.is_list()) {
      fault(node, fmt::format("'{}' must be a list of texts", what));
      return list;
    }
    if (node.items.size() > kMostOfAll) {
      fault(node,
            fmt::format("'{}' has {} entries; at most {} are read", what, node.items.size(), kMostOfAll));
      return list;
    }
    for (const YamlNode& one : node.items) list.push_back(text(one, what));
    return list;
  }

  std::string url(const YamlNode& node, std::string_view what) {
    std::string value = text(node, what);
    if (!value.empty() && !value.starts_with("https://") && !value.starts_with("http://"))
      fault(node, fmt::format("'{}' must begin with https:// or http://", what));
    return value;
  }

  bool flag(const YamlNode& node, std::string_view what) {
    if (node.is_empty()) return false;
    bool value = false;
    if (!node.is_text() || !is_truth(node.text, value))
      fault(node, fmt::format("'{}' must be true or false", what));
    return value;
  }

  std::chrono::seconds duration(const YamlNode& node, std::string_view what) {
    const std::string value = text(node, what);
    if (value.empty()) return {};
    if (const auto time = task_time(value)) return *time;
    fault(node, fmt::format("'{}' is '{}'; expected a time such as '25 min' or '1 h 30 min'", what, value));
    return {};
  }

  void read_serves(const YamlNode& root, TaskMap& task) {
    const YamlNode& node = root["serves"];
    if (!node.is_there()) {
      if (task.domain == Domain::kCooking) fault(root, "'serves' is missing: for how many people it is");
      return;
    }
    if (!node.is_text() || !is_number(node.text, task.serves) || task.serves < 1 || task.serves > 1000)
      fault(node, "'serves' must be a number of people from 1 to 1000");
  }

  void read_requirements(const YamlNode& root, TaskMap& task) {
    static constexpr std::array keys{"name", "amount", "tool", "substitutes"};
    const YamlNode& list = root["requirements"];
    if (!list.is_list() || list.items.size() > kMostOfAll) {
      fault(list.is_there() ? list : root, "'requirements' must be a list, which may be empty: []");
      return;
    }
    std::set<std::string> seen;
    for (const YamlNode& node : list.items) {
      if (!is_map(node, "a requirement", keys)) continue;
      Requirement one;
      one.name = required_text(node, "name");
      one.amount = text(node["amount"], "amount");
      one.tool = flag(node["tool"], "tool");
      read_substitutes(node["substitutes"], one);
      if (one.name.find_first_of("{}") != std::string::npos) fault(node["name"], "a name may have no braces");
      if (!one.name.empty() && !seen.insert(one.name).second)
        fault(node["name"], fmt::format("'{}' is required twice; put the amounts together", one.name));
      task.requirements.push_back(std::move(one));
    }
  }

  void read_substitutes(const YamlNode& list, Requirement& of) {
    static constexpr std::array keys{"name", "amount", "note"};
    if (list.is_empty()) return;
    if (!list.is_list()) return fault(list, "'substitutes' must be a list");
    for (const YamlNode& node : list.items) {
      if (!is_map(node, "a substitute", keys)) continue;
      Substitute one;
      one.name = required_text(node, "name");
      one.amount = text(node["amount"], "amount");
      one.note = text(node["note"], "note");
      of.substitutes.push_back(std::move(one));
    }
  }

  void read_conditions(const YamlNode& map, TaskMap& task) {
    static constexpr std::array keys{"ask", "default"};
    if (map.is_empty()) return;
    if (!map.is_map()) return fault(map, "'conditions' must be a map from names to questions");
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
      const std::string& name = map.keys[i].text;
      if (!is_id(name))
        fault(map.keys[i], fmt::format("'{}': a condition's name has a-z, 0-9, '_' and '-' only", name));
      if (!is_map(map.items[i], "a condition", keys)) continue;
      Condition one;
      one.ask = required_text(map.items[i], "ask");
      one.by_default = flag(map.items[i]["default"], "default");
      task.conditions[name] = std::move(one);
    }
  }

  void read_extra(const YamlNode& map, TaskMap& task) {
    static constexpr std::array keys{"tips", "jokes", "facts"};
    if (map.is_empty() || !is_map(map, "'extra'", keys)) return;
    task.tips = texts(map["tips"], "tips");
    task.jokes = texts(map["jokes"], "jokes");
    task.facts = texts(map["facts"], "facts");
  }

  void read_steps(const YamlNode& root, TaskMap& task) {
    static constexpr std::array keys{"id",    "say",   "details", "time",    "timer",
                                     "needs", "after", "when",    "picture", "video"};
    const YamlNode& list = root["steps"];
    if (!list.is_list() || list.items.size() == 0 || list.items.size() > kMostSteps)
      return fault(list.is_there() ? list : root,
                   fmt::format("'steps' must be a list of 1 to {} steps", kMostSteps));
    std::set<std::string> seen;
    for (const YamlNode& node : list.items) {
      Step one;
      if (is_map(node, "a step", keys)) {
        one.id = text(node["id"], "id");
        if (node["id"].is_there() && !is_id(one.id))
          fault(node["id"], fmt::format("'{}': an id has a-z, 0-9, '_' and '-' only", one.id));
        if (!one.id.empty() && !seen.insert(one.id).second)
          fault(node["id"], fmt::format("another step has the id '{}', too", one.id));
        one.say = required_text(node, "say");
        one.details = text(node["details"], "details");
        one.time = duration(node["time"], "time");
        one.timer = flag(node["timer"], "timer");
        if (one.timer && !node["time"].is_there())
          fault(node["timer"], "a step with 'timer: true' must have a 'time'");
        one.needs = texts(node["needs"], "needs");
        read_after(node["after"], one.after);
        if (node["when"].is_there()) one.when = rule(node["when"], 0);
        one.picture = url(node["picture"], "picture");
        one.video = url(node["video"], "video");
      }
      task.steps.push_back(std::move(one));
    }
  }

  void read_after(const YamlNode& node, After& after) {
    if (node.is_empty()) return;
    after.kind = After::Kind::kAll;
    if (node.is_text()) {
      after.ids = {node.text};
    } else if (node.is_map() && node.items.size() == 1 &&
               (node["wait"].is_there() || node["any"].is_there())) {
      after.kind = node["wait"].is_there() ? After::Kind::kAll : After::Kind::kAny;
      after.ids = texts(node.items.front(), node.keys.front().text);
    } else {
      fault(node, "'after' must be the id of a step, {wait: [ids]} or {any: [ids]}");
    }
  }

  Rule rule(const YamlNode& node, int depth) {
    Rule made;
    if (node.is_text()) {
      made.kind = Rule::Kind::kName;
      made.name = node.text;
      return made;
    }
    const bool one = node.is_map() && node.items.size() == 1 && depth < 8;
    if (one && node["not"].is_there()) {
      made.kind = Rule::Kind::kNot;
      made.parts.push_back(rule(node["not"], depth + 1));
      return made;
    }
    for (const char* const key : {"any", "all"}) {
      if (!one || !node[key].is_list() || node[key].items.size() == 0) continue;
      made.kind = key == std::string_view("any") ? Rule::Kind::kAny : Rule::Kind::kAll;
      for (const YamlNode& part : node[key].items) made.parts.push_back(rule(part, depth + 1));
      return made;
    }
    fault(node, "'when' must be a condition's name, {not: …}, {any: […]} or {all: […]}");
    return made;
  }

  /// What steps call requirements must be among them.
  void check_names(const YamlNode& list, const TaskMap& task) {
    for (std::size_t at = 0; at < task.steps.size(); ++at) {
      const Step& step = task.steps[at];
      for (const std::string& name : step.needs)
        if (task.requirement(name) == nullptr)
          fault(list.at(at)["needs"],
                fmt::format("'needs' names '{}', which is not among the requirements", name));
      for (const char* const key : {"say", "details"}) {
        for (const std::string& name : names_in(key[0] == 's' ? step.say : step.details))
          if (task.requirement(name) == nullptr)
            fault(list.at(at)[key], fmt::format("{{{}}} is not the name of a requirement", name));
      }
    }
  }

  void check_graph(const YamlNode& root, TaskMap& task) {
    for (const GraphFault& one : put_in_order(task)) {
      if (one.step != GraphFault::kNoStep) {
        fault(root["steps"].at(one.step), one.what);
      } else {
        fault(root["conditions"][one.condition], one.what);
      }
    }
  }

  std::string name_;
  std::vector<std::string> faults_;
};

}  // namespace

TaskFile read_task(const std::filesystem::path& file, const std::string& lang, bool linted) {
  TaskFile result;
  Reader reader(file.string());
  TaskMap task;
  task.id = file.stem().string();
  task.lang = lang;
  if (!is_id(task.id))
    reader.fault(YamlPlace(), "a task's file name has a-z, 0-9 and '-' only, and ends in .yaml");
  const auto text = read_file(file, kLargestFile);
  if (!text) {
    reader.fault(YamlPlace(), text.error().message);
  } else {
    const auto root = read_yaml(*text);
    if (!root) {
      reader.fault(root.error().place, root.error().message);
    } else {
      reader.read(*root, task);
      if (linted && reader.clean()) result.remarks = reader.remarks(*root, task);
    }
  }
  if (reader.clean()) result.task = std::move(task);
  result.faults = reader.take_faults();
  return result;
}

}  // namespace parley::guide
