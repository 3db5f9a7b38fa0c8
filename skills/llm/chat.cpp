#include "chat.hpp"

#include <nlohmann/json.hpp>

namespace parley::llm {
namespace {

using Json = nlohmann::json;

void add(Json& messages, const char* role, const std::string& text) {
  if (messages.empty() || messages.back().at("role") != role) {
    messages.push_back({{"role", role}, {"content", text}});
  } else {
    messages.back().at("content").get_ref<std::string&>() += " " + text;
  }
}

}  // namespace

Json chat_request(const std::string& system, const std::vector<TalkLine>& before, const std::string& said,
                  std::int64_t most_tokens) {
  Json talk = Json::array();
  for (const auto& one : before) {
    if (one.by_user || !talk.empty()) add(talk, one.by_user ? "user" : "assistant", one.text);
  }
  add(talk, "user", said);
  if (!system.empty()) {
    Json prompt = {{"role", "system"}, {"content", system}};
    talk.insert(talk.begin(), std::move(prompt));
  }
  return {{"stream", true}, {"max_tokens", most_tokens}, {"messages", std::move(talk)}};
}

}  // namespace parley::llm
