#include "config/token_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "config/files.hpp"
#include "settings/reader.hpp"

namespace parley {
namespace {

using config::Member;
using config::Node;
using config::Reader;
using nlohmann::json;
using Words = std::vector<std::string>;

constexpr config::DocumentLimits kTokenFile(std::size_t{16} << 20U, 4'000'000);

constexpr Option of_words(Option list, const char* words) {
  list.words = words;
  return list;
}

constexpr std::array kClient{
    Option::text("token_sha256", nullptr, "The SHA-256 of the token, which is kept nowhere."),
    of_words(Option::list("rights", "[talk]", "What it may do."), "talk read write admin"),
    Option::list("send", nullptr, "Topics it may send; not set: all a client may."),
    Option::list("receive", nullptr, "Topics it hears; not set: all a client may."),
    Option::list("blacklisted_pipelines", nullptr, "Entries or stages that are not asked for it."),
    Option::list("blacklisted_skills", nullptr, "Skills that may not answer it."),
    Option::list("blacklisted_intents", nullptr, "Intents that may not match for it."),
    Option::number("messages_per_second", nullptr, 1e-6, 1e12, "On average; as many may come at once."),
    Option::size("max_frame", nullptr, 1, std::size_t{1} << 30U, "Bytes of a message and of an HTTP body."),
    Option::integer("max_turns", nullptr, 1, 1'000'000, "Turns under way."),
    Option::integer("max_registrations", nullptr, 1, 10'000'000, "Intents, entities and fallbacks."),
    Option::integer("max_skills", nullptr, 1, 1'000'000, "Skills one connection may speak for."),
    Option::integer("max_connections", nullptr, 1, 1'000'000, "Connections at a time."),
};
constexpr Option kSessions = Option::list("sessions", nullptr, "Sessions it may use.");

void read_sessions(Reader& reader, const Node& node, const std::string& path, net::Grant& grant) {
  if (node.kind == Node::Kind::kList) {
    grant.sessions = net::Grant::Sessions::kListed;
    if (const auto listed = reader.read(node, path, kSessions)) grant.listed_sessions = listed->get<Words>();
  } else if (node.text == "own") {
    grant.sessions = net::Grant::Sessions::kOwn;
  } else if (node.text == "default") {
    grant.sessions = net::Grant::Sessions::kListed;
    grant.listed_sessions = {"default"};
  } else if (node.text != "any") {
    reader.expected(node, path, "any, own, default or a list");
  }
}

unsigned rights_of(const json& words) {
  const Words known = config::words_of(*find_option(kClient, "rights"));
  unsigned rights = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (std::find(words.begin(), words.end(), known[i]) != words.end()) rights |= 1U << i;
  }
  return rights;
}
static_assert(static_cast<unsigned>(net::Right::kTalk) == 1 &&
              static_cast<unsigned>(net::Right::kRead) == 2 &&
              static_cast<unsigned>(net::Right::kWrite) == 4 &&
              static_cast<unsigned>(net::Right::kAdmin) == 8);

net::TopicFilter topics(Reader& reader, const Node& client, const std::string& path, const char* key,
                        const Words& named) {
  if (named.empty()) return net::TopicFilter::nothing();
  auto filter = net::TopicFilter::parse(fmt::format("{}", fmt::join(named, ",")), "");
  if (filter) return std::move(filter).value();
  reader.fail(client.find(key)->place,
              fmt::format("'{}': {}", config::join(path, key), filter.error().message));
  return net::TopicFilter::nothing();
}

/// What a client may do; `hash` becomes that of its token.
net::GrantPtr read_client(Reader& reader, const Member& member, const std::string& path, std::string& hash) {
  auto grant = std::make_shared<net::Grant>();
  grant->client = member.key;
  if (!is_identifier(member.key))
    reader.fail(member.place, fmt::format("'{}' can't be the name of a client", member.key));
  const json values = reader.read_table(member.value, path, kClient, {kSessions.key});
  const auto take = [&values](const char* key, auto& into) {
    if (const auto found = values.find(key); found != values.end())
      into = found->get<std::decay_t<decltype(into)>>();
  };
  const auto count = [&values](const char* key, std::optional<std::size_t>& into) {
    if (const auto found = values.find(key); found != values.end()) into = found->get<std::size_t>();
  };
  const auto names = [&values](const char* key) -> std::optional<Words> {
    const auto found = values.find(key);
    return found == values.end() ? std::nullopt : std::optional(found->get<Words>());
  };
  take("token_sha256", hash);
  take("messages_per_second", grant->messages_per_second);
  take("max_frame", grant->max_frame);
  count("max_turns", grant->shares.turns);
  count("max_registrations", grant->shares.registrations);
  count("max_skills", grant->shares.skills);
  count("max_connections", grant->shares.connections);
  grant->rights = rights_of(values.at("rights"));
  if (const auto named = names("send")) grant->send = topics(reader, member.value, path, "send", *named);
  if (const auto named = names("receive"))
    grant->receive = topics(reader, member.value, path, "receive", *named);
  grant->blacklisted_pipelines = names("blacklisted_pipelines").value_or(Words());
  grant->blacklisted_skills = names("blacklisted_skills").value_or(Words());
  grant->blacklisted_intents = names("blacklisted_intents").value_or(Words());
  if (const Node* const sessions = member.value.find(kSessions.key)) {
    read_sessions(reader, *sessions, config::join(path, kSessions.key), *grant);
  }
  return grant;
}

/// What no key can tell by itself.
void check_client(Reader& reader, const Member& member, const net::Grant& grant, const std::string& path,
                  const std::string& hash) {
  const Node* const token = member.value.find("token_sha256");
  if (token == nullptr) {
    reader.fail(member.place, fmt::format("client '{}' has no token_sha256", member.key));
  } else if (hash.size() != 64 || hash.find_first_not_of("0123456789abcdef") != std::string::npos) {
    reader.fail(token->place, fmt::format("'{}' must be 64 hexadecimal digits: printf %s TOKEN | sha256sum",
                                          config::join(path, "token_sha256")));
  }
  const bool policy = !grant.blacklisted_pipelines.empty() || !grant.blacklisted_skills.empty() ||
                      !grant.blacklisted_intents.empty();
  if (policy && grant.allows_session("default")) {
    reader.fail(member.place, fmt::format("client '{}' has blacklists and may use the default session, which "
                                          "others share: give it 'sessions: own'",
                                          member.key));
  }
}

net::Grants read_clients(Reader& reader, const Node& clients) {
  net::Grants grants;
  for (const Member& member : clients.members) {
    const std::string path = config::join("clients", member.key);
    std::string hash;
    auto grant = read_client(reader, member, path, hash);
    check_client(reader, member, *grant, path, hash);
    if (!grants.emplace(hash, std::move(grant)).second)
      reader.fail(member.place, "another client has the same token");
  }
  return grants;
}

}  // namespace

net::Grants read_token_file(const std::filesystem::path& file) {
  std::vector<Problem> problems;
  net::Grants grants;
  const std::string text = config::read_file(file, kTokenFile.bytes, problems);
  for (auto& problem : problems) problem.message += " (gateway.tokens names it)";
  if (problems.empty()) {
    Reader reader(problems);
    const Node root =
        config::parse_document(text, file.string(), config::Positions::kShown, problems, kTokenFile);
    const Node* const clients = root.find("clients");
    if (clients == nullptr || !clients->is_map()) {
      reader.fail(root.place, "the file must have a map 'clients': NAME: {token_sha256: …}");
    } else {
      grants = read_clients(reader, *clients);
    }
    if (root.is_map()) reader.read_section(root, "", {}, {"clients"}, nullptr);
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  return grants;
}

}  // namespace parley
