#pragma once

#include <cstddef>
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

/// What one registration may hold. More is refused by name.
struct RegistrationLimits {
  RegistrationLimits() = default;
  std::size_t max_samples = 10'000;                   ///< Of all its lists together.
  std::size_t max_text = std::size_t{512} << 10U;     ///< Bytes of all samples together.
  static constexpr std::size_t kMaxForms = 100'000;   ///< Template::forms() of all samples together.
  static constexpr std::size_t kMaxContextKeys = 64;  ///< Of `requires_context` and of `excludes_context`.
};

/// Hears of everything that is left out of a registration that stands without it.
using Complain = std::function<void(const std::string&)>;

/// Reads the payload of `ovos.intent.register.*`. Fields it does not know are ignored. The session
/// is never in the payload: `session_id` stays empty. Fails on what makes the registration malformed.
Result<IntentRegistration> parse_intent(const Json& payload, Method method, const Complain& complain,
                                        const RegistrationLimits& limits = RegistrationLimits());

/// Reads the payload of `ovos.entity.register`, likewise.
Result<EntityRegistration> parse_entity(const Json& payload, const Complain& complain,
                                        const RegistrationLimits& limits = RegistrationLimits());

/// The bytes of text in a payload, which reading it takes time in proportion to. Stops counting at `enough`.
std::size_t text_in(const Json& payload, std::size_t enough);

}  // namespace parley
