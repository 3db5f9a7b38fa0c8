#include "intents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "latencies.hpp"
#include "memory.hpp"
#include "understanding.hpp"
#include "waiting.hpp"

namespace parley::bench {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

/// What the tests of a set came to.
class Marks {
 public:
  void add(const Json& test, const Understood& found) {
    latencies_.add(found.took);
    const std::string wanted = text_of(test, "intent");
    if (wanted.empty() && !text_of(test, "skill_id").empty()) {  // which of the skill's intents is not said
      ++of_skill_;
      right_skill_ += found.skill_id == text_of(test, "skill_id");
      wrong_skill_ += !found.intent.empty() && found.skill_id != text_of(test, "skill_id");
      return;
    }
    if (wanted.empty()) {
      ++out_of_scope_;
      rejected_ += found.intent.empty();
      if (!found.intent.empty()) ++accepted_by_[found.entry];
      false_certainties_.push_back(found.best.empty() ? 0 : found.certainty);
      return;
    }
    ++in_scope_;
    taken_right_ += found.intent == wanted;
    right_ += found.best == wanted;
    if (found.best == wanted) right_certainties_.push_back(found.certainty);
    mark_slots(test.value("slots", Json::object()), found);
  }

  void report(const std::string& set, Report& report) {
    if (in_scope_ > 0)
      figure(report, set, "accuracy", share(right_, in_scope_),
             "the surest candidate, whether or not it was taken");
    if (of_skill_ > 0) {
      figure(report, set, "right_skill", share(right_skill_, of_skill_), "where only the skill is known");
      figure(report, set, "wrong_skill", share(wrong_skill_, of_skill_), "where only the skill is known");
    }
    if (out_of_scope_ > 0) {
      std::sort(false_certainties_.rbegin(), false_certainties_.rend());
      const double bar = false_certainties_[out_of_scope_ / 20];
      const auto above = std::count_if(right_certainties_.begin(), right_certainties_.end(),
                                       [bar](double certainty) { return certainty > bar; });
      figure(report, set, "accuracy_at_5_percent_false_accepts",
             share(static_cast<std::size_t>(above), in_scope_),
             "right and surer than all but 5 % of what is out of scope");
      figure(report, set, "out_of_scope_recall", share(rejected_, out_of_scope_), "declined, as shipped");
      for (const char* entry : {"intent_high", "intent_medium", "intent_low"})
        figure(report, set, fmt::format("false_accepts_{}", entry).c_str(),
               share(accepted_by_[entry], out_of_scope_), "out of scope, and taken by that entry");
    }
    if (in_scope_ > 0)
      figure(report, set, "in_scope_accuracy", share(taken_right_, in_scope_), "right and taken, as shipped");
    if (slots_wanted_ > 0) {
      figure(report, set, "slot_f1", 2 * share(slots_right_, slots_wanted_ + slots_found_),
             "slots of what was taken");
    }
    report.add(Figure(set + ".turn_p50", latencies_.percentile_us(0.5), "us"));
    report.add(Figure(set + ".turn_p99", latencies_.percentile_us(0.99), "us"));
  }

 private:
  static std::string text_of(const Json& test, const char* key) {
    const auto found = test.find(key);
    return found != test.end() && found->is_string() ? found->get<std::string>() : std::string();
  }

  static double share(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }

  static void figure(Report& report, const std::string& set, const char* name, double value,
                     const char* remark) {
    Figure made(set + '.' + name, value, "");
    made.remark = remark;
    report.add(made);
  }

  void mark_slots(const Json& wanted, const Understood& found) {
    slots_found_ += found.slots.size();
    for (const auto& [slot, values] : wanted.items()) {
      ++slots_wanted_;
      const auto bound = found.slots.find(slot);
      if (bound == found.slots.end()) continue;
      const Json all = values.is_array() ? values : Json::array({values});
      slots_right_ += std::find(all.begin(), all.end(), Json(bound->second)) != all.end();
    }
  }

