#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "evidence/search.hpp"

namespace parley::evidence {

/// Searches, and puts what is found as the answer to `POST /v1/query`.
/// @param meaning  as search() takes it
Json answer(Database& database, const Request& request, const Reach& reach, const Wording& wording,
            const std::string& query_id, const Meaning* meaning = nullptr);

/// An object with its versions and edges, as `GET /v1/objects/{id}` has it; null: the owner has none.
Json object_answer(Database& database, const std::string& owner, const std::string& id);

/// `{"objects": {type: count}, "edges", "lsn": {"written", "indexed"}, "bytes": {"database", "index"}}`.
Json stats(Database& database);

}  // namespace parley::evidence
