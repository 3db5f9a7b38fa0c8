#include "elicitation.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <parley/language.hpp>
#include <parley/text.hpp>
#include <parley/yaml.hpp>

namespace parley::guide {
namespace {

std::vector<std::string> texts(const YAML::Node& list) {
  std::vector<std::string> found;
  for (const auto& one : list) found.push_back(one.as<std::string>());
  return found;
}

Category read_category(const std::string& id, const YAML::Node& node) {
  Category made;
  made.id = id;
  made.title = node["title"].as<std::string>();
  made.says = texts(node["says"]);
  made.says.push_back(made.title);
  for (const auto& part : node["parts"])
    made.parts.push_back(read_category(part.first.as<std::string>(), part.second));
  return made;
}

Conversation read_conversation(const YAML::Node& node) {
  Conversation made;
  made.prompts = texts(node["prompts"]);
  made.questions = texts(node["questions"]);
  made.responses = texts(node["responses"]);
  for (const auto& one : node["categories"])
    made.categories.push_back(read_category(one.first.as<std::string>(), one.second));
  return made;
}

}  // namespace

const Category* Conversation::named(const std::string& text, const std::string& lang) const {
  const std::string said = normalise(text, lang);
  const auto is_meant = [&](const Category& one) {
    return std::any_of(one.says.begin(), one.says.end(),
                       [&](const std::string& name) { return normalise(name, lang) == said; });
  };
  for (const Category& one : categories) {
    if (is_meant(one)) return &one;
    for (const Category& part : one.parts)
      if (is_meant(part)) return &part;
  }
  return nullptr;
}

const Category* Conversation::by_id(const std::string& id) const {
  for (const Category& one : categories) {
    if (one.id == id) return &one;
    for (const Category& part : one.parts)
      if (part.id == id) return &part;
  }
  return nullptr;
}

Elicitation::Elicitation(const std::filesystem::path& data, const std::string& lang) {
  if (const auto chat = language_file(data / "chat", lang, ".yaml")) {
    read_yaml_file(*chat, [this](const YAML::Node& root) {
      facts = texts(root["facts"]);
      jokes = texts(root["jokes"]);
    });
  }
  const auto file = language_file(data / "elicitation", lang, ".yaml");
  if (!file) return;
  read_yaml_file(*file, [this](const YAML::Node& root) {
    of = texts(root["of"]);
    for (const Domain domain : {Domain::kCooking, Domain::kDiy})
      conversations[domain] = read_conversation(root[std::string(to_string(domain))]);
    for (const auto& node : root["themes"]) {
      Theme theme;
      theme.title = node["title"].as<std::string>();
      theme.says = texts(node["says"]);
      theme.says.push_back(theme.title);
      theme.trivia = texts(node["trivia"]);
      theme.tasks = texts(node["tasks"]);
      if (!theme.trivia.empty()) themes.push_back(std::move(theme));
    }
  });
}

const Theme* Elicitation::theme_of(std::int64_t week) const {
  if (themes.empty()) return nullptr;
  return &themes[static_cast<std::size_t>(week < 0 ? -week : week) % themes.size()];
}

bool Elicitation::has_category(Domain domain, const std::string& id) const {
  const auto found = conversations.find(domain);
  const Category* const category = found == conversations.end() ? nullptr : found->second.by_id(id);
  return category != nullptr && category->parts.empty();
}

}  // namespace parley::guide
