#pragma once

namespace parley {

/// In rising order. kOff is only for limits; no line has it.
enum class LogLevel { kDebug, kInfo, kWarning, kError, kOff };
/// Their names in options and on the command line, in that order.
inline constexpr char kLogLevelNames[] = "debug info warning error off";

}  // namespace parley
