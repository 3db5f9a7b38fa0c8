// Two sessions as they come from the wire, and every way in which one changes the other.
#include <nlohmann/json.hpp>

#include "session/session.hpp"
#include "support/fuzz.hpp"
#include "support/fuzz_input.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

std::optional<Session> read(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  std::vector<std::string> spoiled;
  return session_from_json(json, spoiled);
}

void survives_the_wire(const Session& session) {
  std::vector<std::string> spoiled;
  const Session again = session_from_json(to_json(session), spoiled);
  PARLEY_FUZZ_CHECK(spoiled.empty());
  PARLEY_FUZZ_CHECK(to_json(again) == to_json(session));
}

}  // namespace

void parley::testing::fuzz(std::string_view input) {
  FuzzInput parts(input);
  const auto a = read(parts.line());
  const auto b = read(parts.line());
  if (!a || !b) return;
  survives_the_wire(*a);

  Session replaced = *a;
  replace_present(replaced, *b);
  survives_the_wire(replaced);
  Session patched = *a;
  apply_patch(patched, *b);
  PARLEY_FUZZ_CHECK(patched.session_id == a->session_id);
  survives_the_wire(patched);
  Session changed = *a;
  apply_changes(changed, *a, *b);
  PARLEY_FUZZ_CHECK(changed.session_id == a->session_id);

  Session reported = *a;
  apply_patch(reported, reported_changes(*a, *b));
  survives_the_wire(reported);

  constexpr std::size_t kMaxSize = 256;
  const auto size_of = [](const Session& session) {
    return to_json(session).dump(-1, ' ', false, Json::error_handler_t::replace).size();
  };
  PARLEY_FUZZ_CHECK(fits(*a, kMaxSize) == (size_of(*a) <= kMaxSize));
  SessionStore store(kMaxSize);
  const SessionPtr entered = store.enter(std::make_shared<const Session>(*a)).session;
  PARLEY_FUZZ_CHECK(entered->session_id == a->session_id);
  const bool changed_it = store.change(*entered, *b);
  survives_the_wire(*store.current());
  PARLEY_FUZZ_CHECK(!changed_it || size_of(*store.current()) <= kMaxSize);
  PARLEY_FUZZ_CHECK(is_default_session(store.current()->session_id));

  const Languages languages("en-US", {"en-US", "de-DE"});
  const auto language = resolve_language("", *a, languages);
  PARLEY_FUZZ_CHECK(language.tag == "en-US" || language.tag == "de-DE");
}
