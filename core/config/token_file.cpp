#include "config/token_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <parley/files.hpp>
#include <set>

#include "settings/problem.hpp"
#include "settings/values.hpp"

namespace parley {
namespace {

constexpr std::size_t kLargestTokenFile = std::size_t{16} << 20U;

std::string unknown_key(const std::string& key, const std::vector<std::string>& known) {
  if (const auto near = nearest(key, known))
    return fmt::format("unknown key '{}'; did you mean '{}'?", key, *near);
  return fmt::format("unknown key '{}'; known here: {}", key, fmt::join(known, ", "));
}

/// Reads one client, collecting what is wrong.
class ClientReader {
 public:
  ClientReader(const std::filesystem::path& file, std::vector<Problem>& problems)
      : file_(file), problems_(problems) {}

  net::GrantPtr read(const std::string& name, const YAML::Node& node, std::string& hash) {
    auto grant = std::make_shared<net::Grant>();
    grant->client = name;
    if (!is_identifier(name)) fault(node, fmt::format("'{}' can't be the name of a client", name));
    if (!node.IsMap()) {
      fault(node, fmt::format("client '{}' must be a map of keys and values", name));
      return grant;
    }
    std::set<std::string> seen;
    for (const auto& entry : node) {
      const auto key = entry.first.as<std::string>();
      if (!seen.insert(key).second) fault(entry.first, fmt::format("'{}' is there twice", key));
      read_key(key, entry.second, *grant, hash);
    }
    if (hash.empty()) fault(node, fmt::format("client '{}' has no token_sha256", name));
    const bool policy = !grant->blacklisted_pipelines.empty() || !grant->blacklisted_skills.empty() ||
                        !grant->blacklisted_intents.empty();
    if (policy && grant->allows_session("default")) {
      fault(node, fmt::format("client '{}' has blacklists and may use the default session, which others "
                              "share: give it 'sessions: own'",
                              name));
    }
    return grant;
  }

  void fault(const YAML::Node& node, std::string text) {
    problems_.emplace_back(file_.string(), node.Mark().line + 1, node.Mark().column + 1, std::move(text));
  }

 private:
  void read_key(const std::string& key, const YAML::Node& value, net::Grant& grant, std::string& hash) {
    if (key == "token_sha256") {
      hash = text(key, value);
      const bool hex = hash.size() == 64 && hash.find_first_not_of("0123456789abcdef") == hash.npos;
      if (!hex) fault(value, "'token_sha256' must be 64 hexadecimal digits: printf %s TOKEN | sha256sum");
    } else if (key == "send" || key == "receive") {
      (key == "send" ? grant.send : grant.receive) = topics(key, value);
    } else if (key == "sessions") {
      read_sessions(value, grant);
    } else if (key == "blacklisted_pipelines") {
      grant.blacklisted_pipelines = list(key, value);
    } else if (key == "blacklisted_skills") {
      grant.blacklisted_skills = list(key, value);
    } else if (key == "blacklisted_intents") {
      grant.blacklisted_intents = list(key, value);
    } else if (key == "messages_per_second") {
      grant.messages_per_second = number(key, value);
    } else if (key == "max_frame") {
      grant.max_frame = count(key, value);
    } else if (key == "rights") {
      read_rights(value, grant);
    } else if (auto* const share = share_of(key, grant.shares)) {
      *share = count(key, value);
    } else {
      fault(value, unknown_key(key, {"blacklisted_intents", "blacklisted_pipelines", "blacklisted_skills",
                                     "max_connections", "max_frame", "max_registrations", "max_skills",
                                     "max_turns", "messages_per_second", "receive", "rights", "send",
                                     "sessions", "token_sha256"}));
    }
  }

  static std::optional<std::size_t>* share_of(const std::string& key, net::Shares& shares) {
    if (key == "max_turns") return &shares.turns;
    if (key == "max_registrations") return &shares.registrations;
    if (key == "max_skills") return &shares.skills;
    if (key == "max_connections") return &shares.connections;
    return nullptr;
  }

