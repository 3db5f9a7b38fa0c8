#include "request.hpp"

#include <algorithm>
#include <parley/text.hpp>
#include <span>
#include <utility>
#include <vector>

#include "entries.hpp"
#include "said_moments.hpp"

namespace parley::reminder {
namespace {

constexpr std::size_t kMostWords = 36;
class Reading final : SaidMoments {
 public:
  using SaidMoments::SaidMoments;

  std::optional<Request> request(const std::vector<std::string>& known) {
    known_ = names_one_of(known);
    if (said_.empty() || said_.size() > kMostWords || said_.find("wish_other")) return std::nullopt;
    if (said_.find("wish_list")) return Request(Wish::kList);
    if (known_ && said_.find("wish_when")) return Request(Wish::kWhen);
    if (is_to_be_cancelled()) return cancel();
    if (auto moved = move()) return moved;
    if (auto alarm = wake()) return alarm;
    const auto cue = said_.find("wish_remind");
    const auto maybe = cue ? cue : said_.find("wish_tell");
    if (!maybe) return done_again();
    Request reminder = remind(*maybe);
    // Without a time it is no more than a guess: "tell us a joke, a clean one" is not for the first.
    if (!reminder.moment || (!cue && reminder.what.empty())) return std::nullopt;
    if (!cue && lacks_time(*reminder.moment) && !has_moment(said_.clause_of(maybe->begin)))
      return std::nullopt;
    // "What day is it tomorrow, could you tell me".
    const bool is_beside = !cue && said_.clause_of(maybe->begin).size() == maybe->size();
    if (is_beside && (lacks_time(*reminder.moment) || said_.find("wish_question"))) return std::nullopt;
    return reminder;
  }

  bool has_moment(const WordRun& clause) const {
    return std::any_of(moments_.begin(), moments_.end(),
                       [&](const auto& one) { return clause.has(one.begin); });
  }

  /// "On the fifth of each month at nine pay the rent": what is to be done again and again, and when.
  std::optional<Request> done_again() {
    if (said_.find("wish_question") || !said_.find("wish_do")) return std::nullopt;
    start_over(false);
    Request request(Wish::kRemind);
    read_moment(request);
    if (!request.moment || !request.moment->repeat || lacks_time(*request.moment)) return std::nullopt;
    take_all("wish_aside");
    for (std::size_t at = 0; at < said_.size() && request.what.empty(); at = said_.clause_of(at).end)
      if (begins_or_ends_with_deed(said_.clause_of(at))) request.what = left_in(said_.clause_of(at));
    return request.what.empty() ? std::nullopt : std::optional(request);
  }

  Request reminder() {
    const auto cue = said_.find("wish_remind");
    return remind(cue ? *cue : said_.find("wish_tell").value_or(WordRun()));
  }

  bool is_put_right() {
    start_over(true);
    find_moments();
    return is_any_taken_back();
  }

  std::optional<SpokenMoment> day(bool or_weekly) {
    find_moments();
    for (const WordRun& one : moments_) {
      auto moment = when(said_.surface_of(one));
      if (!moment || said_.is("wish_now", one)) continue;
      const bool is_weekly = moment->repeat && moment->repeat->kind == ScheduleRule::Kind::kWeekly;
      if ((moment->date && !moment->date->time) || (or_weekly && is_weekly)) return moment;
    }
    return std::nullopt;
  }

 private:
  // ---- what

  Request remind(WordRun cue) {
    start_over(false);
    Request request(Wish::kRemind);
    take(cue);
    read_moment(request);
    take_all("wish_aside");
    const WordRun clause = cue.size() > 0 ? said_.clause_of(cue.begin) : said_.all();
    request.what = left_in(clause);
    if (!request.what.empty()) return request;
    // Told in a clause of its own: the one in front goes before one behind, which may say why.
    for (std::size_t end = clause.begin; end > 0 && request.what.empty();
         end = said_.clause_of(end - 1).begin)
      request.what = left_in(said_.clause_of(end - 1));
    for (std::size_t at = clause.end; at < said_.size() && request.what.empty(); at = said_.clause_of(at).end)
      request.what = left_in(said_.clause_of(at));
    return request;
  }

