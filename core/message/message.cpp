#include <algorithm>
#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <parley/message.hpp>
#include <parley/session.hpp>
#include <stdexcept>

#include "message/codec.hpp"

namespace parley {
namespace {

std::shared_ptr<const Json> checked(Json data) {
  if (data.is_null()) data = Json::object();
  if (!data.is_object()) throw std::invalid_argument("a message's data must be a JSON object");
  return std::make_shared<const Json>(std::move(data));
}

std::string checked_topic(std::string type) {
  if (!is_topic(type)) throw std::invalid_argument("'" + type + "' is not a message type");
  return type;
}

bool is_separator(char c) {
  return c == '.' || c == ':';
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

}  // namespace

struct Message::Body {
  Body(std::string topic, std::shared_ptr<const Json> content, std::shared_ptr<const Context> around)
      : type(std::move(topic)), data(std::move(content)), context(std::move(around)) {}
  std::string type;
  std::shared_ptr<const Json> data;
  std::shared_ptr<const Context> context;
  mutable std::once_flag serialised;
  mutable std::string wire;
};

Sender::Sender(std::uint64_t number, std::string who, std::string token)
    : id(number), name(std::move(who)), owner(std::move(token)) {}
Sender::~Sender() = default;

bool Sender::may_see(std::string_view) const {
  return true;
}

Context::Context() = default;

bool is_topic(std::string_view text) noexcept {
  if (text.empty()) return false;
  bool after_separator = true;
  int colons = 0;
  for (const char c : text) {
    const bool separator = is_separator(c);
    if (separator ? after_separator : !is_word_character(c)) return false;
    if (c == ':') ++colons;
    after_separator = separator;
  }
  return !after_separator && colons <= 1;
}

bool is_identifier(std::string_view text) noexcept {
  return is_topic(text) && text.find(':') == std::string_view::npos;
}

Message::Message(std::string type) : Message(std::move(type), Json::object()) {}

Message::Message(std::string type, Json data) : Message(std::move(type), std::move(data), Context()) {}

Message::Message(std::string type, Json data, Context context)
    : body_(std::make_shared<Body>(checked_topic(std::move(type)), checked(std::move(data)),
                                   std::make_shared<const Context>(std::move(context)))) {}

Message::Message(std::shared_ptr<const Body> body) : body_(std::move(body)) {}

const std::string& Message::type() const noexcept {
  return body_->type;
}
const Json& Message::data() const noexcept {
  return *body_->data;
}
const Context& Message::context() const noexcept {
  return *body_->context;
}

std::string Message::text(std::string_view key) const {
  const auto found = body_->data->find(key);
  return found != body_->data->end() && found->is_string() ? found->get<std::string>() : std::string();
}

const std::string& Message::session_id() const noexcept {
  const auto& session = body_->context->session;
  static const std::string shared(kDefaultSession);
  return session ? session->session_id : shared;
}

const std::string& Message::owner() const noexcept {
  static const std::string* const here = new std::string("local");
  const SenderPtr& sender = context().sender;
  return sender == nullptr ? *here : sender->owner;
}

Message Message::forward(std::string type, Json data) const {
  return Message(
      std::make_shared<Body>(checked_topic(std::move(type)), checked(std::move(data)), body_->context));
}

Message Message::reply(std::string type, Json data) const {
  Context context = *body_->context;
  std::string sender = std::move(context.source);
  if (!context.destination.empty()) {
    context.source = context.destination.front();
  } else {
    context.source = sender;
  }
  context.destination.clear();
  context.destination_is_list = false;
  if (!sender.empty()) context.destination.push_back(std::move(sender));
  return Message(std::move(type), std::move(data), std::move(context));
}

Message Message::response(Json data) const {
  const std::string& type = body_->type;
  if (type.find(':') != std::string::npos) {
    throw std::logic_error("'" + type + "' is a dispatch: it has no response (M-5)");
  }
  if (type.ends_with(".response")) {
    throw std::logic_error("'" + type + "' is a response already (M-5)");
  }
  return reply(type + ".response", std::move(data));
}

Message Message::with_session(SessionPtr session) const {
  Context context = *body_->context;
  context.session = std::move(session);
  return with_context(std::move(context));
}

Message Message::with_context(Context context) const {
  return Message(
      std::make_shared<Body>(body_->type, body_->data, std::make_shared<const Context>(std::move(context))));
}

const std::string& Message::wire() const {
  std::call_once(body_->serialised, [this] { body_->wire = encode(*this); });
  return body_->wire;
}

}  // namespace parley
