#pragma once

#include <string>

namespace parley::date_time {

/// A text as it begins a sentence: its first letter in title case, whatever the alphabet.
std::string begin_sentence(const std::string& text);

}  // namespace parley::date_time
