// What a peer sends: one message as it stands on the wire, and everything derived from it.
#include "support/fuzz.hpp"

#include <nlohmann/json.hpp>

#include "message/codec.hpp"
#include "net/ovos/translator.hpp"

using namespace parley;

namespace {

using Names = std::vector<std::string>;

std::optional<Message> decoded(std::string_view text) {
  auto result = decode(text, [](const std::string&) {});
  if (auto* const message = std::get_if<Message>(&result)) return std::move(*message);
  return std::nullopt;
}

void survives_the_wire(const Message& message) {
  const auto again = decoded(message.wire());
  PARLEY_FUZZ_CHECK(again.has_value());
  PARLEY_FUZZ_CHECK(again->type() == message.type());
  PARLEY_FUZZ_CHECK(again->wire() == message.wire());
}

}  // namespace

void parley::testing::fuzz(std::string_view input) {
  const auto message = decoded(input);
  if (!message) return;
  survives_the_wire(*message);
  survives_the_wire(message->forward("a.topic", {{"a", 1}}));
  const Message reply = message->reply("a.topic", Json::object());
  survives_the_wire(reply);
  const std::string& sender = message->context().source;
  PARLEY_FUZZ_CHECK(reply.context().destination == (sender.empty() ? Names() : Names{sender}));
  if (is_identifier(message->type()) && !message->type().ends_with(".response"))
    survives_the_wire(message->response(Json::object()));

  net::ovos::Translator translator;
  net::ovos::Terms terms;
  terms.compat = true;
  translator.recognise();
  const net::ovos::Said said = translator.say(*message, 1000, terms);
  for (const auto* list : {&said.passed, &said.told, &said.relayed}) {
    for (const auto& one : *list) survives_the_wire(one);
  }
  const net::ovos::Heard heard = translator.hear(*message, true, 1001);
  for (const auto* list : {&heard.before, &heard.after, &heard.passed}) {
    for (const auto& one : *list) survives_the_wire(one);
  }
  const Message older = net::ovos::with_older_fields(*message);
  if (!net::ovos::older_name_of(older.type()).empty()) survives_the_wire(net::ovos::under_older_name(older));
}
