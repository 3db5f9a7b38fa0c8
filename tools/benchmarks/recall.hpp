#pragma once

#include <string>

#include "report.hpp"

namespace parley::bench {

/// How much of what answers a question is found, by category, among 5 and 10 memories.
/// @param file  `{"conversations": [{"id", "sessions": [{"time": "1:56 pm on 8 May, 2023", "turns": [{"id",
///              "speaker", "text"}]}], "questions": [{"question", "category", "evidence": [turn id]}]}]}`
void recall_bench(const std::string& file, Report& report);

}  // namespace parley::bench
