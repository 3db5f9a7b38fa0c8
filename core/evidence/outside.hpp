#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evidence/derive.hpp"
#include "evidence/objects.hpp"

namespace parley::evidence {

/// An event that another program wrote, and what can be worked out of it without the database.
struct OutsideEvent {
  struct Link {
    Link(std::string of, std::string to, int how_much)
        : type(std::move(of)), dst(std::move(to)), weight(how_much) {}
    std::string type, dst;
    int weight;  ///< Thousandths.
  };

  OutsideEvent() = default;
  std::string id, type, agent_id, session_id;
  std::string tenant_id, workspace_id, scope;  ///< Empty: not named.
  std::string memory_type;                     ///< Empty: not named.
  std::string lang;
  std::string text;                ///< Empty: there is no memory of it.
  std::string content;             ///< Says whether two are the same.
  std::optional<std::int64_t> at;  ///< When it happened, in Unix milliseconds; none: when it was logged.
  std::vector<std::string> causes;
  std::vector<Link> links;
  std::string type_terms, terms;  ///< The index terms of `type` and of `text`.
};

/// Reads one as the log keeps it; whatever is missing there is empty. From any thread.
OutsideEvent read_outside(const Json& kept);

/// Writes down what it says: the event, the memory of its text, the edges it names.
/// @param row  as what it is in the log; its `data` is not looked at
/// @return the id of the memory; empty: there is none
std::string derive_outside(Database& database, ObjectWriter& objects, const Event& row,
                           const OutsideEvent& event);

/// The id of the memory that came of an event; empty: none.
std::string memory_of(Database& database, const std::string& owner, const std::string& event_id);

}  // namespace parley::evidence
