#pragma once

namespace parley {

/// In rising order; kOff is for limits only, no line has it.
enum class LogLevel { kTrace, kDebug, kInfo, kWarning, kError, kOff };

}  // namespace parley
