#pragma once

#include <memory>
#include <string>

#include "evidence/embedding_settings.hpp"

namespace parley {
class Database;
}

namespace parley::evidence {

class Meaning;

/// What a question means, for somebody who has the file and no loop. Reads all vectors, asks the server and
/// waits for it, within EmbeddingSettings::timeout. Null: no server is configured.
std::shared_ptr<Meaning> meaning_at_once(Database& database, const EmbeddingSettings& settings,
                                         const std::string& text);

}  // namespace parley::evidence