  std::size_t in_scope_ = 0, right_ = 0, taken_right_ = 0, out_of_scope_ = 0, rejected_ = 0;
  std::size_t of_skill_ = 0, right_skill_ = 0, wrong_skill_ = 0;
  std::size_t slots_wanted_ = 0, slots_found_ = 0, slots_right_ = 0;
  std::map<std::string, std::size_t> accepted_by_;  ///< Out of scope, by the entry that took it.
  std::vector<double> right_certainties_, false_certainties_;
  Latencies latencies_;
};

Json read_set(const std::string& file) {
  std::ifstream in(file);
  if (!in)
    throw std::runtime_error("'" + file +
                             "' can't be read; --data wants a file of {intents, entities, tests}");
  Json set = Json::parse(in, nullptr, false);
  const auto has = [&set](const char* key) { return set.contains(key) && !set.at(key).empty(); };
  if (!set.is_object() || !set.contains("tests") || !set.contains("intents") ||
      !(has("intents") || has("keyword"))) {
    throw std::runtime_error("'" + file + "' is no JSON object with intents, or keyword intents, and tests");
  }
  return set;
}

void measure_set(const std::string& file, Report& report) {
  const Json set = read_set(file);
  const std::string name = set.value("name", file);
  const Waiting waiting(name);
  const Json& some = set.at("intents").empty() ? set.at("keyword") : set.at("intents");
  Understanding assistant(some.front().value("lang", std::string("en-US")));
  auto since = Clock::now();
  assistant.load(set);
  report.add(Figure(name + ".loading", seconds_since(since), "s"));
  since = Clock::now();
  assistant.wait_until_learnt();
  report.add(Figure(name + ".learning", seconds_since(since), "s"));
  Marks marks;
  for (const Json& test : set.at("tests")) marks.add(test, assistant.understand(test.at("utterance"), true));
  marks.report(name, report);
  report.add(Figure(name + ".resident", memory().at("Rss"), "MiB"));
}

/// Intents with ten templates each, over a few hundred words.
Json many_intents(int count) {
  Json set{{"intents", Json::array()}, {"entities", Json::array()}, {"tests", Json::array()}};
  for (int intent = 0; intent < count; ++intent) {
    Json samples = Json::array();
    for (int i = 0; i < 10; ++i) {
      samples.push_back(fmt::format("(please|) word{} [the] thing{} of word{} with {{slot}} number{}",
                                    (intent * 7 + i) % 400, intent % 100, intent, i));
    }
    set["intents"].push_back({{"skill_id", fmt::format("skill{}", intent / 10)},
                              {"intent_name", fmt::format("intent{}", intent)},
                              {"samples", samples}});
  }
  return set;
}

void measure_speed(const Options& options, Report& report) {
  const std::string name = fmt::format("{}_templates", options.intents * 10);
  const Waiting waiting(fmt::format("{} templates", options.intents * 10));
  Understanding assistant("en-US");
  auto since = Clock::now();
  assistant.load(many_intents(options.intents));
  assistant.wait_until_learnt();
  Figure loading(name + ".loading_and_learning", seconds_since(since), "s");
  loading.target = Target::at_most(2, "the classifier: every sampled sentence against its rivals");
  report.add(loading);
  since = Clock::now();
  assistant.add_intent("skill0", "one_more", {{"samples", {"make me a sandwich", "i want {food} now"}}});
  assistant.wait_until_learnt();
  Figure more(name + ".one_more_intent", seconds_since(since) * 1000, "ms");
  more.remark = "to the next turn that sees it, that turn included";
  more.target = Target::at_most(20, "the classifier: the rivals of the new sentences, and calibration");
  report.add(more);
  const auto time = [&](const char* how, bool literal) {
    Latencies latencies;
    const auto until = Clock::now() + std::chrono::duration<double>(options.seconds);
    for (int i = 0; Clock::now() < until; ++i) {
      const int intent = i * 37 % options.intents;
      const std::string said = literal ? fmt::format("word{} the thing{} of word{} with my hat number3",
                                                     (intent * 7 + 3) % 400, intent % 100, intent)
                                       : fmt::format("the thing{} word{} for word{} and my hat", intent % 100,
                                                     intent, (intent * 7 + 3) % 400);
      latencies.add(assistant.understand(said, false).took);
    }
    Series series(name + how, 1);
    series.p50_us = latencies.percentile_us(0.5);
    series.p99_us = latencies.percentile_us(0.99);
    series.per_s = static_cast<double>(latencies.count()) / options.seconds;
    return series;
  };
  Series literal = time(".word_for_word", true);
  literal.p99_target = Target::at_most(200, "catch-all slots, which every utterance has to try");
  report.add(literal);
  report.add(time(".resembling", false));
  Figure resident(name + ".resident", memory().at("Rss"), "MiB");
  resident.target =
      Target::at_most(100, "weights of the classifier: one for each pair of feature and intent");
  report.add(resident);
}

}  // namespace

void intents(const Options& options, Report& report) {
  if (options.data.empty()) measure_speed(options, report);
  for (const auto& file : options.data) measure_set(file, report);
}

}  // namespace parley::bench
