#pragma once

#include <parley/session.hpp>
#include <string_view>

namespace parley {

/// Calls `visit(name on the wire, pointer to member)` for every optional field of a session.
template <class Visit>
void for_each_field(Visit&& visit) {
  visit("lang", &Session::lang);
  visit("output_lang", &Session::output_lang);
  visit("stt_lang", &Session::stt_lang);
  visit("request_lang", &Session::request_lang);
  visit("detected_lang", &Session::detected_lang);
  visit("secondary_langs", &Session::secondary_langs);
  visit("pipeline", &Session::pipeline);
  visit("blacklisted_pipelines", &Session::blacklisted_pipelines);
  visit("blacklisted_skills", &Session::blacklisted_skills);
  visit("blacklisted_intents", &Session::blacklisted_intents);
  visit("fallback_handlers", &Session::fallback_handlers);
  visit("active_handlers", &Session::active_handlers);
  visit("converse_handlers", &Session::converse_handlers);
  visit("response_mode", &Session::response_mode);
  visit("intent_context", &Session::intent_context);
  visit("persona_id", &Session::persona_id);
  visit("site_id", &Session::site_id);
  visit("location", &Session::location);
}

}  // namespace parley
