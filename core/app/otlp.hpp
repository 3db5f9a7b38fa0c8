#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <string>
#include <vector>

namespace parley {

/// A turn that is over.
struct TracedTurn {
  TracedTurn(Json told, std::chrono::system_clock::time_point when) : trace(std::move(told)), ended(when) {}
  Json trace;  ///< As TraceRecord::to_json() gives it.
  std::chrono::system_clock::time_point ended;
};

/// The body of `POST /v1/traces` as a collector of OpenTelemetry takes it: of each turn one span, and in it
/// one for each entry that was asked and one for the handler.
/// @param service  `service.name`
/// @param words    what was said goes along, by the user and by skills
Json otlp_of(const std::vector<TracedTurn>& turns, const std::string& service, bool words);

}  // namespace parley
