#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/inventory.hpp"
#include "terminal.hpp"

namespace parley::command {

// What core's inventory (app/inventory.hpp) gives, as a table for people.
std::string skills_table(const nlohmann::json& skills, const Paint& paint);
std::string intents_table(const nlohmann::json& intents, const Paint& paint);
std::string pipeline_table(const nlohmann::json& entries, const Paint& paint);

}  // namespace parley::command
