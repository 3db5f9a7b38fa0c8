#include "meanings.hpp"

#include <chrono>
#include <follow_up/clauses.hpp>
#include <follow_up/corrected.hpp>
#include <follow_up/ellipsis.hpp>
#include <follow_up/indirect.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>
#include <parley/text.hpp>
#include <span>
#include <utility>

namespace parley::common_query {
namespace {

constexpr std::size_t kMostWithin = 3;  ///< Questions within one utterance.
constexpr std::size_t kMostAsked = 12;  ///< Of every skill, one after the other, and the user waits.
constexpr std::size_t kMostTopics = 2;  ///< Of what leads to one.

}  // namespace

MatchRequest asked_as(const MatchRequest& request, const std::string& question) {
  auto state = std::make_shared<MatchRequest::State>(std::vector<std::string>(1, question), request.lang(),
                                                     request.message(), request.trace());
  return MatchRequest(std::move(state), request.entry(), std::make_shared<const Json>(request.options()));
}

Meanings::Meanings(StageContext& context, Gate* gate) : context_(context), gate_(gate) {
  context_.on("ovos.intent.matched",
              [this](const Message& matched) { subjects_.hear(matched, context_.clock().now()); });
}

bool Meanings::is_question(const MatchRequest& request) const {
  return gate_ == nullptr || gate_->accepts(request.utterance(), request.lang());
}

const follow_up::Subject* Meanings::subject_of(const MatchRequest& request) const {
  const follow_up::Subject* const subject = subjects_.of(request.message(), context_.clock().now());
  const bool fits = subject != nullptr && primary_language(subject->lang) == primary_language(request.lang());
  return fits ? subject : nullptr;
}

std::optional<MatchRequest> Meanings::asked_again(const MatchRequest& request) const {
  const follow_up::Subject* const subject = subject_of(request);
  if (subject == nullptr) return std::nullopt;
  const auto sentence = follow_up::asked_again(*subject, request.utterance(), reader_of(request));
  if (!sentence) return std::nullopt;
  return asked_as(request, *sentence);
}

std::vector<std::string> Meanings::otherwise(const MatchRequest& request) const {
  std::vector<std::string> questions;
  const std::string& said = request.utterance();
  const std::string bare = gate_ != nullptr ? gate_->bare(said, request.lang()) : said;
  if (bare != said) questions.push_back(bare);
  if (auto direct = follow_up::asked_directly(said, reader_of(request)); !direct.empty())
    questions.push_back(std::move(direct.front()));
  if (const follow_up::Subject* const subject = subject_of(request)) {
    for (std::string& question : follow_up::asked_about_topic(*subject, bare, reader_of(request)))
      questions.push_back(std::move(question));
  }
  for (std::string& question : asked_within(request, said)) questions.push_back(std::move(question));
  return questions;
}

std::vector<std::string> Meanings::asked_within(const MatchRequest& request, const std::string& text) const {
  std::vector<std::string> questions;
  if (gate_ == nullptr) return questions;
  const std::vector<Word> said = words(text, request.lang());
  std::size_t found = 0;
  for (const auto& part : follow_up::requests_within(text, said, context_.common_locale(), request.lang())) {
    if (!gate_->begins_like_question(part, request.lang())) continue;
    const std::string question(surface(text, part));
    for (std::string& meant : about_lead(text, std::span(said.data(), part.data()), question, request))
      questions.push_back(std::move(meant));
    questions.push_back(gate_->bare(question, request.lang()));
    if (++found == kMostWithin || questions.size() >= kMostAsked) break;
  }
  if (questions.size() > kMostAsked) questions.resize(kMostAsked);
  return questions;
}

std::vector<std::string> Meanings::at_first(const MatchRequest& request) const {
  const auto said = words(request.utterance(), request.lang());
  std::vector<std::string> meant =
      follow_up::corrected(request.utterance(), said, context_.common_locale(), request.lang());
  std::erase_if(meant, [&](const std::string& one) {
    return gate_ != nullptr && !gate_->accepts(one, request.lang());
  });
  return meant.empty() ? of_topic(request) : meant;
}

std::vector<std::string> Meanings::of_topic(const MatchRequest& request) const {
  const follow_up::Subject* const subject = subject_of(request);
  if (subject == nullptr || !is_question(request)) return {};
  auto meant = follow_up::asked_of_topic(*subject, request.utterance(), reader_of(request));
  if (!meant.empty() && context_.word_for_word(request)) meant.clear();
  return meant;
}

std::vector<std::string> Meanings::after(const follow_up::Subject& before,
                                         const MatchRequest& request) const {
  return about(before, request.utterance(), request);
}

/// What leads to a question may name several things: "we're off to Portugal in the spring".
std::vector<std::string> Meanings::about_lead(const std::string& text, std::span<const Word> lead,
                                              const std::string& question,
                                              const MatchRequest& request) const {
  std::vector<std::string> meant;
  follow_up::Subject before;
  before.lang = request.lang();
  before.is_question = true;
  for (std::size_t end = lead.size(), tried = 0; end > 0 && tried < kMostTopics; --end) {
    const bool names_one =
        end == lead.size() ||
        follow_up::link_at(lead.subspan(end), context_.common_locale(), request.lang()) > 0;
    if (!names_one) continue;
    ++tried;
    before.utterance = surface(text, lead.first(end));
    for (std::string& one : about(before, question, request)) meant.push_back(std::move(one));
  }
  return meant;
}

std::vector<std::string> Meanings::about(const follow_up::Subject& before, const std::string& question,
                                         const MatchRequest& request) const {
  const follow_up::Reader reader = reader_of(request);
  std::vector<std::string> meant = follow_up::asked_of_topic(before, question, reader);
  if (auto again = follow_up::asked_again(before, question, reader))
    meant.insert(meant.begin(), std::move(*again));
  return meant;
}

follow_up::Reader Meanings::reader_of(const MatchRequest& request) const {
  // What day it is makes no difference to whether one was said.
  const std::chrono::local_seconds now(
      std::chrono::floor<std::chrono::seconds>(context_.clock().wall()).time_since_epoch());
  return {context_.common_locale(), request.lang(), now};
}

}  // namespace parley::common_query
