#pragma once

#include <parley/locale.hpp>
#include <parley/text.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::follow_up {

/// What stands between stops: ",", ";", ".", "!" or "?" and a space ("3.5" and "10:30" have none). One for
/// what has none.
std::vector<std::span<const Word>> clauses_of(std::string_view text, std::span<const Word> said);

/// Words of an utterance that may be a request by themselves, the most words first, beside others that ask
/// for nothing: "how do I fix it" of "my tap keeps dripping how do I fix it". Never all of them. By the
/// core's vocabularies:
///
/// | file | holds |
/// | --- | --- |
/// | `clause_tells.voc` | how a clause begins that asks for nothing: "my", "because"; behind one a request
/// may begin anywhere | | `clause_asks.voc` | how a request begins behind anything else: "what", "so", "can
/// you" | | `clause_why.voc` | how goes on what is told behind a request: "I've", "because" |
std::vector<std::span<const Word>> requests_within(std::string_view text, std::span<const Word> said,
                                                   const LocaleResources& common, const std::string& lang);

}  // namespace parley::follow_up
