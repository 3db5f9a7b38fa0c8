#pragma once

#include <parley/message.hpp>

#include "registry/manifest.hpp"

namespace parley {

/// The answer to `ovos.intent.list`.
Json list_intents(const Manifest& manifest, const Message& query);

/// The answer to `ovos.intent.describe`.
Json describe_intents(const Manifest& manifest, const Message& query);

}  // namespace parley
