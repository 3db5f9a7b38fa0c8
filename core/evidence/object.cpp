#include "evidence/object.hpp"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <array>

namespace parley::evidence {

std::string digest(std::string_view name) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> hash{};
  SHA256(reinterpret_cast<const unsigned char*>(name.data()), name.size(), hash.data());
  std::string text;
  for (std::size_t i = 0; i < 8; ++i) text += fmt::format("{:02x}", hash.at(i));
  return text;
}

std::string Edge::id() const {
  return "edge_" + digest(fmt::format("{}\n{}\n{}\n{}", owner, src, type, dst));
}

std::string event_id(std::int64_t lsn) {
  return fmt::format("log_{}", lsn);
}

std::string scope_tokens(const Object& object) {
  const bool is_public = object.scope == "workspace" || object.scope == "shared";
  const std::string place = digest(object.tenant_id + '\n' + object.workspace_id);
  std::string tokens =
      fmt::format("o{} a{} s{} n{} y{}", digest(object.owner), digest(object.owner + '\n' + object.agent_id),
                  digest(object.owner + '\n' + object.session_id), place, object.type);
  if (!object.memory_type.empty()) tokens += " m" + object.memory_type;
  if (is_public) tokens += " w" + place;
  if (object.scope == "shared") tokens += " h" + place;
  return tokens;
}

}  // namespace parley::evidence
