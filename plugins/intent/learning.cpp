#include "learning.hpp"

#include <algorithm>
#include <chrono>
#include <parley/templates.hpp>
#include <utility>

namespace parley::intent {
namespace {

constexpr auto kPatience = std::chrono::seconds(2);
/// With the first lesson of a language: who spoke too soon is not understood, and a program that ends with
/// the answer would learn for nothing, again and again.
constexpr auto kFirstPatience = std::chrono::seconds(8);
/// So long after the last change the next one is not waited for…
constexpr auto kQuiet = std::chrono::milliseconds(40);
/// …and not for longer than this in all.
constexpr auto kLongestArrival = std::chrono::seconds(1);

/// What the stage itself knows of a language (see the heads of the files).
void add_own_words(Changes& changes, const LocaleResources& locale, const std::string& primary) {
  if (const auto* const background = locale.vocabulary(primary, "background")) {
    for (const std::string& text : *background) changes.background.push_back(words_of(text, primary));
  }
  const auto* const lines = locale.vocabulary_lines(primary, "synonyms");
  if (lines == nullptr) return;
  for (const std::string& line : *lines) {
    const auto parsed = Template::parse(line, TemplateOptions::for_phrases());
    if (!parsed) continue;  // what is wrong with a file has been said when it was read
    auto& phrases = changes.synonyms.emplace_back();
    for (const std::string& phrase : parsed->expand()) phrases.push_back(words_of(phrase, primary));
  }
}

}  // namespace

void Learning::begin(StageContext* context, const std::string& primary) {
  Course& course = courses_[primary];
  if (course.running || is_done(primary)) return;
  course.running = true;
  course.since = context->clock().now();
  course.work = context->spawn(study(context, primary));
}

bool Learning::is_done(const std::string& primary) {
  const LanguageIndex* const index = index_.language_of(primary);
  return index == nullptr || !index->has_changes();
}

Task<> Learning::study(StageContext* context, std::string primary) {
  std::string failure;
  while (failure.empty() && !is_done(primary)) {
    co_await rest(context, primary);
    co_await settled(context);
    LanguageIndex* const index = index_.language_of(primary);
    if (index == nullptr) break;  // whoever spoke it has gone meanwhile
    courses_[primary].pace.began(context->clock().now());
    const auto changes = std::make_shared<Changes>(index->take_changes());
    const auto learned = index->learned();
    std::function<void()> work = [context, learned, changes, primary, locale = context->locale(),
                                  kept = kept_] {
      if (learned->empty()) add_own_words(*changes, locale, primary);
      learned->learn(
          *changes,
          [context](std::size_t count, const std::function<void(std::size_t)>& each) {
            context->in_parallel(count, each);
          },
          kept.get());
    };
    try {
      co_await context->run_blocking(std::move(work));
      context->count("learned");
      courses_[primary].knows_something = true;
    } catch (const Cancelled&) {  // the assistant ends, and would wait for the worker
      learned->abandon();
      co_return;
    } catch (const std::exception& problem) {
      failure = problem.what();
    }
    courses_[primary].pace.ended(context->clock().now());
  }
  if (!failure.empty())
    context->warn("learning the intents of language '" + primary + "' failed: " + failure);
  Course& course = courses_[primary];
  course.running = false;
  for (const auto& wakeup : std::exchange(course.waiting, {})) wakeup->notify();
}

Task<> Learning::rest(StageContext* context, std::string primary) {
  Course& course = courses_[primary];
  const Clock::Time until = course.pace.rest_until();
  if (!course.waiting.empty() || context->clock().now() >= until) co_return;
  course.resting = context->make_wakeup();
  co_await course.resting->wait_until(until);
  course.resting.reset();
  course.since = context->clock().now();
}

Task<> Learning::settled(StageContext* context) {
  const Clock::Time latest = context->clock().now() + kLongestArrival;
  for (;;) {
    const Clock::Time until = std::min(changed_ + kQuiet, latest);
    if (context->clock().now() >= until) co_return;
    const auto wakeup = context->make_wakeup();
    co_await wakeup->wait_until(until);
  }
}

Task<bool> Learning::caught_up(StageContext* context, std::string primary) {
  begin(context, primary);
  Course& course = courses_[primary];
  if (course.resting) {
    course.since = context->clock().now();
    course.resting->notify();
  }
  const Clock::Time latest = course.since + (course.knows_something ? kPatience : kFirstPatience);
  if (course.running && context->clock().now() < latest) {
    const auto wakeup = context->make_wakeup();
    course.waiting.push_back(wakeup);
    co_await wakeup->wait_until(latest);
    std::erase(course.waiting, wakeup);
  }
  co_return is_caught_up(primary);
}

}  // namespace parley::intent
