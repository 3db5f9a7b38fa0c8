#pragma once

#include <string>

namespace parley {
class Assistant;
}

namespace parley::command {

/// What skills still have to do and will not, because it ends with this program: one sentence, or nothing.
std::string unfinished(Assistant& assistant);

}  // namespace parley::command