  /// Whether what is left of a clause begins with a deed, or ends with one ("Miete zahlen").
  bool begins_or_ends_with_deed(WordRun clause) const {
    while (clause.size() > 0 && taken_[clause.begin]) ++clause.begin;
    while (clause.size() > 0 && taken_[clause.end - 1]) --clause.end;
    return clause.size() > 1 && (said_.is("wish_do", {clause.begin, clause.begin + 1}) ||
                                 said_.is("wish_do", {clause.end - 1, clause.end}));
  }

  // ---- other wishes

  /// Short words, such as articles, name nothing.
  bool names_one_of(const std::vector<std::string>& known) const {
    constexpr std::size_t kShortest = 4;  // bytes
    const auto said = said_.in(said_.all());
    const auto is_said = [&](const Word& one) {
      return one.norm.size() >= kShortest &&
             std::any_of(said.begin(), said.end(), [&](const Word& word) { return word.norm == one.norm; });
    };
    return std::any_of(known.begin(), known.end(), [&](const std::string& what) {
      const auto named = words(what, lang_);
      return std::any_of(named.begin(), named.end(), is_said);
    });
  }

  Found thing() const {
    const auto reminder = said_.find("reminder_words");
    return reminder ? reminder : said_.find("alarm_words");
  }

  /// "Alarm off", "the vet reminder, I don't need it any more"; and none where something is asked for.
  bool is_to_be_cancelled() const {
    if (said_.find("wish_not_remind")) return true;
    const auto cue = said_.find("wish_cancel");
    const auto what = thing();
    if (!cue || !what || said_.find("wish_remind")) return false;
    const WordRun clause = said_.clause_of(cue->begin);
    return clause.has(what->begin) || said_.find("it_alone", clause);
  }

  Request cancel() {
    start_over(false);
    Request request(Wish::kCancel);
    read_moment(request);
    return request;
  }

  /// "The vet's shut at three, shift that reminder to four".
  std::optional<Request> move() {
    const auto what = thing();
    if ((!what && !known_) || said_.find("wish_remind")) return std::nullopt;
    auto cue = said_.find("wish_move");
    if (!cue && what && said_.find("reminder_words") && what->begin > 0 &&
        said_.is("wish_the", {what->begin - 1, what->begin}))
      cue = said_.find("wish_put", said_.clause_of(what->begin));
    if (!cue) return std::nullopt;
    Request request(Wish::kMove);
    // Behind the verb a number alone is a time; what was told in another clause is none that is meant.
    for (const bool is_whole : {false, true}) {
      start_over(!is_whole);
      if (!is_whole)
        for (std::size_t at = 0; at < said_.size(); ++at)
          taken_[at] = at < cue->end || at >= said_.clause_of(cue->begin).end;
      read_moment(request);
      if (request.moment) break;
    }
    return request.moment ? std::optional(request) : std::nullopt;
  }

  /// "Weekdays six thirty alarm please".
  std::optional<Request> wake() {
    auto cue = said_.find("wish_wake");
    if (!cue) cue = said_.find("alarm_words");
    // "At seven, ah no, is it Sunday, ten" asks nothing.
    if (!cue || (said_.find("wish_question") && !is_put_right())) return std::nullopt;
    start_over(true);
    take(*cue);
    Request request(Wish::kAlarm);
    read_moment(request);
    if (!request.moment) return std::nullopt;
    return request;
  }

  bool known_ = false;  ///< It has a word of what there is a reminder of.
};

}  // namespace

std::optional<Request> RequestReader::read(std::string_view text,
                                           const std::vector<std::string>& known) const {
  return Reading(text, locale_, lang_, find_when_).request(known);
}

Request RequestReader::read_reminder(std::string_view text) const {
  return Reading(text, locale_, lang_, find_when_).reminder();
}

bool RequestReader::is_put_right(std::string_view text) const {
  return Reading(text, locale_, lang_, find_when_).is_put_right();
}

std::optional<SpokenMoment> RequestReader::day_in(std::string_view text, bool or_weekly) const {
  return Reading(text, locale_, lang_, find_when_).day(or_weekly);
}

}  // namespace parley::reminder
