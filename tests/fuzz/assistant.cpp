// A whole assistant as it is shipped, on the jumping clock: a line of the input is a message of the bus when
// it begins with `{`, the body of a request to `/run` after `r`, and an utterance otherwise.
#include <nlohmann/json.hpp>

#include "app/assistant.hpp"
#include "app/conversation.hpp"
#include "config/files.hpp"
#include "message/codec.hpp"
#include "net/remote_skills.hpp"
#include "orchestrator/orchestrator.hpp"
#include "serve/endpoints.hpp"
#include "support/fuzz.hpp"
#include "support/fuzz_input.hpp"
#include "support/no_gateway.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

const std::filesystem::path kBuilt(PARLEY_BUILD_FOLDER);

AssistantOptions options() {
  AssistantOptions options;
  options.jumping_clock = true;
  options.config_file = kBuilt / "share/parley/parley.yaml";
  options.executable_directory = kBuilt / "bin";
  return options;
}

Config shipped() {
  ConfigSources sources;
  sources.file = kBuilt / "share/parley/parley.yaml";
  Config config = load_config(sources);
  config.language.enabled = {"en-US"};  // every other takes its time to be learnt
  config.language.default_tag = "en-US";
  return config;
}

class Backend {
 public:
  Backend()
      : assistant_(shipped(), options()),
        endpoints_(
            assistant_, skills_, [] { return std::string(); },
            [](const std::function<void(std::vector<net::ConnectionState>)>& done) { done({}); }) {
    assistant_.start();
    assistant_.run_until_idle();
  }

  void hear(std::string_view line) {
    if (line.starts_with('{')) {
      auto decoded = decode(line, [](const std::string&) {});
      if (auto* const message = std::get_if<Message>(&decoded)) assistant_.bus().publish(std::move(*message));
    } else if (line.starts_with('r')) {
      net::HttpRequest request;
      request.method = "POST";
      request.target.path = "/run";
      request.body = line.substr(1);
      request.client = client_;
      endpoints_.answer(std::move(request), [](const net::HttpReply& reply) {
        PARLEY_FUZZ_CHECK(reply.status >= 200 && reply.status < 500);
      });
    } else {
      converse(assistant_, TurnInput(std::string(line)), [](const TurnResult&) {});
    }
    assistant_.run_until_idle();
  }

  bool is_idle() { return assistant_.orchestrator().busy() == 0; }

 private:
  Assistant assistant_;
  Counters counters_;
  NoGateway door_{std::chrono::milliseconds(1000)};
  net::RemoteSkills skills_{assistant_.bus(), assistant_.timers(), counters_, assistant_.orchestrator(),
                            door_};
  Endpoints endpoints_;
  net::ClientPtr client_ = std::make_shared<const net::Client>(1, "fuzz", "127.0.0.1");
};

}  // namespace

void parley::testing::fuzz(std::string_view input) {
  // What was registered and asked before must not slow down what comes; starting takes a while, though.
  constexpr int kInputs = 500;
  static int count = 0;
  static std::unique_ptr<Backend> backend;
  if (count++ % kInputs == 0) backend.reset();
  if (!backend) backend = std::make_unique<Backend>();
  FuzzInput parts(input);
  for (int line = 0; line < 8 && !parts.empty(); ++line) backend->hear(parts.line());
  PARLEY_FUZZ_CHECK(backend->is_idle());
}
