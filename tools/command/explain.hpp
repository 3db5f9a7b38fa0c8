#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "terminal.hpp"

namespace parley::command {

/// The trace of a turn as a story: one line per step with its time since the utterance came in, what was
/// considered under the stage that considered it. Any JSON will do: what is missing or of another type is
/// left out, unknown kinds of steps are shown as they are.
std::string explain(const nlohmann::json& trace, const Paint& paint);

/// `412 µs`, `12.4 ms`, `1.20 s`.
std::string format_microseconds(double microseconds);

}  // namespace parley::command
