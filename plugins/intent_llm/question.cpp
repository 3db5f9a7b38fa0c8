#include "question.hpp"

#include <nlohmann/json.hpp>

namespace parley::intent_llm {
namespace {

/// Of the declarations of all tools.
constexpr std::size_t kMostBytes = std::size_t{256} << 10U;

/// What was said, as data: in JSON nothing that a skill or a user says can end its own quotation.
std::string told(const Offer& offer, const std::vector<TalkLine>& before) {
  Json earlier = Json::array();
  for (const TalkLine& line : before)
    earlier.push_back({{"by", line.by_user ? "user" : "assistant"}, {"said", line.text}});
  const Json message = {{"earlier", std::move(earlier)}, {"said", offer.utterance}};
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::int64_t tokens_in(const Json& reply, const char* key) {
  const auto usage = reply.find("usage");
  if (usage == reply.end() || !usage->is_object()) return 0;
  const auto count = usage->find(key);
  return count != usage->end() && count->is_number_unsigned() ? count->get<std::int64_t>() : 0;
}

}  // namespace

void Question::put_together() {
  make_tools(offer);
  Json tools = Json::array();
  std::size_t bytes = 0;
  for (const Tool& tool : offer.tools) {
    Json declared = declaration_of(tool);
    bytes += declared.dump(-1, ' ', false, Json::error_handler_t::replace).size();
    if (bytes > kMostBytes) break;
    tools.push_back(std::move(declared));
  }
  offer.tools.erase(offer.tools.begin() + static_cast<std::ptrdiff_t>(tools.size()), offer.tools.end());
  Json messages = Json::array();
  if (!prompt.empty()) messages.push_back({{"role", "system"}, {"content", prompt}});
  messages.push_back({{"role", "user"}, {"content", told(offer, before)}});
  body = {{"messages", std::move(messages)},
          {"tools", std::move(tools)},
          {"tool_choice", "auto"},
          {"temperature", 0},
          {"max_tokens", most_tokens}};
}

void Question::read() {
  const auto reply = parse_json(answer);
  if (!reply) {
    failure = "its answer is no JSON";
    return;
  }
  const auto message = chat_part(*reply);
  if (!message) {
    failure = message.error().message;
    return;
  }
  tokens_asked = tokens_in(*reply, "prompt_tokens");
  tokens_answered = tokens_in(*reply, "completion_tokens");
  std::vector<std::string> earlier;
  for (auto line = before.rbegin(); line != before.rend(); ++line)
    if (line->by_user) earlier.push_back(line->text);
  choice = choice_of(*message, offer, earlier, wall);
}

}  // namespace parley::intent_llm
