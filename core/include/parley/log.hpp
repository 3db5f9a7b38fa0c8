#pragma once

namespace parley {

/// In rising order; kOff is for limits only, no line has it.
enum class LogLevel { kDebug, kInfo, kWarning, kError, kOff };
/// What they are called wherever somebody names one, in that order.
inline constexpr char kLogLevelNames[] = "debug info warning error off";

}  // namespace parley
