#pragma once

#include <string>

namespace parley {

/// A fresh id of 128 random bits, as 32 lower-case hexadecimal digits: it can't be guessed (M-8).
/// From any thread.
std::string random_id();

}  // namespace parley
