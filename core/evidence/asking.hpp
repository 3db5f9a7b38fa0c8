#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <parley/message.hpp>
#include <parley/result.hpp>
#include <string>

#include "evidence/access.hpp"
#include "evidence/request.hpp"
#include "evidence/search.hpp"

namespace parley {
struct Lasting;
}  // namespace parley

// What is asked of the evidence, by whomever: over HTTP, over a connection, by a skill.
namespace parley::evidence {

class QuestionVectors;

/// What everybody who asks is answered from.
struct Source {
  /// @param questions_asked  null: questions have no vectors
  Source(std::shared_ptr<Lasting> from, bool is_enabled, QuestionVectors* questions_asked)
      : lasting(std::move(from)), questions(questions_asked), enabled(is_enabled) {}
  std::shared_ptr<Lasting> lasting;
  QuestionVectors* questions;
  bool enabled;  ///< evidence.enabled
};

/// Called once, from any thread; `status` is of the HTTP answer that carries it.
using Told = std::function<void(Json answer, unsigned status)>;

/// What a query may look at, by the names in it; else FORBIDDEN_SCOPE.
Result<Reach, Refusal> reach_of_query(const Caller& caller, const Request& request);

/// The words of a question that is asked now.
/// @param zone  where the user is, IANA
Wording wording_at(std::chrono::system_clock::time_point now, const std::string& zone, std::string lang);

/// Answers a query. On the loop.
void ask(const Source& source, const Result<Request, Refusal>& request, const Caller& caller, Wording wording,
         Told told);

/// Takes events. By Lasting::making_ready.
/// @param body  one that has no body_fault()
/// @param now   Unix milliseconds
void add(const Source& source, const Json& body, const Caller& caller, std::int64_t now, Told told);

/// Whether such a message adds or takes away: for that a client needs the right `write`, else `read` (K-6).
bool is_writing(std::string_view request) noexcept;

/// Answers topic::kEvidenceQuery, kEvidenceIngest, kEvidenceForget, kTurnList and kTurnGet. On the loop.
/// @param now  Unix milliseconds
void answer(const Source& source, const Message& request, const Caller& caller, Wording wording,
            std::int64_t now, Told told);

}  // namespace parley::evidence