  void read_rights(const YAML::Node& value, net::Grant& grant) {
    grant.rights = 0;
    for (const auto& word : list("rights", value)) {
      if (word == "talk") {
        grant.rights |= static_cast<unsigned>(net::Right::kTalk);
      } else if (word == "read") {
        grant.rights |= static_cast<unsigned>(net::Right::kRead);
      } else if (word == "write") {
        grant.rights |= static_cast<unsigned>(net::Right::kWrite);
      } else if (word == "admin") {
        grant.rights |= static_cast<unsigned>(net::Right::kAdmin);
      } else {
        fault(value, fmt::format("'rights' must be a list of talk, read, write and admin; found '{}'", word));
      }
    }
  }

  void read_sessions(const YAML::Node& value, net::Grant& grant) {
    if (value.IsSequence()) {
      grant.sessions = net::Grant::Sessions::kListed;
      grant.listed_sessions = list("sessions", value);
      return;
    }
    const std::string word = text("sessions", value);
    if (word == "own") {
      grant.sessions = net::Grant::Sessions::kOwn;
    } else if (word == "default") {
      grant.sessions = net::Grant::Sessions::kListed;
      grant.listed_sessions = {"default"};
    } else if (word != "any") {
      fault(value, fmt::format("'sessions' must be any, own, default or a list; found '{}'", word));
    }
  }

  std::optional<net::TopicFilter> topics(const std::string& key, const YAML::Node& value) {
    const auto named = list(key, value);
    if (named.empty()) return net::TopicFilter::nothing();
    auto filter = net::TopicFilter::parse(fmt::format("{}", fmt::join(named, ",")), "");
    if (!filter) {
      fault(value, fmt::format("'{}': {}", key, filter.error().message));
      return net::TopicFilter::nothing();
    }
    return std::move(filter).value();
  }

  std::string text(const std::string& key, const YAML::Node& value) {
    if (value.IsScalar()) return value.as<std::string>();
    fault(value, fmt::format("'{}' must be a text", key));
    return {};
  }

  std::vector<std::string> list(const std::string& key, const YAML::Node& value) {
    std::vector<std::string> texts;
    if (!value.IsSequence()) {
      fault(value, fmt::format("'{}' must be a list of texts", key));
      return texts;
    }
    for (const auto& one : value) texts.push_back(text(key, one));
    return texts;
  }

  double number(const std::string& key, const YAML::Node& value) {
    double found = 0;
    if (value.IsScalar() && YAML::convert<double>::decode(value, found) && found > 0 && found < 1e12)
      return found;
    fault(value, fmt::format("'{}' must be a number above 0", key));
    return 0;
  }

  std::size_t count(const std::string& key, const YAML::Node& value) {
    const double found = number(key, value);
    if (found != 0 && found < 1) fault(value, fmt::format("'{}' must be at least 1", key));
    return static_cast<std::size_t>(found);
  }

  const std::filesystem::path& file_;
  std::vector<Problem>& problems_;
};

}  // namespace

net::Grants read_token_file(const std::filesystem::path& file) {
  std::vector<Problem> problems;
  net::Grants grants;
  try {
    const auto text = read_file(file, kLargestTokenFile);
    if (!text) {
      problems.emplace_back(file.string(), 0, 0, text.error().message + " (gateway.tokens names it)");
      throw ConfigError(std::move(problems));
    }
    const YAML::Node root = YAML::Load(*text);
    ClientReader reader(file, problems);
    const YAML::Node clients = root.IsMap() ? root["clients"] : YAML::Node();
    if (!clients || !clients.IsMap())
      reader.fault(root, "the file must have a map 'clients': NAME: {token_sha256: …}");
    for (const auto& entry : root.IsMap() ? root : YAML::Node()) {
      const auto key = entry.first.as<std::string>();
      if (key != "clients") reader.fault(entry.first, unknown_key(key, {"clients"}));
    }
    std::set<std::string> names;
    for (const auto& entry : clients&& clients.IsMap() ? clients : YAML::Node()) {
      const auto name = entry.first.as<std::string>();
      if (!names.insert(name).second)
        reader.fault(entry.first, fmt::format("client '{}' is there twice", name));
      std::string hash;
      auto grant = reader.read(name, entry.second, hash);
      if (!grants.emplace(hash, std::move(grant)).second)
        reader.fault(entry.second, "another client has the same token");
    }
  } catch (const YAML::Exception& error) {
    problems.emplace_back(file.string(), error.mark.line + 1, error.mark.column + 1, error.msg);
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  return grants;
}

}  // namespace parley
