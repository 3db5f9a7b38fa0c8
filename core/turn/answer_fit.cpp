#include "turn/answer_fit.hpp"

#include <chrono>
#include <parley/text.hpp>
#include <parley/values.hpp>
#include <parley/zone.hpp>

#include "runtime/cell.hpp"
#include "turn/yes_no.hpp"

namespace parley {
namespace {

/// For the skill's own word; it is a look at one sentence.
constexpr std::chrono::milliseconds kFitBound(500);

}  // namespace

Task<AnswerFit> AnswerFits::of(MatchRequest request) const {
  const auto& mode = request.session().response_mode;
  if (!mode) co_return AnswerFit::kFits;
  const CheckAnswer check = questions_.check_of(request.message(), mode->skill_id);
  if (!check) co_return of_remote(request, *mode);
  const auto cell = std::make_shared<Cell<AnswerFit>>();
  const Timer bound = timers_.at(timers_.clock().now() + kFitBound, [cell] { cell->set(AnswerFit::kFits); });
  check(request.utterance(), request.lang(), [cell](AnswerFit fit) { cell->set(fit); });
  co_return co_await Cell<AnswerFit>::wait(cell);
}

AnswerFit AnswerFits::of_remote(const MatchRequest& request, const ResponseMode& mode) const {
  if (mode.expects.empty() || says(request, "cancel")) return AnswerFit::kFits;
  if (mode.expects == "text") return AnswerFit::kAnything;
  const auto verdict = [](bool fits) { return fits ? AnswerFit::kFits : AnswerFit::kMisfit; };
  if (mode.expects == "yes_no") {
    const auto find = [this](std::string_view) -> const LocaleResources& { return common_; };
    return verdict(yes_or_no(words(request.utterance(), request.lang()), request.lang(), find).has_value());
  }
  const SlotType type = slot_type(mode.expects);
  if (type == SlotType::kNone) return AnswerFit::kFits;
  const auto& place = request.session().location;
  auto zone = Zone::named(place && place->tz && !place->tz->empty() ? *place->tz : zone_);
  if (!zone) zone = Zone::named("UTC");
  const auto now = timers_.clock().wall();
  const auto here =
      zone ? zone->local(now)
           : std::chrono::local_seconds(std::chrono::floor<std::chrono::seconds>(now).time_since_epoch());
  return verdict(read_value(type, request.utterance(), request.lang(), here).has_value());
}

bool AnswerFits::says(const MatchRequest& request, const char* vocabulary) const {
  return common_.vocabulary_equals(request.lang(), vocabulary, words(request.utterance(), request.lang()));
}

}  // namespace parley
