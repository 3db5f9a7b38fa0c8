#pragma once

#include <parley/locale.hpp>
#include <parley/text.hpp>
#include <span>
#include <string>

namespace parley::follow_up {

/// What people put around a request without meaning anything by it ("hey parley", "please", "thanks"): the
/// words of `said` without the phrases of `skip.voc` at its beginning and its end, and those of
/// `skip_first.voc` at its beginning. All of them when nothing else would be left.
std::span<const Word> without_padding(std::span<const Word> said, const LocaleResources& common,
                                      const std::string& lang);

}  // namespace parley::follow_up
