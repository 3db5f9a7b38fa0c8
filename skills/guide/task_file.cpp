#include "task_file.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <parley/files.hpp>
#include <parley/text.hpp>
#include <set>
#include <span>

#include "task_graph.hpp"

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

/// Reads one file and collects all that is wrong with it.
class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  void fault(const YAML::Mark& at, const std::string& what) {
    faults_.push_back(at.is_null() ? fmt::format("{}: {}", name_, what)
                                   : fmt::format("{}:{}:{}: {}", name_, at.line + 1, at.column + 1, what));
  }
  std::vector<std::string> take_faults() { return std::move(faults_); }
  bool clean() const { return faults_.empty(); }

  void read(const YAML::Node& root, TaskMap& task) {
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
  void fault(const YAML::Node& node, const std::string& what) { fault(node.Mark(), what); }

  bool is_map(const YAML::Node& node, const std::string& what, std::span<const char* const> keys) {
    if (!node.IsMap()) {
      fault(node, fmt::format("{} must be a map of {}", what, fmt::join(keys, ", ")));
      return false;
    }
    std::set<std::string> seen;
    for (const auto& member : node) {
      const auto key = member.first.IsScalar() ? member.first.as<std::string>() : std::string();
      if (std::none_of(keys.begin(), keys.end(), [&](const char* known) { return key == known; }))
        fault(member.first, fmt::format("{} has no '{}'; it may have {}", what, key, fmt::join(keys, ", ")));
      if (!seen.insert(key).second) fault(member.first, fmt::format("'{}' is there twice", key));
    }
    return true;
  }

  std::string text(const YAML::Node& node, std::string_view what) {
    if (!node || node.IsNull()) return {};
    if (!node.IsScalar()) {
      fault(node, fmt::format("'{}' must be a text", what));
      return {};
    }
    auto value = node.as<std::string>();
    const auto from = value.find_first_not_of(" \t\r\n");
    if (from == std::string::npos) return {};
    return value.substr(from, value.find_last_not_of(" \t\r\n") - from + 1);
  }

  std::string required_text(const YAML::Node& map, const char* key) {
    const YAML::Node node = map[key];
    if (!node) {
      fault(map, fmt::format("'{}' is missing", key));
      return {};
    }
    const std::size_t before = faults_.size();
    std::string value = text(node, key);
    if (value.empty() && faults_.size() == before) fault(node, fmt::format("'{}' is empty", key));
    return value;
  }

  std::vector<std::string> texts(const YAML::Node& node, std::string_view what) {
    std::vector<std::string> list;
    if (!node || node.IsNull()) return list;
    if (!node.IsSequence()) {
      fault(node, fmt::format("'{}' must be a list of texts", what));
      return list;
    }
    if (node.size() > kMostOfAll) {
      fault(node, fmt::format("'{}' has {} entries; at most {} are read", what, node.size(), kMostOfAll));
      return list;
    }
    for (const auto& one : node) list.push_back(text(one, what));
    return list;
  }

  std::string url(const YAML::Node& node, std::string_view what) {
    std::string value = text(node, what);
    if (!value.empty() && !value.starts_with("https://") && !value.starts_with("http://"))
      fault(node, fmt::format("'{}' must begin with https:// or http://", what));
    return value;
  }

  bool flag(const YAML::Node& node, std::string_view what) {
    if (!node || node.IsNull()) return false;
    bool value = false;
    if (!node.IsScalar() || !YAML::convert<bool>::decode(node, value))
      fault(node, fmt::format("'{}' must be true or false", what));
    return value;
  }

  std::chrono::seconds duration(const YAML::Node& node, std::string_view what) {
    const std::string value = text(node, what);
    if (value.empty()) return {};
    if (const auto time = task_time(value)) return *time;
    fault(node, fmt::format("'{}' is '{}'; expected a time such as '25 min' or '1 h 30 min'", what, value));
    return {};
  }

  void read_serves(const YAML::Node& root, TaskMap& task) {
    const YAML::Node node = root["serves"];
    if (!node) {
      if (task.domain == Domain::kCooking) fault(root, "'serves' is missing: for how many people it is");
      return;
    }
    if (!node.IsScalar() || !YAML::convert<int>::decode(node, task.serves) || task.serves < 1 ||
        task.serves > 1000)
      fault(node, "'serves' must be a number of people from 1 to 1000");
  }

  void read_requirements(const YAML::Node& root, TaskMap& task) {
    static constexpr std::array keys{"name", "amount", "tool", "substitutes"};
    const YAML::Node list = root["requirements"];
    if (!list || !list.IsSequence() || list.size() > kMostOfAll) {
      fault(list ? list : root, "'requirements' must be a list, which may be empty: []");
      return;
    }
    std::set<std::string> seen;
    for (const auto& node : list) {
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

  void read_substitutes(const YAML::Node& list, Requirement& of) {
    static constexpr std::array keys{"name", "amount", "note"};
    if (!list || list.IsNull()) return;
    if (!list.IsSequence()) return fault(list, "'substitutes' must be a list");
    for (const auto& node : list) {
      if (!is_map(node, "a substitute", keys)) continue;
      Substitute one;
      one.name = required_text(node, "name");
      one.amount = text(node["amount"], "amount");
      one.note = text(node["note"], "note");
      of.substitutes.push_back(std::move(one));
    }
  }

  void read_conditions(const YAML::Node& map, TaskMap& task) {
    static constexpr std::array keys{"ask", "default"};
    if (!map || map.IsNull()) return;
    if (!map.IsMap()) return fault(map, "'conditions' must be a map from names to questions");
    for (const auto& member : map) {
      const auto name = member.first.as<std::string>();
      if (!is_id(name))
        fault(member.first, fmt::format("'{}': a condition's name has a-z, 0-9, '_' and '-' only", name));
      if (!is_map(member.second, "a condition", keys)) continue;
      Condition one;
      one.ask = required_text(member.second, "ask");
      one.by_default = flag(member.second["default"], "default");
      task.conditions[name] = std::move(one);
    }
  }

  void read_extra(const YAML::Node& map, TaskMap& task) {
    static constexpr std::array keys{"tips", "jokes", "facts"};
    if (!map || map.IsNull() || !is_map(map, "'extra'", keys)) return;
    task.tips = texts(map["tips"], "tips");
    task.jokes = texts(map["jokes"], "jokes");
    task.facts = texts(map["facts"], "facts");
  }

  void read_steps(const YAML::Node& root, TaskMap& task) {
    static constexpr std::array keys{"id",    "say",   "details", "time",    "timer",
                                     "needs", "after", "when",    "picture", "video"};
    const YAML::Node list = root["steps"];
    if (!list || !list.IsSequence() || list.size() == 0 || list.size() > kMostSteps)
      return fault(list ? list : root, fmt::format("'steps' must be a list of 1 to {} steps", kMostSteps));
    std::set<std::string> seen;
    for (const auto& node : list) {
      Step one;
      if (is_map(node, "a step", keys)) {
        one.id = text(node["id"], "id");
        if (node["id"] && !is_id(one.id))
          fault(node["id"], fmt::format("'{}': an id has a-z, 0-9, '_' and '-' only", one.id));
        if (!one.id.empty() && !seen.insert(one.id).second)
          fault(node["id"], fmt::format("another step has the id '{}', too", one.id));
        one.say = required_text(node, "say");
        one.details = text(node["details"], "details");
        one.time = duration(node["time"], "time");
        one.timer = flag(node["timer"], "timer");
        if (one.timer && !node["time"]) fault(node["timer"], "a step with 'timer: true' must have a 'time'");
        one.needs = texts(node["needs"], "needs");
        read_after(node["after"], one.after);
        if (node["when"]) one.when = rule(node["when"], 0);
        one.picture = url(node["picture"], "picture");
        one.video = url(node["video"], "video");
      }
      task.steps.push_back(std::move(one));
    }
  }

  void read_after(const YAML::Node& node, After& after) {
    if (!node || node.IsNull()) return;
    after.kind = After::Kind::kAll;
    if (node.IsScalar()) {
      after.ids = {node.as<std::string>()};
    } else if (node.IsMap() && node.size() == 1 && (node["wait"] || node["any"])) {
      after.kind = node["wait"] ? After::Kind::kAll : After::Kind::kAny;
      after.ids = texts(node["wait"] ? node["wait"] : node["any"], node["wait"] ? "wait" : "any");
    } else {
      fault(node, "'after' must be the id of a step, {wait: [ids]} or {any: [ids]}");
    }
  }

  Rule rule(const YAML::Node& node, int depth) {
    Rule made;
    if (node.IsScalar()) {
      made.kind = Rule::Kind::kName;
      made.name = node.as<std::string>();
      return made;
    }
    const bool one = node.IsMap() && node.size() == 1 && depth < 8;
    if (one && node["not"]) {
      made.kind = Rule::Kind::kNot;
      made.parts.push_back(rule(node["not"], depth + 1));
      return made;
    }
    for (const char* const key : {"any", "all"}) {
      if (!one || !node[key] || !node[key].IsSequence() || node[key].size() == 0) continue;
      made.kind = key == std::string_view("any") ? Rule::Kind::kAny : Rule::Kind::kAll;
      for (const auto& part : node[key]) made.parts.push_back(rule(part, depth + 1));
      return made;
    }
    fault(node, "'when' must be a condition's name, {not: …}, {any: […]} or {all: […]}");
    return made;
  }

  /// What steps call requirements must be among them.
  void check_names(const YAML::Node& list, const TaskMap& task) {
    for (std::size_t at = 0; at < task.steps.size(); ++at) {
      const Step& step = task.steps[at];
      for (const std::string& name : step.needs)
        if (task.requirement(name) == nullptr)
          fault(list[at]["needs"],
                fmt::format("'needs' names '{}', which is not among the requirements", name));
      for (const char* const key : {"say", "details"}) {
        for (const std::string& name : names_in(key[0] == 's' ? step.say : step.details))
          if (task.requirement(name) == nullptr)
            fault(list[at][key], fmt::format("{{{}}} is not the name of a requirement", name));
      }
    }
  }

  void check_graph(const YAML::Node& root, TaskMap& task) {
    for (const GraphFault& one : put_in_order(task)) {
      if (one.step != GraphFault::kNoStep) {
        fault(root["steps"][one.step], one.what);
      } else {
        fault(root["conditions"][one.condition], one.what);
      }
    }
  }

  std::string name_;
  std::vector<std::string> faults_;
};

}  // namespace

TaskFile read_task(const std::filesystem::path& file, const std::string& lang) {
  TaskFile result;
  Reader reader(file.string());
  TaskMap task;
  task.id = file.stem().string();
  task.lang = lang;
  if (!is_id(task.id))
    reader.fault(YAML::Mark::null_mark(), "a task's file name has a-z, 0-9 and '-' only, and ends in .yaml");
  const auto text = read_file(file, kLargestFile);
  if (!text) {
    reader.fault(YAML::Mark::null_mark(), text.error().message);
  } else {
    try {
      reader.read(YAML::Load(*text), task);
    } catch (const YAML::Exception& error) {
      reader.fault(error.mark, error.msg);
    }
  }
  if (reader.clean()) result.task = std::move(task);
  result.faults = reader.take_faults();
  return result;
}

}  // namespace parley::guide
