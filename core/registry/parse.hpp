#pragma once

#include <cstdint>
#include <functional>
#include <parley/message.hpp>
#include <parley/registry.hpp>
#include <parley/result.hpp>
#include <string>
#include <string_view>

namespace parley {

/// How an intent is defined; part of its key.
enum class Method : std::uint8_t { kKeyword, kTemplate };

/// "keyword" or "template", as on the wire.
std::string_view to_string(Method method) noexcept;

/// Hears of everything that is left out of a registration that stands without it.
using Complain = std::function<void(const std::string&)>;

/// Reads the payload of `ovos.intent.register.*`. Fields it does not know are ignored. The session
/// is never in the payload: `session_id` stays empty. Fails on what makes the registration malformed.
Result<IntentRegistration> parse_intent(const Json& payload, Method method, const Complain& complain);

/// Reads the payload of `ovos.entity.register`, likewise.
Result<EntityRegistration> parse_entity(const Json& payload, const Complain& complain);

}  // namespace parley
