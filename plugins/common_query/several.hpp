#pragma once

#include <functional>
#include <optional>
#include <parley/stage.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gate.hpp"

namespace parley::common_query {

/// One of several things that are said in one utterance.
struct Part {
  Part(std::string said, std::optional<Match> who) : text(std::move(said)), intent(std::move(who)) {}
  std::string text;
  std::optional<Match> intent;  ///< Who takes it word for word; nothing: it is a question for all.
};

/// The intent that takes a text word for word.
using Takes = std::function<std::optional<Match>(const std::string& text)>;

/// The parts of an utterance that are joined by `and.voc`, each a question or what an intent takes word for
/// word, one a question that none takes: "what time is it in Rome and who was Nero". Empty: it is not such,
/// or an intent names more of its words than those of its parts do.
std::vector<Part> several_in(Gate& gate, std::string_view utterance, const std::string& lang,
                             const Takes& takes);

}  // namespace parley::common_query
