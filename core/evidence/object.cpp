#include "evidence/object.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace parley::evidence {

std::string digest(std::string_view name) {
  // SHA256() itself looks for the algorithm anew each time.
  static const EVP_MD* const kind = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned size = 0;
  if (EVP_Digest(name.data(), name.size(), hash.data(), &size, kind, nullptr) != 1)
    throw std::runtime_error("OpenSSL has no SHA-256");
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < 8; ++i) {
    text += kDigits[hash.at(i) >> 4U];
    text += kDigits[hash.at(i) & 15U];
  }
  return text;
}

std::string Edge::id() const {
  return "edge_" + digest(fmt::format("{}\n{}\n{}\n{}", owner, src, type, dst));
}

std::string event_id(std::int64_t lsn) {
  return fmt::format("log_{}", lsn);
}

std::string session_token(const std::string& owner, const std::string& session_id) {
  return "__s" + digest(owner + '\n' + session_id);
}

std::string agent_token(const std::string& owner, const std::string& agent_id) {
  return "__a" + digest(owner + '\n' + agent_id);
}

std::string type_token(std::string_view type) {
  return "__y" + std::string(type);
}

std::string memory_token(std::string_view memory_type) {
  return "__m" + std::string(memory_type);
}

std::string kind_tokens(const Object& object) {
  std::string tokens = "_ " + type_token(object.type);
  if (!object.memory_type.empty()) tokens += ' ' + memory_token(object.memory_type);
  return tokens;
}

}  // namespace parley::evidence
