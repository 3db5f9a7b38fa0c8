#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/log.hpp>
#include <parley/message.hpp>
#include <string>
#include <vector>

namespace parley::child {

/// What a child may take up and touch. What is not set is not bounded.
struct Limits {
  Limits() = default;
  std::optional<std::size_t> memory;  ///< Bytes of data beyond what it takes before the skill is loaded.
  std::optional<double> cpu;          ///< Of the time of one processor: 0.5 is half of it.
  std::optional<int> open_files;      ///< Files, sockets and the like that are open at a time.
  bool network = true;                ///< It may open sockets.
  bool processes = true;              ///< It may start other programs.
  bool writes_anywhere = true;        ///< Else in these folders alone:
  std::vector<std::filesystem::path> writes;
  bool operator==(const Limits&) const = default;
};

/// What a child is to run, and how.
struct Plan {
  Plan() = default;
  std::string skill_id;
  std::filesystem::path library, folder;
  std::filesystem::path overrides, core_overrides;  ///< The user's, of the skill's words and of the core's.
  std::vector<std::string> languages;               ///< That are spoken, as BCP-47 tags.
  Json settings;                                    ///< As Settings::all().
  std::string zone;                                 ///< IANA.
  bool speaks_errors = false;
  bool jumping = false;  ///< It takes its clock from kTime.
  bool draws = false;    ///< It asks for its random numbers (kDraw).
  std::int64_t now_ns = 0, wall_ns = 0;
  LogLevel log_level = LogLevel::kWarning;
  Limits limits;
};

Json json_of(const Limits& limits);
Limits limits_from(const Json& json);
Json json_of(const Plan& plan);
/// @throws nlohmann::json::exception
Plan plan_from(const Json& json);

}  // namespace parley::child
