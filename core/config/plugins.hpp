#pragma once

#include <nlohmann/json.hpp>

#include "config/tables.hpp"

// The options of the stage plugins that belong to this project.
namespace parley::config {

struct NoOptions {
  NoOptions() = default;
};

struct StageCommon {
  StageCommon() = default;
  std::string plugin;
  std::optional<std::chrono::milliseconds> match_timeout;
};

struct IntentEntry {
  IntentEntry() = default;
  IntentLevel level = IntentLevel::kByName;
  std::optional<double> min_coverage;
};

struct FallbackOptions {
  FallbackOptions() = default;
  std::chrono::milliseconds query_timeout{500};
  std::chrono::milliseconds round_timeout{2'000};
  Priorities fallback_priorities;
  FallbackMode fallback_mode = FallbackMode::kAcceptAll;
  std::vector<std::string> fallback_whitelist;
  std::vector<std::string> fallback_blacklist;
};

struct FallbackEntry {
  FallbackEntry() = default;
  std::optional<PriorityRange> priority;
};

struct StopOptions {
  StopOptions() = default;
  std::chrono::milliseconds ping_timeout{500};
};

struct ConverseOptions {
  ConverseOptions() = default;
  std::chrono::milliseconds ping_timeout{500};
  std::chrono::milliseconds round_timeout{1'000};
  int max_handlers = 16;
  std::chrono::milliseconds max_age{300'000};
};

struct CommonQueryOptions {
  CommonQueryOptions() = default;
  std::chrono::milliseconds poll_window{500};
  std::chrono::milliseconds collection_window{3'000};
  std::chrono::milliseconds collection_ceiling{5'000};
  std::chrono::milliseconds latency_slack{100};
  double min_confidence = 0.5;
  double fast_win = 0.9;
  bool early_start = true;
  int max_early_contests = 64;
  bool gate = true;
  std::string reranker = "confidence";
  std::vector<std::string> skill_order;
};

inline constexpr Table<StageCommon, 2> kStage{{
    {"plugin", &StageCommon::plugin,
     "The library libparley_stage_<plugin>.so; default: the stage's own name.", looks_like(Form::kId)},
    {"match_timeout", &StageCommon::match_timeout, "Instead of orchestrator.match_timeout.", within(1ms, 1h)},
}};

inline constexpr Table<NoOptions, 0> kNone{};

inline constexpr Table<IntentEntry, 2> kIntentEntry{{
    {"level", &IntentEntry::level, "What the entry takes; by_name: what its name ends in, else low."},
    {"min_coverage", &IntentEntry::min_coverage,
     "The share of the words that keywords must cover; default: by level.", within(0, 1)},
}};

inline constexpr Table<FallbackOptions, 6> kFallback{{
    {"query_timeout", &FallbackOptions::query_timeout, "How long one skill may take to say whether it can.",
     within(1ms, 1min)},
    {"round_timeout", &FallbackOptions::round_timeout,
     "How long all together may take; who has not been asked by then is not asked this time.",
     within(1ms, 1min)},
    {"fallback_priorities", &FallbackOptions::fallback_priorities,
     "Priorities by skill id, instead of those the skills ask for; lower is asked earlier."},
    {"fallback_mode", &FallbackOptions::fallback_mode, "Which skills may be a fallback."},
    {"fallback_whitelist", &FallbackOptions::fallback_whitelist, "Only these, in mode 'whitelist'.",
     looks_like(Form::kId)},
    {"fallback_blacklist", &FallbackOptions::fallback_blacklist, "All but these, in mode 'blacklist'.",
     looks_like(Form::kId)},
}};

inline constexpr Table<FallbackEntry, 1> kFallbackEntry{{
    {"priority", &FallbackEntry::priority,
     "The priorities this entry asks, both ends included; default: all."},
}};

inline constexpr Table<StopOptions, 1> kStop{{
    {"ping_timeout", &StopOptions::ping_timeout, "How long to wait for skills to say what they can stop.",
     within(1ms, 1min)},
}};

inline constexpr Table<ConverseOptions, 4> kConverse{{
    {"ping_timeout", &ConverseOptions::ping_timeout,
     "How long one skill may take to say whether it converses.", within(1ms, 1min)},
    {"round_timeout", &ConverseOptions::round_timeout,
     "How long all together may take; who has not been asked by then is not asked this time.",
     within(1ms, 1min)},
    {"max_handlers", &ConverseOptions::max_handlers, "Skills a session remembers to ask.", within(1, 1000)},
    {"max_age", &ConverseOptions::max_age, "How long it remembers them.", within(1s, 24h)},
}};

inline constexpr Table<CommonQueryOptions, 11> kCommonQuery{{
    {"poll_window", &CommonQueryOptions::poll_window, "How long skills may take to claim a question.",
     within(1ms, 1min)},
    {"collection_window", &CommonQueryOptions::collection_window, "How long claimants have for their answer.",
     within(1ms, 10min)},
    {"collection_ceiling", &CommonQueryOptions::collection_ceiling,
     "How long to wait at most while nobody has answered.", within(1ms, 10min)},
    {"latency_slack", &CommonQueryOptions::latency_slack,
     "Added to the slowest latency the claimants announced.", within(0ms, 1min)},
    {"min_confidence", &CommonQueryOptions::min_confidence, "Answers below are dropped.", within(0, 1)},
    {"fast_win", &CommonQueryOptions::fast_win, "An answer this good ends the contest.", within(0, 1)},
    {"early_start", &CommonQueryOptions::early_start, "Ask while earlier stages are still matching."},
    {"max_early_contests", &CommonQueryOptions::max_early_contests,
     "Early contests at a time, in all sessions.", within(1, 10'000)},
    {"gate", &CommonQueryOptions::gate, "Only ask what looks like a question."},
    {"reranker", &CommonQueryOptions::reranker, "The strategy that ranks answers.", looks_like(Form::kId)},
    {"skill_order", &CommonQueryOptions::skill_order, "Who goes first among equally good answers.",
     looks_like(Form::kId)},
}};

/// Calls `visit(plugin, options, options table, entry, entry table, default entries)` for each plugin;
/// the sections hold the defaults.
template <class Visit>
void for_each_plugin(Visit&& visit) {
  using Json = nlohmann::json;
  const Json none = Json::object();
  const Json by_name = {{"level", "by_name"}};
  visit("intent", NoOptions(), kNone, IntentEntry(), kIntentEntry,
        Json{{"intent_high", by_name}, {"intent_medium", by_name}, {"intent_low", by_name}});
  visit("fallback", FallbackOptions(), kFallback, FallbackEntry(), kFallbackEntry,
        Json{{"fallback_high", {{"priority", {0, 49}}}},
             {"fallback_medium", {{"priority", {50, 74}}}},
             {"fallback_low", {{"priority", {75, 100}}}}});
  visit("stop", StopOptions(), kStop, NoOptions(), kNone, Json{{"stop_high", none}, {"stop_medium", none}});
  visit("converse", ConverseOptions(), kConverse, NoOptions(), kNone, Json{{"converse", none}});
  visit("common_query", CommonQueryOptions(), kCommonQuery, NoOptions(), kNone, Json{{"common_query", none}});
}

}  // namespace parley::config
